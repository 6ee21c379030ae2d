package org.ulfmj.detector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.detector.RingSurroundings.HEARTBEAT;
import static org.ulfmj.detector.RingSurroundings.MS;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;

/**
 * Tests a suspicion of the ring: it lasts until the process is heard, released or gone, and the ring does not close
 * before.
 */
class RingSilenceTest {
    private static final ProcessId EMITTER = ProcessId.of(2);

    private final RingSurroundings its = new RingSurroundings();

    /** Rank 3 of 5 has heard rank 2 last at 50 ms; timeout 1 s, period 100 ms. */
    private RingDetector whoseEmitterIsSilent() {
        RingDetector ring = its.startedLongAgo(3, 5);
        ring.onMessage(EMITTER, HEARTBEAT, 50 * MS, its.out);
        its.run(ring, 1_060 * MS);
        assertThat(ring.takeSuspects()).containsExactly(EMITTER);
        assertThat(ring.isSilent(EMITTER)).isTrue();
        its.out.take();
        return ring;
    }

    @Test
    void shouldKeepObservingASilentEmitterAndAskItOncePerTimeout() {
        RingDetector ring = whoseEmitterIsSilent();

        its.run(ring, 1_559 * MS);
        assertThat(its.out.take()).doesNotContain("2:Observe");
        its.run(ring, 1_560 * MS);
        assertThat(its.out.take()).contains("2:Observe");
        its.run(ring, 2_560 * MS);
        assertThat(its.out.take()).contains("2:Observe").doesNotContain("1:Observe");
        assertThat(ring.takeSuspects()).as("told once").isEmpty();
        assertThat(ring.emitter()).isEqualTo(EMITTER);
    }

    @Test
    void shouldEndASilenceByAHeartbeatAndCountAnewFromIt() {
        RingDetector ring = whoseEmitterIsSilent();
        its.run(ring, 1_800 * MS);
        its.out.take();
        ring.onMessage(EMITTER, HEARTBEAT, 1_800 * MS, its.out);

        assertThat(ring.takeHeard()).containsExactly(EMITTER);
        assertThat(ring.takeHeard()).as("handed over once").isEmpty();
        assertThat(ring.isSilent(EMITTER)).isFalse();
        its.run(ring, 2_800 * MS);
        assertThat(ring.takeSuspects()).isEmpty();
        assertThat(its.out.take()).as("it is not asked any more").doesNotContain("2:Observe");
        its.run(ring, 2_810 * MS);
        assertThat(ring.takeSuspects()).containsExactly(EMITTER);
    }

    @Test
    void shouldSayNothingOfASilenceThatEndsBeforeItWasHandedOver() {
        RingDetector ring = its.startedLongAgo(3, 5);
        ring.onMessage(EMITTER, HEARTBEAT, 50 * MS, its.out);
        its.run(ring, 1_060 * MS);
        ring.onMessage(EMITTER, HEARTBEAT, 1_060 * MS, its.out);

        assertThat(ring.takeSuspects()).isEmpty();
        assertThat(ring.takeHeard()).isEmpty();
    }

    @Test
    void shouldCloseTheRingOnlyOnTheVerdict() {
        RingDetector ring = whoseEmitterIsSilent();
        its.run(ring, 5_000 * MS);
        its.out.take();

        its.fail(ring, 2, 5_000 * MS);

        assertThat(its.out.take()).containsExactly("1:Observe", "0:Probe", "4:Probe");
        assertThat(ring.takeHeard()).as("the gone are not heard").isEmpty();
        assertThat(ring.isSilent(EMITTER)).isFalse();
    }

    /** Two processes that were probed after an emitter's end do not answer; they are asked again, and one answers. */
    @Test
    void shouldAskTheProbedAgainAndTakeALateAnswer() {
        RingDetector ring = whoseEmitterIsSilent();
        its.fail(ring, 2, 1_060 * MS);
        ring.onMessage(ProcessId.of(1), HEARTBEAT, 1_070 * MS, its.out);
        its.run(ring, 2_000 * MS);
        ring.onMessage(ProcessId.of(1), HEARTBEAT, 2_000 * MS, its.out);
        its.run(ring, 2_070 * MS);
        assertThat(ring.takeSuspects()).containsExactly(ProcessId.of(0), ProcessId.of(4));
        its.out.take();

        its.run(ring, 2_570 * MS);
        assertThat(its.out.take()).contains("0:Probe", "4:Probe");
        ring.onMessage(ProcessId.of(4), HEARTBEAT, 2_580 * MS, its.out);

        assertThat(ring.takeHeard()).containsExactly(ProcessId.of(4));
        assertThat(ring.isSilent(ProcessId.of(0))).isTrue();
    }

    /**
     * A newcomer takes the slot between this process and its former emitter: this process releases the former emitter,
     * whose silence then ends.
     */
    @Test
    void shouldEndTheSilenceOfAnEmitterThatItReleases() {
        its.failures.markFailed(ProcessId.of(2), new Evidence(Evidence.Kind.CERTAIN, ProcessId.of(0), "test"), 0);
        RingDetector ring = its.startedLongAgo(3, 5);
        ProcessId emitter = ProcessId.of(1);
        assertThat(ring.emitter()).isEqualTo(emitter);
        ring.onMessage(emitter, HEARTBEAT, 50 * MS, its.out);
        its.run(ring, 1_060 * MS);
        assertThat(ring.takeSuspects()).contains(emitter);

        ProcessId newcomer = new ProcessId(2, 1);
        ring.enter(Membership.of(1, SlotRuns.range(5), Map.of(2, 1)), 1_100 * MS, its.out);

        assertThat(ring.emitter()).isEqualTo(newcomer);
        assertThat(ring.takeHeard()).containsExactly(emitter);
    }

    /** J2: a heartbeat goes to a complainer that is no observer, but to none that is gone, nor to this process. */
    @Test
    void shouldBeatThoseThatComplain() {
        RingDetector ring = its.startedLongAgo(3, 5);
        its.fail(ring, 0, 10 * MS);
        its.out.take();

        ring.beat(List.of(ProcessId.of(0), ProcessId.of(1), ProcessId.of(3)), its.out);

        assertThat(its.out.take()).containsExactly("1:Heartbeat");
    }
}
