package org.ulfmj.detector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.detector.RingSurroundings.HEARTBEAT;
import static org.ulfmj.detector.RingSurroundings.MS;
import static org.ulfmj.detector.RingSurroundings.OBSERVE;
import static org.ulfmj.detector.RingSurroundings.PERIOD;
import static org.ulfmj.detector.RingSurroundings.PROBE;
import static org.ulfmj.detector.RingSurroundings.TIMEOUT;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;

/**
 * Tests how the ring closes after failures: which rank is observed next, which ranks are asked, and how long the asker
 * waits.
 */
class RingRepairTest {
    private final RingSurroundings its = new RingSurroundings();

    /** Of 5 ranks rank 2 dies, which rank 3 observes; period 100 ms, timeout 1 s, messages without delay. */
    @Test
    void shouldSuspectWithinATenthOfAPeriodAfterTheTimeoutAndRepairTheRing() {
        RingDetector ring = its.startedLongAgo(3, 5);
        long t = 50 * MS;
        ring.onMessage(ProcessId.of(2), HEARTBEAT, t, its.out);

        its.run(ring, t + 1_000 * MS);
        assertThat(ring.takeSuspects()).isEmpty();
        its.run(ring, t + 1_010 * MS);
        assertThat(ring.takeSuspects()).containsExactly(ProcessId.of(2));
        assertThat(ring.takeSuspects()).as("handed over once").isEmpty();

        its.out.take();
        long repaired = t + 1_010 * MS;
        its.fail(ring, 2, repaired);
        assertThat(its.out.take()).containsExactly("1:Observe", "0:Probe", "4:Probe");
        assertThat(ring.emitter()).isEqualTo(ProcessId.of(1));

        its.run(ring, repaired + 1_000 * MS);
        assertThat(ring.takeSuspects()).isEmpty();
        its.run(ring, repaired + 1_010 * MS);
        assertThat(ring.takeSuspects()).containsExactly(ProcessId.of(0), ProcessId.of(1), ProcessId.of(4));
    }

    /** Rank 1 of 5 beats at once for a rank that asks, and drops its observer, rank 2, when that one dies. */
    @Test
    void shouldBeatAtOnceForWhoAsksAndDropTheDeadObserver() {
        RingDetector ring = its.started(1, 5);
        its.out.take();
        ring.onMessage(ProcessId.of(3), OBSERVE, 7 * MS, its.out);
        assertThat(its.out.take()).containsExactly("3:Heartbeat");
        assertThat(ring.observers()).containsExactly(ProcessId.of(2), ProcessId.of(3));

        its.fail(ring, 2, 8 * MS);
        assertThat(ring.observers()).containsExactly(ProcessId.of(3));
        ring.onTick(PERIOD, its.out);
        assertThat(its.out.take()).containsExactly("3:Heartbeat");
    }

    /** Ranks 5 to 8 of 16 die together, and rank 9 finds all of them about two timeouts after the last heartbeat. */
    @Test
    void shouldFindNeighboursThatDiedTogetherWithinTwoTimeouts() {
        RingDetector ring = its.startedLongAgo(9, 16);
        ring.onMessage(ProcessId.of(8), HEARTBEAT, 50 * MS, its.out);
        its.run(ring, 1_060 * MS);
        assertThat(ring.takeSuspects()).containsExactly(ProcessId.of(8));
        its.out.take();
        its.fail(ring, 8, 1_060 * MS);
        assertThat(its.out.take()).containsExactly("7:Observe", "6:Probe", "5:Probe", "4:Probe", "3:Probe");

        ring.onMessage(ProcessId.of(4), HEARTBEAT, 1_061 * MS, its.out);
        ring.onMessage(ProcessId.of(3), HEARTBEAT, 1_061 * MS, its.out);
        its.run(ring, 2_070 * MS);
        assertThat(ring.takeSuspects()).containsExactly(ProcessId.of(5), ProcessId.of(6), ProcessId.of(7));
    }

    @Test
    void shouldAnswerAProbeWithOneHeartbeatAndKeepItsObservers() {
        RingDetector ring = its.started(1, 8);
        its.out.take();
        ring.onMessage(ProcessId.of(5), PROBE, MS, its.out);
        assertThat(its.out.take()).containsExactly("5:Heartbeat");
        assertThat(ring.observers()).containsExactly(ProcessId.of(2));
    }

    @Test
    void shouldNotAskAgainWhileAnAnswerIsOpenNorCountAnAnswerAsAStrayHeartbeat() {
        RingDetector ring = its.started(9, 16);
        its.fail(ring, 8, 0);
        its.out.take();
        its.fail(ring, 7, MS);
        assertThat(its.out.take()).as("6 to 3 were asked before").containsExactly("6:Observe", "2:Probe");
        for (int asked = 2; asked < 6; asked++) {
            ring.onMessage(ProcessId.of(asked), HEARTBEAT, 2 * MS, its.out);
        }
        for (int stray = 0; stray < 3; stray++) {
            ring.onMessage(ProcessId.of(5), HEARTBEAT, 3 * MS, its.out);
        }
        assertThat(its.out.take()).isEmpty();
    }

    @Test
    void shouldGiveTheNewEmitterTwoTimeoutsWhenTheFormerOneHasDeparted() {
        RingDetector ring = its.startedLongAgo(3, 5);
        ring.onMessage(ProcessId.of(2), HEARTBEAT, 0, its.out);
        its.out.take();
        its.failures.markDeparted(ProcessId.of(2));
        ring.onGone(ProcessId.of(2), 10 * MS, its.out);
        assertThat(its.out.take()).containsExactly("1:Observe");
        its.run(ring, 2_009 * MS);
        assertThat(ring.takeSuspects()).isEmpty();
        its.run(ring, 2_020 * MS);
        assertThat(ring.takeSuspects()).containsExactly(ProcessId.of(1));
    }

    @Test
    void shouldPassOverAllThatFailedOrDepartedAndStopWhenAlone() {
        RingDetector ring = its.started(0, 4);
        its.failures.markDeparted(ProcessId.of(2));
        ring.onGone(ProcessId.of(2), 0, its.out);
        its.fail(ring, 3, 0);
        assertThat(ring.emitter()).isEqualTo(ProcessId.of(1));
        its.fail(ring, 1, 0);
        assertThat(ring.emitter()).isNull();
        assertThat(ring.observers()).isEmpty();
        assertThat(ring.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldRepairAtOnceWhenNeighboursWereGoneBeforeTheStart() {
        RingDetector ring = its.ring(2, Membership.initial(5));
        its.fail(ring, 1, 0);
        its.fail(ring, 3, 0);
        assertThat(its.out.take()).isEmpty();

        ring.start(0, its.out);
        assertThat(its.out.take()).containsExactly("0:Observe", "4:Probe");
        assertThat(ring.observers()).as("4 will ask when it has noticed").isEmpty();
    }

    @Test
    void shouldNotCutTheSlackOfTheStartShortByARepair() {
        RingDetector ring = its.started(2, 5);
        its.fail(ring, 1, 10 * MS);
        long slack = 2 * TIMEOUT + 1_000 * MS + (long) (Math.log(5) * 1_000 * MS);
        its.run(ring, slack - MS);
        assertThat(ring.takeSuspects()).isEmpty();
    }

    @Test
    void shouldReleaseALivingFormerEmitterBeforeItAsksTheNewOne() {
        RingDetector ring = its.started(3, 5);
        its.fail(ring, 2, 0);
        its.out.take();

        ring.enter(Membership.of(1, SlotRuns.range(5), Map.of(2, 1)), 50 * MS, its.out);
        assertThat(its.out.take()).containsExactly("1:Unobserve", "2'1:Observe");
        assertThat(ring.emitter()).isEqualTo(new ProcessId(2, 1));
    }

    @Test
    void shouldRepeatTheRequestInTimeForAnAnswerAfterAFailure() {
        RingDetector ring = its.started(3, 5);
        its.fail(ring, 2, 0);
        its.out.take();
        its.run(ring, TIMEOUT / 2 - 1);
        assertThat(its.out.take()).doesNotContain("1:Observe");
        its.run(ring, 3 * TIMEOUT);
        assertThat(its.out.take()).containsOnlyOnce("1:Observe");
    }

    @Test
    void shouldRepeatTheRequestOnceAfterATimeoutOfSilenceWhenAnEpochChangedTheEmitter() {
        RingDetector ring = its.started(3, 5);
        ring.enter(Membership.of(1, SlotRuns.range(5), Map.of(2, 1)), 0, its.out);
        its.out.take();
        its.run(ring, TIMEOUT - 1);
        assertThat(its.out.take()).doesNotContain("2'1:Observe");
        its.run(ring, 3 * TIMEOUT);
        assertThat(its.out.take()).containsOnlyOnce("2'1:Observe");
    }

    @Test
    void shouldNotRepeatTheRequestOnceTheEmitterBeats() {
        RingDetector ring = its.started(3, 5);
        its.fail(ring, 2, 0);
        ring.onMessage(ProcessId.of(1), HEARTBEAT, MS, its.out);
        its.out.take();
        its.run(ring, TIMEOUT);
        assertThat(its.out.take()).doesNotContain("1:Observe");
    }
}
