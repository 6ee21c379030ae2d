package org.ulfmj.detector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.Timing;

class RingDetectorTest {
    private static final long MS = 1_000_000;
    private static final long PERIOD = 100 * MS;
    private static final long TIMEOUT = 1_000 * MS;
    private static final Timing TIMING = Timing.fromTimeout(TIMEOUT);
    private static final DetectorMessage HEARTBEAT = new DetectorMessage.Heartbeat();
    private static final DetectorMessage OBSERVE = new DetectorMessage.Observe();
    private static final DetectorMessage UNOBSERVE = new DetectorMessage.Unobserve();
    private static final DetectorMessage PROBE = new DetectorMessage.Probe();

    private final FailureSet failures = new FailureSet();
    private final StallGuard guard = new StallGuard();
    private final Outgoing<DetectorMessage> out = new Outgoing<>();

    private RingDetector started(int me, int size) {
        RingDetector ring = ring(me, Membership.initial(size));
        ring.start(0, out);
        return ring;
    }

    private RingDetector ring(int me, Membership membership) {
        return new RingDetector(ProcessId.of(me), membership, failures, TIMING, guard, 0);
    }

    private void fail(RingDetector ring, int slot, long nowNs) {
        failures.markFailed(ProcessId.of(slot), new Evidence(Evidence.Kind.SUSPECTED, ProcessId.of(0), "test"), nowNs);
        ring.onGone(ProcessId.of(slot), nowNs, out);
    }

    /** Ticks exactly when asked, up to and including {@code untilNs}. */
    private void run(RingDetector ring, long untilNs) {
        while (ring.nextDeadlineNs() <= untilNs) {
            ring.onTick(ring.nextDeadlineNs(), out);
        }
    }

    @Test
    void shouldObserveThePredecessorAndBeatForTheSuccessorAtOnceWhenStarted() {
        RingDetector ring = started(0, 5);

        assertThat(ring.emitter()).isEqualTo(ProcessId.of(4));
        assertThat(ring.observers()).containsExactly(ProcessId.of(1));
        assertThat(out.take()).containsExactly("1:Heartbeat");
    }

    @Test
    void shouldBeatOncePerPeriodHoweverOftenItIsTicked() {
        RingDetector ring = started(1, 4);
        out.take();
        for (long now = 0; now < 10 * PERIOD; now += PERIOD / 20) {
            ring.onTick(now, out);
        }
        assertThat(out.take()).hasSize(9).containsOnly("2:Heartbeat");
    }

    @Test
    void shouldStayQuietWhenAlone() {
        RingDetector ring = started(0, 1);
        assertThat(ring.emitter()).isNull();
        assertThat(ring.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(out.take()).isEmpty();
    }

    @Test
    void shouldGiveASlowStartTwoTimeoutsASecondAndTheLogarithmOfTheSize() {
        RingDetector ring = started(3, 8);
        long slack = 2 * TIMEOUT + 1_000 * MS + (long) (Math.log(8) * 1_000 * MS);

        run(ring, slack - MS);
        assertThat(ring.takeSuspects()).isEmpty();
        run(ring, slack + PERIOD);
        assertThat(ring.takeSuspects()).containsExactly(ProcessId.of(2));
    }

    /** n = 5, rank 2 dies; period 100 ms, timeout 1 s, no delay. Rank 3 observes it. */
    @Test
    void shouldSuspectWithinATenthOfAPeriodAfterTheTimeoutAndRepairTheRing() {
        // The slack of the start is long over.
        RingDetector ring =
                new RingDetector(ProcessId.of(3), Membership.initial(5), failures, TIMING, guard, -60_000 * MS);
        ring.start(0, out);
        long t = 50 * MS;
        ring.onMessage(ProcessId.of(2), HEARTBEAT, t, out);

        run(ring, t + 1_000 * MS);
        assertThat(ring.takeSuspects()).isEmpty();
        run(ring, t + 1_010 * MS);
        assertThat(ring.takeSuspects()).containsExactly(ProcessId.of(2));
        assertThat(ring.takeSuspects()).as("handed over once").isEmpty();

        out.take();
        long repaired = t + 1_010 * MS;
        fail(ring, 2, repaired);
        assertThat(out.take()).containsExactly("1:Observe", "0:Probe", "4:Probe");
        assertThat(ring.emitter()).isEqualTo(ProcessId.of(1));

        run(ring, repaired + 1_000 * MS);
        assertThat(ring.takeSuspects()).isEmpty();
        run(ring, repaired + 1_010 * MS);
        assertThat(ring.takeSuspects()).containsExactly(ProcessId.of(0), ProcessId.of(1), ProcessId.of(4));
    }

    /** Ranks 5 to 8 of 16 die together. */
    @Test
    void shouldFindNeighboursThatDiedTogetherWithinTwoTimeouts() {
        RingDetector ring =
                new RingDetector(ProcessId.of(9), Membership.initial(16), failures, TIMING, guard, -60_000 * MS);
        ring.start(0, out);
        ring.onMessage(ProcessId.of(8), HEARTBEAT, 50 * MS, out);
        run(ring, 1_060 * MS);
        assertThat(ring.takeSuspects()).containsExactly(ProcessId.of(8));
        out.take();
        fail(ring, 8, 1_060 * MS);
        assertThat(out.take()).containsExactly("7:Observe", "6:Probe", "5:Probe", "4:Probe", "3:Probe");

        ring.onMessage(ProcessId.of(4), HEARTBEAT, 1_061 * MS, out);
        ring.onMessage(ProcessId.of(3), HEARTBEAT, 1_061 * MS, out);
        run(ring, 2_070 * MS);
        assertThat(ring.takeSuspects()).containsExactly(ProcessId.of(5), ProcessId.of(6), ProcessId.of(7));
    }

    @Test
    void shouldAnswerAProbeWithOneHeartbeatAndKeepItsObservers() {
        RingDetector ring = started(1, 8);
        out.take();
        ring.onMessage(ProcessId.of(5), PROBE, MS, out);
        assertThat(out.take()).containsExactly("5:Heartbeat");
        assertThat(ring.observers()).containsExactly(ProcessId.of(2));
    }

    @Test
    void shouldGiveTheNewEmitterTwoTimeoutsWhenTheFormerOneHasDeparted() {
        RingDetector ring =
                new RingDetector(ProcessId.of(3), Membership.initial(5), failures, TIMING, guard, -60_000 * MS);
        ring.start(0, out);
        ring.onMessage(ProcessId.of(2), HEARTBEAT, 0, out);
        out.take();
        failures.markDeparted(ProcessId.of(2));
        ring.onGone(ProcessId.of(2), 10 * MS, out);
        assertThat(out.take()).containsExactly("1:Observe");
        run(ring, 2_009 * MS);
        assertThat(ring.takeSuspects()).isEmpty();
        run(ring, 2_020 * MS);
        assertThat(ring.takeSuspects()).containsExactly(ProcessId.of(1));
    }

    @Test
    void shouldNotAskAgainWhileAnAnswerIsOpenNorCountAnAnswerAsAStrayHeartbeat() {
        RingDetector ring = started(9, 16);
        fail(ring, 8, 0);
        out.take();
        fail(ring, 7, MS);
        assertThat(out.take()).as("6 to 3 were asked before").containsExactly("6:Observe", "2:Probe");
        for (int asked = 2; asked < 6; asked++) {
            ring.onMessage(ProcessId.of(asked), HEARTBEAT, 2 * MS, out);
        }
        for (int stray = 0; stray < 3; stray++) {
            ring.onMessage(ProcessId.of(5), HEARTBEAT, 3 * MS, out);
        }
        assertThat(out.take()).isEmpty();
    }

    @Test
    void shouldNotBlameTheProbedForOurOwnStall() {
        RingDetector ring =
                new RingDetector(ProcessId.of(9), Membership.initial(16), failures, TIMING, guard, -60_000 * MS);
        ring.start(0, out);
        ring.onMessage(ProcessId.of(8), HEARTBEAT, 0, out);
        fail(ring, 8, 0);
        run(ring, 500 * MS);
        long woken = 20_000 * MS;
        ring.onTick(woken, out);
        ring.onTick(woken + 10 * MS, out);
        assertThat(ring.takeSuspects()).isEmpty();
        run(ring, woken + 620 * MS);
        assertThat(ring.takeSuspects()).hasSize(5);
    }

    /** The same from rank 1, whose observer died. */
    @Test
    void shouldBeatAtOnceForWhoAsksAndDropTheDeadObserver() {
        RingDetector ring = started(1, 5);
        out.take();
        ring.onMessage(ProcessId.of(3), OBSERVE, 7 * MS, out);
        assertThat(out.take()).containsExactly("3:Heartbeat");
        assertThat(ring.observers()).containsExactly(ProcessId.of(2), ProcessId.of(3));

        fail(ring, 2, 8 * MS);
        assertThat(ring.observers()).containsExactly(ProcessId.of(3));
        ring.onTick(PERIOD, out);
        assertThat(out.take()).containsExactly("3:Heartbeat");
    }

    @Test
    void shouldPassOverAllThatFailedOrDepartedAndStopWhenAlone() {
        RingDetector ring = started(0, 4);
        failures.markDeparted(ProcessId.of(2));
        ring.onGone(ProcessId.of(2), 0, out);
        fail(ring, 3, 0);
        assertThat(ring.emitter()).isEqualTo(ProcessId.of(1));
        fail(ring, 1, 0);
        assertThat(ring.emitter()).isNull();
        assertThat(ring.observers()).isEmpty();
        assertThat(ring.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldRepairAtOnceWhenNeighboursWereGoneBeforeTheStart() {
        RingDetector ring = ring(2, Membership.initial(5));
        fail(ring, 1, 0);
        fail(ring, 3, 0);
        assertThat(out.take()).isEmpty();

        ring.start(0, out);
        assertThat(out.take()).containsExactly("0:Observe", "4:Probe");
        assertThat(ring.observers()).as("4 will ask when it has noticed").isEmpty();
    }

    @Test
    void shouldNotCutTheSlackOfTheStartShortByARepair() {
        RingDetector ring = started(2, 5);
        fail(ring, 1, 10 * MS);
        long slack = 2 * TIMEOUT + 1_000 * MS + (long) (Math.log(5) * 1_000 * MS);
        run(ring, slack - MS);
        assertThat(ring.takeSuspects()).isEmpty();
    }

    @Test
    void shouldReleaseALivingFormerEmitterBeforeItAsksTheNewOne() {
        RingDetector ring = started(3, 5);
        fail(ring, 2, 0);
        out.take();

        ring.enter(Membership.of(1, SlotRuns.range(5), Map.of(2, 1)), 50 * MS, out);
        assertThat(out.take()).containsExactly("1:Unobserve", "2'1:Observe");
        assertThat(ring.emitter()).isEqualTo(new ProcessId(2, 1));
    }

    @Test
    void shouldRepeatTheRequestInTimeForAnAnswerAfterAFailure() {
        RingDetector ring = started(3, 5);
        fail(ring, 2, 0);
        out.take();
        run(ring, TIMEOUT / 2 - 1);
        assertThat(out.take()).doesNotContain("1:Observe");
        run(ring, 3 * TIMEOUT);
        assertThat(out.take()).containsOnlyOnce("1:Observe");
    }

    @Test
    void shouldRepeatTheRequestOnceAfterATimeoutOfSilenceWhenAnEpochChangedTheEmitter() {
        RingDetector ring = started(3, 5);
        ring.enter(Membership.of(1, SlotRuns.range(5), Map.of(2, 1)), 0, out);
        out.take();
        run(ring, TIMEOUT - 1);
        assertThat(out.take()).doesNotContain("2'1:Observe");
        run(ring, 3 * TIMEOUT);
        assertThat(out.take()).containsOnlyOnce("2'1:Observe");
    }

    @Test
    void shouldNotRepeatTheRequestOnceTheEmitterBeats() {
        RingDetector ring = started(3, 5);
        fail(ring, 2, 0);
        ring.onMessage(ProcessId.of(1), HEARTBEAT, MS, out);
        out.take();
        run(ring, TIMEOUT);
        assertThat(out.take()).doesNotContain("1:Observe");
    }

    @Test
    void shouldBeatForAnyoneWhoAsksWhateverItsEpochUntilTakenBack() {
        RingDetector ring = started(1, 4);
        ProcessId newcomer = new ProcessId(2, 7);
        ring.onMessage(newcomer, OBSERVE, 0, out);
        ring.enter(Membership.of(1, SlotRuns.range(4), Map.of(3, 1)), 0, out);
        assertThat(ring.observers()).as("an epoch edits nothing").containsExactly(ProcessId.of(2), newcomer);

        ring.onMessage(newcomer, UNOBSERVE, 0, out);
        assertThat(ring.observers()).containsExactly(ProcessId.of(2));
    }

    @Test
    void shouldOnlyBeatForWhoAsksWhileInNoEpoch() {
        RingDetector ring = new RingDetector(new ProcessId(2, 1), Membership.initial(4), failures, TIMING, guard, 0);
        ring.start(0, out);
        assertThat(out.take()).isEmpty();
        assertThat(ring.emitter()).isNull();

        ring.onMessage(ProcessId.of(3), OBSERVE, MS, out);
        assertThat(out.take()).containsExactly("3:Heartbeat");

        ring.enter(Membership.of(1, SlotRuns.range(4), Map.of(2, 1)), 2 * MS, out);
        assertThat(out.take()).containsExactly("1:Observe");
    }

    @Test
    void shouldTellAStrangerOnceMoreAfterThreeStrayHeartbeats() {
        RingDetector ring = started(3, 5);
        out.take();
        for (int beat = 0; beat < 3; beat++) {
            ring.onMessage(ProcessId.of(0), HEARTBEAT, beat, out);
        }
        assertThat(out.take()).isEmpty();
        ring.onMessage(ProcessId.of(0), HEARTBEAT, 4, out);
        assertThat(out.take()).containsExactly("0:Unobserve");
        ring.onMessage(ProcessId.of(0), HEARTBEAT, 5, out);
        assertThat(out.take()).isEmpty();
    }

    @Test
    void shouldIgnoreEverythingFromTheGone() {
        RingDetector ring = started(3, 5);
        fail(ring, 0, 0);
        failures.markDeparted(ProcessId.of(1));
        ring.onGone(ProcessId.of(1), 0, out);
        out.take();
        ring.onMessage(ProcessId.of(0), OBSERVE, MS, out);
        ring.onMessage(ProcessId.of(1), OBSERVE, MS, out);
        assertThat(out.take()).isEmpty();
        assertThat(ring.observers()).containsExactly(ProcessId.of(4));
    }

    @Test
    void shouldNotBlameThePeerForOurOwnStall() {
        RingDetector ring = started(3, 5);
        long t = 50 * MS;
        ring.onMessage(ProcessId.of(2), HEARTBEAT, t, out);
        run(ring, t + 150 * MS);

        // Asked to be called 100 ms later, called 20 s later; nothing was readable.
        long woken = t + 20_000 * MS;
        ring.onTick(woken, out);
        ring.onTick(woken + 10 * MS, out);
        assertThat(ring.takeSuspects()).isEmpty();
        assertThat(guard.longestNs()).isGreaterThan(19_700 * MS);

        // What was left of the timeout when we fell asleep is left now.
        run(ring, woken + 750 * MS);
        assertThat(ring.takeSuspects()).isEmpty();
        run(ring, woken + 920 * MS);
        assertThat(ring.takeSuspects()).containsExactly(ProcessId.of(2));
    }

    @Test
    void shouldNotAddAStallToATimeoutThatBeganAfterIt() {
        RingDetector ring = started(3, 5);
        run(ring, 4_000 * MS);
        // Stalled for 20 s; the heartbeat that waited for us is dispatched before the tick.
        long woken = 25_000 * MS;
        ring.onMessage(ProcessId.of(2), HEARTBEAT, woken, out);
        ring.onTick(woken, out);
        run(ring, woken + 1_010 * MS);
        assertThat(ring.takeSuspects()).containsExactly(ProcessId.of(2));
    }

    @Test
    void shouldNeedOneEmptyPollAfterTheDeadline() {
        RingDetector ring = started(3, 5);
        long t = 50 * MS;
        ring.onMessage(ProcessId.of(2), HEARTBEAT, t, out);
        run(ring, t + 1_000 * MS);
        ring.onMessage(ProcessId.of(2), HEARTBEAT, t + 1_005 * MS, out);
        run(ring, t + 2_000 * MS);
        assertThat(ring.takeSuspects()).isEmpty();
    }

    @Test
    void shouldNotCountAPollThatCameLateItself() {
        RingDetector ring = started(3, 5);
        long t = 50 * MS;
        ring.onMessage(ProcessId.of(2), HEARTBEAT, t, out);
        run(ring, t + 1_000 * MS);
        ring.onTick(t + 9_000 * MS, out);
        assertThat(ring.takeSuspects()).isEmpty();
        run(ring, t + 9_010 * MS);
        assertThat(ring.takeSuspects()).containsExactly(ProcessId.of(2));
    }

    @Test
    void shouldListenAgainWhenASuspectThatNobodyDeclaredBeats() {
        RingDetector ring = started(3, 5);
        run(ring, 10_000 * MS);
        assertThat(ring.takeSuspects()).containsExactly(ProcessId.of(2));
        ring.onMessage(ProcessId.of(2), HEARTBEAT, 11_000 * MS, out);
        run(ring, 12_010 * MS);
        assertThat(ring.takeSuspects()).containsExactly(ProcessId.of(2));
    }

    @Test
    void shouldRefuseObituaries() {
        RingDetector ring = started(3, 5);
        Evidence evidence = new Evidence(Evidence.Kind.CERTAIN, ProcessId.of(0), "test");
        assertThatThrownBy(() -> ring.onMessage(
                        ProcessId.of(0), new DetectorMessage.Obituary(ProcessId.of(1), evidence), 0, out))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("obituaries belong to the survivor core");
    }
}
