package org.ulfmj.detector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ulfmj.detector.RingSurroundings.HEARTBEAT;
import static org.ulfmj.detector.RingSurroundings.MS;
import static org.ulfmj.detector.RingSurroundings.OBSERVE;
import static org.ulfmj.detector.RingSurroundings.PERIOD;
import static org.ulfmj.detector.RingSurroundings.TIMEOUT;
import static org.ulfmj.detector.RingSurroundings.TIMING;
import static org.ulfmj.detector.RingSurroundings.UNOBSERVE;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;

/** Tests which processes a rank beats for, and when it suspects the process that it observes. */
class RingDetectorTest {
    private final RingSurroundings its = new RingSurroundings();

    @Test
    void shouldObserveThePredecessorAndBeatForTheSuccessorAtOnceWhenStarted() {
        RingDetector ring = its.started(0, 5);

        assertThat(ring.emitter()).isEqualTo(ProcessId.of(4));
        assertThat(ring.observers()).containsExactly(ProcessId.of(1));
        assertThat(its.out.take()).containsExactly("1:Heartbeat");
    }

    @Test
    void shouldAskThePredecessorWhenStartedInALaterEpoch() {
        // The emitter may be a former newcomer, which sends heartbeats only to processes that ask.
        RingDetector ring = its.ring(0, Membership.of(1, SlotRuns.range(5), Map.of(4, 1)));
        ring.start(0, its.out);

        assertThat(ring.emitter()).isEqualTo(new ProcessId(4, 1));
        assertThat(ring.observers()).isEmpty();
        assertThat(its.out.take()).containsExactly("4'1:Observe");
        its.run(ring, 2 * TIMEOUT + 1_000 * MS);
        assertThat(ring.takeSuspects())
                .as("the slack of a slow start holds there, too")
                .isEmpty();
    }

    @Test
    void shouldBeatOncePerPeriodHoweverOftenItIsTicked() {
        RingDetector ring = its.started(1, 4);
        its.out.take();
        for (long now = 0; now < 10 * PERIOD; now += PERIOD / 20) {
            ring.onTick(now, its.out);
        }
        assertThat(its.out.take()).hasSize(9).containsOnly("2:Heartbeat");
    }

    @Test
    void shouldStayQuietWhenAlone() {
        RingDetector ring = its.started(0, 1);
        assertThat(ring.emitter()).isNull();
        assertThat(ring.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(its.out.take()).isEmpty();
    }

    @Test
    void shouldGiveASlowStartTwoTimeoutsASecondAndTheLogarithmOfTheSize() {
        RingDetector ring = its.started(3, 8);
        long slack = 2 * TIMEOUT + 1_000 * MS + (long) (Math.log(8) * 1_000 * MS);

        its.run(ring, slack - MS);
        assertThat(ring.takeSuspects()).isEmpty();
        its.run(ring, slack + PERIOD);
        assertThat(ring.takeSuspects()).containsExactly(ProcessId.of(2));
    }

    @Test
    void shouldNeedOneEmptyPollAfterTheDeadline() {
        RingDetector ring = its.started(3, 5);
        long t = 50 * MS;
        ring.onMessage(ProcessId.of(2), HEARTBEAT, t, its.out);
        its.run(ring, t + 1_000 * MS);
        ring.onMessage(ProcessId.of(2), HEARTBEAT, t + 1_005 * MS, its.out);
        its.run(ring, t + 2_000 * MS);
        assertThat(ring.takeSuspects()).isEmpty();
    }

    @Test
    void shouldListenAgainWhenASuspectThatWasNotDeclaredBeats() {
        RingDetector ring = its.started(3, 5);
        its.run(ring, 10_000 * MS);
        assertThat(ring.takeSuspects()).containsExactly(ProcessId.of(2));
        ring.onMessage(ProcessId.of(2), HEARTBEAT, 11_000 * MS, its.out);
        its.run(ring, 12_010 * MS);
        assertThat(ring.takeSuspects()).containsExactly(ProcessId.of(2));
    }

    @Test
    void shouldBeatForAnyoneWhoAsksWhateverItsEpochUntilTakenBack() {
        RingDetector ring = its.started(1, 4);
        ProcessId newcomer = new ProcessId(2, 7);
        ring.onMessage(newcomer, OBSERVE, 0, its.out);
        ring.enter(Membership.of(1, SlotRuns.range(4), Map.of(3, 1)), 0, its.out);
        assertThat(ring.observers()).as("an epoch edits nothing").containsExactly(ProcessId.of(2), newcomer);

        ring.onMessage(newcomer, UNOBSERVE, 0, its.out);
        assertThat(ring.observers()).containsExactly(ProcessId.of(2));
    }

    @Test
    void shouldOnlyBeatForWhoAsksWhileInNoEpoch() {
        RingDetector ring =
                new RingDetector(new ProcessId(2, 1), Membership.initial(4), its.failures, TIMING, its.guard, 0);
        ring.start(0, its.out);
        assertThat(its.out.take()).isEmpty();
        assertThat(ring.emitter()).isNull();

        ring.onMessage(ProcessId.of(3), OBSERVE, MS, its.out);
        assertThat(its.out.take()).containsExactly("3:Heartbeat");

        ring.enter(Membership.of(1, SlotRuns.range(4), Map.of(2, 1)), 2 * MS, its.out);
        assertThat(its.out.take()).containsExactly("1:Observe");
    }

    @Test
    void shouldTellAStrangerOnceMoreAfterThreeStrayHeartbeats() {
        RingDetector ring = its.started(3, 5);
        its.out.take();
        for (int beat = 0; beat < 3; beat++) {
            ring.onMessage(ProcessId.of(0), HEARTBEAT, beat, its.out);
        }
        assertThat(its.out.take()).isEmpty();
        ring.onMessage(ProcessId.of(0), HEARTBEAT, 4, its.out);
        assertThat(its.out.take()).containsExactly("0:Unobserve");
        ring.onMessage(ProcessId.of(0), HEARTBEAT, 5, its.out);
        assertThat(its.out.take()).isEmpty();
    }

    @Test
    void shouldIgnoreEverythingFromTheGone() {
        RingDetector ring = its.started(3, 5);
        its.fail(ring, 0, 0);
        its.failures.markDeparted(ProcessId.of(1));
        ring.onGone(ProcessId.of(1), 0, its.out);
        its.out.take();
        ring.onMessage(ProcessId.of(0), OBSERVE, MS, its.out);
        ring.onMessage(ProcessId.of(1), OBSERVE, MS, its.out);
        assertThat(its.out.take()).isEmpty();
        assertThat(ring.observers()).containsExactly(ProcessId.of(4));
    }

    @Test
    void shouldRefuseObituaries() {
        RingDetector ring = its.started(3, 5);
        Evidence evidence = new Evidence(Evidence.Kind.CERTAIN, ProcessId.of(0), "test");
        assertThatThrownBy(() -> ring.onMessage(
                        ProcessId.of(0), new DetectorMessage.Obituary(ProcessId.of(1), evidence), 0, its.out))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("obituaries belong to the survivor core");
    }
}
