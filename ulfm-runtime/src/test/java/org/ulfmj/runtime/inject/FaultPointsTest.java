package org.ulfmj.runtime.inject;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.runtime.options.FaultTrigger;

class FaultPointsTest {
    @Test
    void shouldNameTheRuleWhenANamedPointOrAPlaceOfTheReplayIsPassed() {
        FaultPoints points = new FaultPoints(List.of(
                new FaultTrigger(5, FaultTrigger.atPoint("rabit.load"), 2),
                new FaultTrigger(6, FaultTrigger.atPosition(1, 10), 1)));
        assertThat(points.onPoint("rabit.load")).isEqualTo(-1);
        assertThat(points.onPoint("rabit.fetch")).isEqualTo(-1);
        assertThat(points.onPosition(1, 1)).isEqualTo(-1);
        assertThat(points.onPosition(11, 0)).isEqualTo(-1);
        assertThat(points.onPoint("rabit.load")).isEqualTo(5);
        assertThat(points.onPosition(1, 10)).isEqualTo(6);
        assertThat(points.onPosition(1, 10)).isEqualTo(-1);
    }

    @Test
    void shouldFireOnceAtTheCallThatIsCounted() {
        FaultPoints points = new FaultPoints(
                List.of(new FaultTrigger(7, "allReduce", 2), new FaultTrigger(8, FaultTrigger.ANY_OPERATION, 4)));
        assertThat(points.onCall("allReduce")).isEqualTo(-1);
        assertThat(points.onCall("send")).isEqualTo(-1);
        assertThat(points.onCall("allReduce")).isEqualTo(7);
        assertThat(points.onCall("send")).isEqualTo(8);
        assertThat(points.onCall("allReduce")).isEqualTo(-1);
    }

    @Test
    void shouldFireAtTheIterationThatTheProgramNames() {
        FaultPoints points = new FaultPoints(List.of(new FaultTrigger(1, FaultTrigger.ITERATION, 40)));
        assertThat(points.onIteration(39)).isEqualTo(-1);
        assertThat(points.onCall("send")).isEqualTo(-1);
        assertThat(points.onIteration(40)).isEqualTo(1);
        assertThat(points.onIteration(40)).isEqualTo(-1);
    }

    @Test
    void shouldFireInTheMiddleAndAtTheEndOfACall() {
        FaultPoints points = new FaultPoints(List.of(
                new FaultTrigger(1, FaultTrigger.inCall("send", FaultTrigger.MID), 1),
                new FaultTrigger(2, FaultTrigger.inCall("send", FaultTrigger.EXIT), 1),
                new FaultTrigger(3, FaultTrigger.inCall(FaultTrigger.ANY_OPERATION, FaultTrigger.MID), 2)));
        assertThat(points.onCall("send")).isEqualTo(FaultPoints.NONE);
        assertThat(points.onWait()).isEqualTo(1);
        assertThat(points.onWait()).isEqualTo(FaultPoints.NONE);
        assertThat(points.onExit()).isEqualTo(2);
        assertThat(points.onCall("recv")).isEqualTo(FaultPoints.NONE);
        assertThat(points.onExit())
                .as("a call that did not wait has its middle at its end")
                .isEqualTo(3);
        assertThat(points.onExit()).isEqualTo(FaultPoints.NONE);
    }

    @Test
    void shouldFireAtTheNextCallAtTheLatest() {
        FaultPoints points =
                new FaultPoints(List.of(new FaultTrigger(1, FaultTrigger.inCall("send", FaultTrigger.EXIT), 1)));
        assertThat(points.onCall("send")).isEqualTo(FaultPoints.NONE);
        assertThat(points.onCall("recv")).isEqualTo(1);
    }

    @Test
    void shouldNameAllRulesThatHaveTheSamePoint() {
        FaultPoints points = new FaultPoints(
                List.of(new FaultTrigger(1, "send", 1), new FaultTrigger(2, FaultTrigger.ANY_OPERATION, 1)));
        assertThat(points.onCall("send")).isEqualTo(1);
        assertThat(points.next()).isEqualTo(2);
        assertThat(points.next()).isEqualTo(FaultPoints.NONE);
    }

    @Test
    void shouldNameTheEventsThatAPlanWaitsFor() {
        assertThat(Moment.Event.REVOKED.point()).isEqualTo(KillPoints.REVOKED);
        assertThat(Moment.Event.AGREED.point()).isEqualTo(KillPoints.AGREED);
    }
}
