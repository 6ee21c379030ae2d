package org.ulfmj.agree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

class SurvivorCoreTest {
    private static final Outbox<ProcessId, ControlMessage> NOWHERE = (to, message) -> {};
    private static final long OTHER = 0xd0;

    @Test
    void shouldReadOutWhatHadArrivedBeforeItMarksAProcessThatIsProvenDead() {
        Crowd crowd = new Crowd(3);
        crowd.agreeAt(0, 2);
        crowd.crash(2);
        crowd.tellDeathBeforeDraining(0, 2);

        assertThat(crowd.member(0).toDrain).containsExactly(ProcessId.of(2));
        assertThat(crowd.member(0).failed).isEmpty();
        crowd.deliver(2, 0);
        crowd.drained(0, 2);
        assertThat(crowd.member(0).failed).containsExactly(ProcessId.of(2));
        crowd.agree(1, -1);
        crowd.settle();
        assertThat(crowd.commonDecision(1).kinds()).containsKey(Kind.AGREE);
    }

    @Test
    void shouldMarkASuspectAtOnceAndTellItAndAllOthers() {
        Crowd crowd = new Crowd(4);
        crowd.suspect(1, 2);

        assertThat(crowd.member(1).failed).containsExactly(ProcessId.of(2));
        assertThat(crowd.member(1).toDrain).isEmpty();
        crowd.settle();
        assertThat(crowd.member(2).fencedBecause)
                .isEqualTo("process 1 told that process 1 holds this process for failed: no heartbeat");
        for (int slot : new int[] {0, 3}) {
            assertThat(crowd.member(slot).failed).containsExactly(ProcessId.of(2));
        }
    }

    @Test
    void shouldPassAnObituaryOnBeforeItHasReadOutTheDead() {
        Crowd crowd = new Crowd(4);
        crowd.crash(3);
        crowd.tellDeath(0, 3);
        crowd.deliver(0, 1);

        assertThat(crowd.member(1).failed).isEmpty();
        assertThat(crowd.member(1).toDrain).containsExactly(ProcessId.of(3));
        assertThat(crowd.channel(1, 2)).hasSize(1);
    }

    @Test
    void shouldDiscardEverythingFromAProcessItHoldsForFailedButAnObituaryOfItself() {
        Crowd crowd = new Crowd(3);
        crowd.suspect(0, 1);
        crowd.sent = 0;
        crowd.agree(1, -1);
        crowd.suspect(1, 2);
        crowd.channel(1, 0)
                .removeIf(message -> message instanceof ControlMessage.Detector detector
                        && detector.message() instanceof DetectorMessage.Obituary obituary
                        && obituary.failed().equals(ProcessId.of(0)));
        crowd.sent = 0;
        crowd.deliverAll(1, 0);

        assertThat(crowd.sent).isZero();
        assertThat(crowd.member(0).failed).containsExactly(ProcessId.of(1));
        Evidence suspicion = new Evidence(Evidence.Kind.SUSPECTED, ProcessId.of(1), "no heartbeat");
        crowd.channel(1, 0).add(new ControlMessage.Detector(new DetectorMessage.Obituary(ProcessId.of(0), suspicion)));
        crowd.deliver(1, 0);
        assertThat(crowd.member(0).fencedBecause).isNotNull();
    }

    @Test
    void shouldFenceBothWhenTwoSuspectEachOther() {
        Crowd crowd = new Crowd(4);
        crowd.suspect(0, 1);
        crowd.suspect(1, 0);
        crowd.settle();

        assertThat(crowd.member(0).fencedBecause).isNotNull();
        assertThat(crowd.member(1).fencedBecause).isNotNull();
        assertThat(crowd.member(2).isLive()).isTrue();
        assertThat(crowd.member(3).isLive()).isTrue();
    }

    @Test
    void shouldDoNothingAnyMoreOnceFenced() {
        Crowd crowd = new Crowd(3);
        crowd.suspect(1, 0);
        crowd.deliverAll(1, 0);
        SurvivorCore fenced = crowd.member(0).core;
        Outbox<ProcessId, ControlMessage> out = (to, message) -> {
            throw new AssertionError("sends " + message);
        };

        fenced.onMessage(ProcessId.of(2), new ControlMessage.ResultRequest(Crowd.COMM, 1), 0, out);
        fenced.onEvidence(ProcessId.of(2), new Evidence(Evidence.Kind.SUSPECTED, ProcessId.of(0), "silent"), 0, out);
        fenced.onTick(Long.MAX_VALUE / 2, out);
        fenced.revoke(Crowd.COMM, 0, out);

        assertThat(fenced.isFenced()).isTrue();
        assertThat(fenced.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(crowd.member(0).failed).isEmpty();
        assertThatThrownBy(() ->
                        crowd.member(0).core.enter(Crowd.COMM, new Contribution(Kind.AGREE, -1, SlotSet.ALL), 0, out))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("agree called by a process that is fenced");
    }

    /**
     * Returns a state in which process 0 drains the dead process 2, after process 1 has told of that death, and has
     * received an agreement value of process 1 that lists 2 as failed.
     */
    private static Crowd verdictBeforeTheDrainIsOver() {
        Crowd crowd = new Crowd(3);
        crowd.crash(2);
        crowd.tellDeath(1, 2);
        crowd.deliverAll(1, 0);
        crowd.agreeAt(0, 1);
        crowd.deliver(1, 0);
        return crowd;
    }

    /** An early mark would lose what had arrived of process 2 and was not read yet. */
    @Test
    void shouldMarkADeadProcessAfterItIsDrainedAlsoIfAnAgreementListsItBefore() {
        Crowd crowd = verdictBeforeTheDrainIsOver();

        assertThat(crowd.member(0).failed).isEmpty();
        assertThat(crowd.member(0).decisions).isEmpty();
        assertThat(crowd.member(0).core.toString()).contains("1 messages wait for drains");

        crowd.drained(0, 2);
        assertThat(crowd.member(0).failed).containsExactly(ProcessId.of(2));
        assertThat(crowd.member(0).core.failures().evidence(ProcessId.of(2)))
                .isEqualTo(new Evidence(Evidence.Kind.CERTAIN, ProcessId.of(1), "process ended by signal 9"));
        assertThat(crowd.member(0).decisions.get(1L).failed()).isEqualTo(SlotSet.of(2));
    }

    @Test
    void shouldKeepTheOrderOfASenderWhoseMessageWaitsForADrain() {
        Crowd crowd = verdictBeforeTheDrainIsOver();
        crowd.member(1).core.revoke(Crowd.COMM, 0, crowd.member(1)::send);
        crowd.deliverAll(1, 0);

        assertThat(crowd.member(0).revoked).isEmpty();
        crowd.drained(0, 2);
        assertThat(crowd.member(0).decisions).containsKey(1L);
        assertThat(crowd.member(0).revoked).containsExactly(Crowd.COMM);
    }

    @Test
    void shouldDropWhatWaitsForADrainOfASenderThatFailsMeanwhile() {
        Crowd crowd = verdictBeforeTheDrainIsOver();
        crowd.suspect(0, 1);
        crowd.drained(0, 2);

        assertThat(crowd.member(0).decisions.get(1L).failed()).isEqualTo(SlotSet.of(1, 2));
    }

    @Test
    void shouldNotMarkOnASuspicionWhatItDrains() {
        Crowd crowd = new Crowd(3);
        crowd.crash(2);
        crowd.tellDeathBeforeDraining(0, 2);
        crowd.suspect(1, 2);
        crowd.deliverAll(1, 0);

        assertThat(crowd.member(0).failed).isEmpty();
        crowd.drained(0, 2);
        assertThat(crowd.member(0).core.failures().evidence(ProcessId.of(2)).kind())
                .isEqualTo(Evidence.Kind.CERTAIN);
    }

    @Test
    void shouldHandleWhatWaitsForADrainBeforeTheGoodbyeOfItsSender() {
        Crowd earlier = verdictBeforeTheDrainIsOver();
        earlier.drained(0, 2);
        Decision decision = earlier.member(0).decisions.get(1L);

        Crowd crowd = new Crowd(3);
        crowd.crash(2);
        crowd.tellDeathBeforeDraining(1, 2);
        crowd.agreeAt(0, 1);
        crowd.channel(0, 1).add(new ControlMessage.Down(Crowd.COMM, 1, decision));
        crowd.deliverAll(0, 1);
        assertThat(crowd.member(1).decisions).isEmpty();

        crowd.channel(0, 1).add(new ControlMessage.Goodbye(Crowd.COMM, 2, decision));
        crowd.deliverAll(0, 1);
        assertThat(crowd.member(1).decisions).containsEntry(1L, decision);
        assertThat(crowd.member(1).departed).containsExactly(ProcessId.of(0));
    }

    @Test
    void shouldTellOfASilenceAndMarkNoProcessForIt() {
        Crowd crowd = new Crowd(3);
        Crowd.Member member = crowd.member(1);
        long nowNs = fallSilent(member);

        assertThat(member.silent).containsExactly(ProcessId.of(0));
        assertThat(member.core.isSilent(ProcessId.of(0))).isTrue();
        for (long untilNs = nowNs + 10_000_000_000L; nowNs < untilNs; nowNs = member.core.nextDeadlineNs()) {
            member.core.onTick(nowNs, NOWHERE);
        }
        assertThat(member.silent).as("told once").containsExactly(ProcessId.of(0));
        assertThat(member.failed).isEmpty();
        assertThat(member.core.ring().emitter()).as("still observed").isEqualTo(ProcessId.of(0));
    }

    @Test
    void shouldWithdrawASilenceWhenTheProcessIsHeard() {
        Crowd crowd = new Crowd(3);
        Crowd.Member member = crowd.member(1);
        long nowNs = fallSilent(member);

        member.core.onMessage(
                ProcessId.of(0), new ControlMessage.Detector(new DetectorMessage.Heartbeat()), nowNs, NOWHERE);

        assertThat(member.silent).isEmpty();
        assertThat(member.core.isSilent(ProcessId.of(0))).isFalse();
    }

    @Test
    void shouldCloseTheRingOnTheVerdict() {
        Crowd crowd = new Crowd(3);
        Crowd.Member member = crowd.member(1);
        long nowNs = fallSilent(member);

        Evidence verdict = new Evidence(Evidence.Kind.SUSPECTED, ProcessId.of(1), "judged");
        member.core.onEvidence(ProcessId.of(0), verdict, nowNs, NOWHERE);

        assertThat(member.failed).containsExactly(ProcessId.of(0));
        assertThat(member.core.isSilent(ProcessId.of(0))).isFalse();
        assertThat(member.core.ring().emitter()).isEqualTo(ProcessId.of(2));
    }

    @Test
    void shouldBeatThoseThatComplainWhetherTheyObserveItOrNot() {
        Crowd crowd = new Crowd(6);
        List<ProcessId> beaten = new ArrayList<>();
        crowd.suspect(3, 5);

        crowd.member(3).core.beat(List.of(ProcessId.of(0), ProcessId.of(5), ProcessId.of(1)), 0, (to, message) -> {
            assertThat(message).isEqualTo(new ControlMessage.Detector(new DetectorMessage.Heartbeat()));
            beaten.add(to);
        });

        assertThat(beaten).containsExactly(ProcessId.of(0), ProcessId.of(1));
    }

    /** Lets the member hear nothing of its emitter until it reports the silence. Returns the time of that report. */
    private static long fallSilent(Crowd.Member member) {
        member.core.start(0, NOWHERE);
        long nowNs = 0;
        while (member.silent.isEmpty()) {
            nowNs = member.core.nextDeadlineNs();
            member.core.onTick(nowNs, NOWHERE);
        }
        return nowNs;
    }

    @Test
    void shouldRevokeEverywhereFromOneCallAndTellEachMemberOnce() {
        Crowd crowd = new Crowd(6);
        SurvivorCore core = crowd.member(4).core;
        core.revoke(Crowd.COMM, 0, (to, message) -> crowd.channel(4, to.slot()).add(message));
        core.revoke(Crowd.COMM, 0, (to, message) -> {
            throw new AssertionError("revoked twice");
        });
        crowd.settle();

        for (Crowd.Member member : crowd.members) {
            assertThat(member.core.isRevoked(Crowd.COMM)).isTrue();
            assertThat(member.revoked).containsExactly(Crowd.COMM);
        }
    }

    /**
     * A rank passes a revocation on even if it gave up the communicator or has not made it yet. Otherwise a neighbour
     * that has the communicator could be cut off.
     */
    @Test
    void shouldPassARevocationOnWhetherItKnowsTheCommunicatorOrNot() {
        Crowd crowd = new Crowd(6);
        crowd.register(0, OTHER);
        crowd.register(3, OTHER);
        for (int slot : new int[] {1, 2}) {
            crowd.member(slot).core.aborted(OTHER, SlotRuns.range(6), 0, (to, message) -> {});
        }
        crowd.member(0).core.revoke(OTHER, 0, (to, message) -> crowd.channel(0, to.slot())
                .add(message));
        crowd.settle();

        assertThat(crowd.member(3).revoked).containsExactly(OTHER);
        assertThat(crowd.member(1).revoked).isEmpty();
        assertThat(crowd.member(4).revoked).isEmpty();
        crowd.register(4, OTHER);
        assertThat(crowd.member(4).revoked).containsExactly(OTHER);
        assertThat(crowd.member(5).core.isRevoked(OTHER)).isTrue();
    }

    @Test
    void shouldRevokeACommunicatorThatItCouldNotBuild() {
        Crowd crowd = new Crowd(3);
        crowd.register(0, OTHER);
        crowd.member(1).core.aborted(OTHER, SlotRuns.range(3), 0, (to, message) -> crowd.channel(1, to.slot())
                .add(message));
        crowd.settle();

        assertThat(crowd.member(0).revoked).containsExactly(OTHER);
        assertThat(crowd.member(1).core.isRevoked(OTHER)).isTrue();
        assertThatThrownBy(() -> crowd.register(1, OTHER))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("communicator d0 exists already");
    }

    @Test
    void shouldReplayARevocationToANewNeighbourWhenADeathCutsTheOverlay() {
        Crowd crowd = new Crowd(6);
        crowd.member(0).core.revoke(Crowd.COMM, 0, (to, message) -> {});
        for (int dead : new int[] {1, 2, 4, 5}) {
            crowd.crash(dead);
        }
        crowd.settle();

        assertThat(crowd.member(3).revoked).containsExactly(Crowd.COMM);
    }

    @Test
    void shouldHoldMessagesForACommunicatorUntilItExistsHere() {
        Crowd crowd = new Crowd(2);
        crowd.register(1, OTHER);
        crowd.member(1)
                .core
                .enter(OTHER, new Contribution(Kind.AGREE, 6, SlotSet.ALL), 0, (to, message) -> crowd.channel(
                                1, to.slot())
                        .add(message));
        crowd.deliverAll(1, 0);
        assertThat(crowd.member(0).core.heldMessages()).isEqualTo(1);

        crowd.register(0, OTHER);
        assertThat(crowd.member(0).core.heldMessages()).isZero();
        crowd.member(0)
                .core
                .enter(OTHER, new Contribution(Kind.AGREE, 3, SlotSet.ALL), 0, (to, message) -> crowd.channel(
                                0, to.slot())
                        .add(message));
        assertThat(crowd.member(0).decisionsElsewhere.get(OTHER).flag(Kind.AGREE))
                .isEqualTo(2);
    }

    @Test
    void shouldDropHeldMessagesOfAProcessThatFailed() {
        Crowd crowd = new Crowd(3);
        crowd.channel(1, 0).add(new ControlMessage.ResultRequest(OTHER, 1));
        crowd.channel(2, 0).add(new ControlMessage.ResultRequest(OTHER, 1));
        crowd.deliverAll(1, 0);
        crowd.deliverAll(2, 0);
        assertThat(crowd.member(0).core.heldMessages()).isEqualTo(2);

        crowd.suspect(0, 1);
        assertThat(crowd.member(0).core.heldMessages()).isEqualTo(1);
        crowd.sent = 0;
        crowd.register(0, OTHER);
        assertThat(crowd.member(0).core.agreements().describe(OTHER, 1)).contains("requesters {2}");
    }

    @Test
    void shouldIgnoreAgreementMessagesOfProcessesThatAreNoMembers() {
        Crowd crowd = new Crowd(3);
        SurvivorCore core = crowd.member(0).core;
        Outbox<ProcessId, ControlMessage> out = (to, message) -> {};
        core.register(OTHER, SlotRuns.of(0, 1), 0, out);

        core.onMessage(ProcessId.of(2), new ControlMessage.ResultRequest(OTHER, 1), 0, out);
        core.onMessage(new ProcessId(1, 4), new ControlMessage.ResultRequest(OTHER, 1), 0, out);

        assertThat(core.agreements().describe(OTHER, 1)).isNull();
    }

    @Test
    void shouldNameAnUnknownCommunicator() {
        SurvivorCore core = new Crowd(2).member(0).core;

        assertThatThrownBy(() -> core.revoke(OTHER, 0, (to, message) -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("communicator d0 is not known here");
    }

    @Test
    void shouldLetASingletonCommunicatorAgreeAlone() {
        Crowd crowd = new Crowd(3);
        SurvivorCore core = crowd.member(2).core;
        Outbox<ProcessId, ControlMessage> out = (to, message) -> {
            throw new AssertionError("sends " + message);
        };
        core.register(OTHER, SlotRuns.of(2), 0, out);

        core.enter(OTHER, new Contribution(Kind.SHRINK, -1, SlotSet.ALL), 0, out);

        assertThat(List.copyOf(crowd.member(2).decisions.values())).allMatch(decision -> decision.isOnly(Kind.SHRINK));
    }

    @Test
    void shouldKeepOnlyTheIdOfAFreedCommunicatorOnWhichNothingWasAgreed() {
        Crowd crowd = new Crowd(3);
        SurvivorCore core = crowd.member(0).core;
        List<ControlMessage> sent = new ArrayList<>();
        Outbox<ProcessId, ControlMessage> out = (to, message) -> sent.add(message);
        core.register(OTHER, SlotRuns.range(3), 0, out);

        core.freed(OTHER, 0, out);

        assertThat(core.toString()).doesNotContain("communicator d0");
        core.onMessage(ProcessId.of(1), new ControlMessage.ResultRequest(OTHER, 1), 0, out);
        assertThat(core.heldMessages()).isZero();
        assertThat(sent).isEmpty();
        ControlMessage.Revoke revoke = new ControlMessage.Revoke(OTHER, 0, SlotRuns.range(3), 1);
        core.onMessage(ProcessId.of(1), revoke, 0, out);
        assertThat(sent).as("passed on all the same").isNotEmpty().containsOnly(revoke);
        assertThatThrownBy(() -> core.register(OTHER, SlotRuns.range(3), 0, out))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("communicator d0 exists already");
    }

    @Test
    void shouldGoOnAnsweringForAFreedCommunicatorOnWhichSomethingWasAgreed() {
        Crowd crowd = new Crowd(2);
        crowd.agreeAt(0, 1);
        crowd.settle();
        SurvivorCore core = crowd.member(0).core;

        core.freed(Crowd.COMM, 0, (to, message) -> {});

        assertThat(core.agreements().storedDecisions(Crowd.COMM)).isEqualTo(1);
        List<ControlMessage> sent = new ArrayList<>();
        core.onMessage(
                ProcessId.of(1),
                new ControlMessage.ResultRequest(Crowd.COMM, 1),
                0,
                (to, message) -> sent.add(message));
        assertThat(sent).hasSize(1).first().isInstanceOf(ControlMessage.Down.class);
    }
}
