package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FaultPointsTest {
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
}
