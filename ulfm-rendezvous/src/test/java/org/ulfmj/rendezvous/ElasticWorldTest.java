package org.ulfmj.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.rendezvous.rounds.WorldSize;
import org.ulfmj.transport.MemberRecord;

/**
 * Elastic worlds of two to three processes, which join without a slot. Process p has nonce p and, except in one test,
 * local index p.
 */
class ElasticWorldTest {
    private static final long MS = 1_000_000;
    private static final RunSpec RUN = new RunSpec("job", new WorldSize(2, 3, 30 * MS), 0, 600 * MS, 100 * MS);

    private static final String FINALIZED =
            "Out[reason=CLOSED, text=all processes of the world have finalized, or died]";

    private final RecordedListener listener = new RecordedListener();
    private final RendezvousCore core = new RendezvousCore(RUN, listener);
    private final List<String> sent = new ArrayList<>();
    private final Outbox<Long, RendezvousMessage> out = (nonce, message) -> sent.add(nonce + ":" + describe(message));

    @Test
    void shouldWaitForALastCallOnceThereAreEnough() {
        join(1);
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.JOINABLE);
        join(0, 10 * MS);
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.LAST_CALL);
        assertThat(core.nextDeadlineNs()).isEqualTo(40 * MS);
        core.onTick(40 * MS, out);
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.FROZEN);
        assertThat(take()).containsExactly("0:Table 1 of [0=0, 1=1]", "1:Table 1 of [0=0, 1=1]");
        confirm(0, 1);
        confirm(1, 1);
        assertThat(take()).containsExactly("0:Final 1.0 of [0=0, 1=1]", "1:Final 1.0 of [0=0, 1=1]");
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.FINAL);
    }

    @Test
    void shouldFreezeAtOnceWhenTheWorldIsFull() {
        join(2);
        join(0);
        join(1);
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.FROZEN);
        assertThat(take()).contains("2:Table 1 of [0=0, 1=1, 2=2]");
    }

    @Test
    void shouldGiveSlotsByHostThenLocalIndexThenNonce() {
        joinAs(new Joiner(1, 0, record(5)), 0);
        joinAs(new Joiner(0, 1, record(6)), 0);
        joinAs(new Joiner(0, 1, record(4)), 0);
        assertThat(take()).contains("4:Table 1 of [0=4, 1=6, 2=5]");
    }

    @Test
    void shouldFreezeWhenTheLauncherSaysThatAllHaveJoined() {
        join(0);
        core.onAllStartedJoined(0, out);
        assertThat(core.phase()).as("too few").isEqualTo(RendezvousCore.Phase.JOINABLE);
        join(1);
        core.onAllStartedJoined(0, out);
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.FROZEN);
    }

    @Test
    void shouldCancelTheLastCallWhenTooFewAreLeft() {
        join(0);
        join(1);
        core.onEnded(core.nameOf(1), "killed", 5 * MS, out);
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.JOINABLE);
        assertThat(core.nextDeadlineNs()).as("the time of process 0 to join").isEqualTo(600 * MS);
        join(2, 20 * MS);
        assertThat(core.nextDeadlineNs()).as("a new last call").isEqualTo(50 * MS);
    }

    @Test
    void shouldTellWhatIsMissingWhenTheTimeToJoinIsOver() {
        join(0);
        core.onTick(600 * MS, out);
        assertThat(take())
                .containsExactly("0:Out[reason=TIMEOUT, text=waited 600 ms (ulfm.rdzv.join) for other processes: state"
                        + " JOINABLE, have 1, need 2]");
        join(0);
        assertThat(take())
                .as("the same reason again")
                .hasSize(1)
                .first()
                .asString()
                .contains("have 1, need 2");
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.JOINABLE);
    }

    @Test
    void shouldMakeAllOthersCandidatesAgainWhenAMemberEndsUnconfirmed() {
        freezeThree();
        join(3);
        assertThat(take()).containsExactly("3:Wait 1.0 for []");
        core.onEnded(ProcessId.of(1), "killed", 0, out);
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.FROZEN);
        assertThat(take()).contains("0:Table 2 of [0=0, 1=2, 2=3]", "3:Table 2 of [0=0, 1=2, 2=3]");
        confirm(0, 1);
        assertThat(take()).as("a confirmation of round 1").containsExactly("0:Table 2 of [0=0, 1=2, 2=3]");
    }

    @Test
    void shouldNeverTakeBackAProcessThatDidNotConfirm() {
        freezeThree();
        confirm(0, 1);
        confirm(2, 1);
        core.onTick(100 * MS, out);
        assertThat(take())
                .containsExactly(
                        "1:Out[reason=NO_CONFIRM, text=within 100 ms (ulfm.rdzv.confirm) the table of addresses"
                                + " was not confirmed by rank 1]");
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.LAST_CALL);
        join(1);
        assertThat(take()).hasSize(1).first().asString().contains("NO_CONFIRM");
        core.onTick(130 * MS, out);
        assertThat(take()).contains("0:Table 2 of [0=0, 1=2]");
    }

    @Test
    void shouldAnnounceWhoWaitsOnlyWhileThereIsRoom() {
        makeWorldOfTwo();
        join(2);
        assertThat(take()).containsExactly("2:Wait 1.0 for [0=0, 1=1]", "0:Waiting 16777218=2", "1:Waiting 16777218=2");
        commit(0, 1, member(0, 0), member(1, 1), member(2, 2));
        take();
        join(3);
        assertThat(take()).as("a spare").containsExactly("3:Wait 1.1 for [0=0, 1=1, 2=2]");
        commit(0, 2, member(0, 0), member(2, 2));
        assertThat(take())
                .contains("0:Waiting 16777219=3")
                .contains("1:Out[reason=FENCED, text=the world has gone on without rank 1]");
    }

    @Test
    void shouldTellOfTheEndOfOneThatWaitsByTheNameThatMembersKnow() {
        makeWorldOfTwo();
        join(2);
        take();
        core.onEnded(core.nameOf(2), "killed", 0, out);
        assertThat(take()).contains("0:Death[process=16777218, nonce=2, reason=killed]");
        commit(0, 1, member(0, 0), member(1, 1), member(2, 2));
        assertThat(take()).contains("0:Death[process=2, nonce=2, reason=its process ended while it was admitted]");
    }

    @Test
    void shouldTellOfOneThatLeftWhileItWasAdmittedByTheNameThatMembersGaveIt() {
        makeWorldOfTwo();
        join(2);
        leave(2);
        take();
        commit(0, 1, member(0, 0), member(1, 1), member(2, 2));
        assertThat(take()).contains("0:Death[process=2, nonce=2, reason=it left while it was admitted]");
        core.onEnded(ProcessId.of(2), "exited with code 143", 0, out);
        assertThat(take()).as("told once").isEmpty();
        commit(1, 1, member(0, 0), member(1, 1), member(2, 2));
        join(1);
        assertThat(take())
                .as("told again to a member that joins again")
                .contains("1:Death[process=2, nonce=2, reason=it left while it was admitted]");
    }

    @Test
    void shouldExcludeAMemberOfAnImpossibleWorld() {
        makeWorldOfTwo();
        join(2);
        join(3);
        take();
        commit(0, 1, member(0, 0), member(1, 1), member(2, 2), member(3, 3));
        assertThat(take())
                .containsExactly("0:Out[reason=FENCED, text=rank 0 is in a world of 4 of at most 3 members, or with one"
                        + " that has no slot]");
        commit(1, 1, member(1, 1), record(2).named(Joiner.provisional(2)));
        assertThat(take()).hasSize(1).first().asString().startsWith("1:Out[reason=FENCED, text=rank 1 is in a world");
    }

    @Test
    void shouldTellAllSparesByOneMessage() {
        freezeThree();
        join(3);
        join(4);
        List<RendezvousMessage> waits = new ArrayList<>();
        for (long process = 0; process < 3; process++) {
            core.onMessage(process, new RendezvousMessage.Confirm(1), 0, (nonce, message) -> {
                if (message instanceof RendezvousMessage.Wait) {
                    waits.add(message);
                }
            });
        }
        assertThat(waits).hasSize(2);
        assertThat(waits.get(0)).as("which is encoded once").isSameAs(waits.get(1));
    }

    @Test
    void shouldGatherAnewWhenNoMemberIsLeft() {
        makeWorldOfTwo();
        join(2);
        core.onEnded(ProcessId.of(0), "killed", 0, out);
        take();
        core.onEnded(ProcessId.of(1), "killed", 0, out);
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.ROLLCALL);
        join(3);
        assertThat(take())
                .as("a joiner in a roll call hears nothing")
                .contains("2:Recall[round=1, call=1]")
                .noneMatch(line -> line.startsWith("3:"));
        core.onMessage(2L, new RendezvousMessage.StillWaiting(1), 0, out);
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.LAST_CALL);
        core.onAllStartedJoined(0, out);
        assertThat(take()).contains("3:Table 2 of [0=2, 1=3]");
    }

    @Test
    void shouldNotGatherAnewWhenOneIsKnownToHaveFinalizedThoughNoGoodbyeWasHeard() {
        makeWorldOfTwo();
        join(2);
        core.onEnded(ProcessId.of(0), "killed", 0, out);
        take();
        core.onEndedFinalized(ProcessId.of(1), "pid 1 is gone", 0, out);
        assertThat(listener.take()).contains("goodbye 1 {}");
        assertThat(take()).contains("2:Recall[round=1, call=1]");
        core.onMessage(2L, new RendezvousMessage.StillWaiting(1), 0, out);
        assertThat(take()).containsExactly("2:" + FINALIZED);
        join(3);
        assertThat(take()).containsExactly("3:" + FINALIZED);
        core.onEndedFinalized(ProcessId.of(1), "pid 1 is gone", 0, out);
        assertThat(listener.take()).as("told once").noneMatch(line -> line.startsWith("goodbye"));
    }

    @Test
    void shouldNotGatherAnewWhenOneHasFinalizedThatWasAdmittedUnheard() {
        makeWorldOfTwo();
        join(2);
        join(3);
        core.onEndedFinalized(core.nameOf(2), "pid 2 is gone", 0, out);
        core.onEnded(ProcessId.of(0), "killed", 0, out);
        core.onEnded(ProcessId.of(1), "killed", 0, out);
        take();
        core.onMessage(3L, new RendezvousMessage.StillWaiting(1), 0, out);
        assertThat(take()).containsExactly("3:" + FINALIZED);
    }

    @Test
    void shouldTakeWhatFinalizedForAnyOtherEndBeforeTheWorldRuns() {
        join(0);
        core.onEndedFinalized(core.nameOf(0), "gone", 0, out);
        assertThat(core.nameOf(0)).isNull();
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.JOINABLE);
    }

    @Test
    void shouldBeOverOnceItIsClosedAndNoProcessRan() {
        makeWorldOfTwo();
        join(2);
        core.onEnded(ProcessId.of(0), "killed", 0, out);
        core.onClose("the job is over", out);
        assertThat(core.isOver()).as("process 1 may run").isFalse();

        RendezvousCore waiting = new RendezvousCore(RUN, listener);
        Joiner joiner = new Joiner(0, 0, record(0));
        waiting.onMessage(0L, new RendezvousMessage.JoinAnywhere(joiner, 0, 0), 0, out);
        assertThat(waiting.isOver()).isFalse();
        waiting.onClose("the job is over", out);
        assertThat(waiting.isOver()).isTrue();
    }

    @Test
    void shouldBeEmptyAgainWhenTheWorldIsGoneAndNoProcessWaits() {
        makeWorldOfTwo();
        core.onEnded(ProcessId.of(0), "killed", 0, out);
        core.onEnded(ProcessId.of(1), "killed", 0, out);
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.JOINABLE);
        assertThat(core.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldNotCloseWhenAProcessLeaves() {
        freezeThree();
        leave(1);
        assertThat(take()).contains("1:LeaveHeard[]");
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.LAST_CALL);
        leave(0);
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.JOINABLE);
        take();
        join(0);
        assertThat(take()).as("the answer may have been lost").containsExactly("0:LeaveHeard[]");
        leave(0);
        assertThat(take()).as("said again").containsExactly("0:LeaveHeard[]");
        assertThat(listener.take()).filteredOn(line -> line.startsWith("leave")).hasSize(2);
    }

    /**
     * The launcher was not told yet that process 3 is slot 1 of the frozen table: for the launcher that name still
     * means a process of the world before.
     */
    @Test
    void shouldNameByItsProvisionalNameAProcessThatLeavesBeforeTheWorldBegins() {
        makeWorldOfTwo();
        core.onEnded(ProcessId.of(0), "killed", 0, out);
        core.onEnded(ProcessId.of(1), "killed", 0, out);
        join(2);
        join(3);
        core.onAllStartedJoined(0, out);
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.FROZEN);
        assertThat(core.nameOf(3)).isEqualTo(ProcessId.of(1));
        listener.take();
        core.onMessage(3L, new RendezvousMessage.Abort(4, "enough"), 0, out);
        core.onFence(ProcessId.of(0), "too old", out);
        leave(3);
        assertThat(listener.take())
                .containsExactly(
                        "abort by " + Joiner.provisional(3) + " 4: enough",
                        "fenced " + Joiner.provisional(2) + ": too old",
                        "leave " + Joiner.provisional(3) + ": preempted");
    }

    @Test
    void shouldTellOneThatWaitedThatItsLeavingWasHeardAlsoOnceItIsClosed() {
        makeWorldOfTwo();
        join(2);
        leave(2);
        take();
        join(2);
        assertThat(take()).containsExactly("2:LeaveHeard[]");
        core.onClose("the job is over", out);
        assertThat(take()).noneMatch(line -> line.startsWith("2:"));
        join(2);
        leave(2);
        assertThat(take()).containsExactly("2:LeaveHeard[]", "2:LeaveHeard[]");
        assertThat(listener.take()).containsOnlyOnce("leave " + core.nameOf(2) + ": preempted");
    }

    @Test
    void shouldNotTakeALeavingForAReasonOnceItIsClosed() {
        makeWorldOfTwo();
        core.onClose("the job is over", out);
        take();
        leave(1);
        join(1);
        assertThat(take()).containsExactly("1:LeaveHeard[]", "1:Out[reason=CLOSED, text=the job is over]");
        assertThat(listener.take()).noneMatch(line -> line.startsWith("leave"));
    }

    @Test
    void shouldTellMembersWhenOneThatWaitsLeaves() {
        makeWorldOfTwo();
        join(2);
        take();
        leave(2);
        assertThat(take())
                .containsExactly(
                        "2:LeaveHeard[]",
                        "0:Death[process=16777218, nonce=2, reason=it has left: preempted]",
                        "1:Death[process=16777218, nonce=2, reason=it has left: preempted]");
    }

    @Test
    void shouldTellAllThatItIsClosed() {
        makeWorldOfTwo();
        join(2);
        take();
        core.onClose("the job is over", out);
        core.onClose("once more", out);
        join(3);
        assertThat(take())
                .containsExactlyInAnyOrder(
                        "0:Out[reason=CLOSED, text=the job is over]",
                        "1:Out[reason=CLOSED, text=the job is over]",
                        "2:Out[reason=CLOSED, text=the job is over]",
                        "3:Out[reason=CLOSED, text=the job is over]");
    }

    @Test
    void shouldRefuseProcessesOfTheOtherKindOfWorld() {
        core.onMessage(7L, new RendezvousMessage.Join(member(1, 7), 0, 0), 0, out);
        core.onMessage(8L, new RendezvousMessage.Spare(1), 0, out);
        JobOfThree fixed = new JobOfThree(false);
        fixed.core.onMessage(9L, new RendezvousMessage.JoinAnywhere(new Joiner(0, 9, record(9)), 0, 0), 0, fixed.out);
        assertThat(take())
                .containsExactly(
                        "7:Out[reason=REFUSED, text=process 7 wants to join as rank 1 a world that gives slots itself]",
                        "8:Out[reason=REFUSED, text=spare 1 wants to join a world that takes no numbered spares]");
        assertThat(fixed.take())
                .containsExactly("9:Out[reason=REFUSED, text=process 9 wants to join without a slot a world whose ranks"
                        + " have their slots]");
    }

    @Test
    void shouldRefuseImpossibleSizes() {
        assertThatThrownBy(() -> new WorldSize(0, 2, 0))
                .hasMessage("a world of 0 to 2 ranks; at least 1 is needed, and no fewer than that at most");
        assertThatThrownBy(() -> new WorldSize(3, 2, 0)).hasMessageStartingWith("a world of 3 to 2 ranks");
        assertThatThrownBy(() -> new WorldSize(1, 2, -1)).hasMessage("a last call of -1 ns");
        assertThatThrownBy(() -> new RunSpec("job", 4, 0, 20, 10, false, 0, 0, false, new WorldSize(1, 2, 0)))
                .hasMessage("a job of 4 ranks with a world of at most 2");
    }

    private void makeWorldOfTwo() {
        join(0);
        join(1);
        core.onAllStartedJoined(0, out);
        confirm(0, 1);
        confirm(1, 1);
        take();
    }

    private void freezeThree() {
        join(0);
        join(1);
        join(2);
        take();
    }

    private void join(int process) {
        join(process, 0);
    }

    private void join(int process, long nowNs) {
        joinAs(new Joiner(0, process, record(process)), nowNs);
    }

    private void joinAs(Joiner joiner, long nowNs) {
        core.onMessage(joiner.nonce(), new RendezvousMessage.JoinAnywhere(joiner, 0, 0), nowNs, out);
    }

    private void confirm(long process, int round) {
        core.onMessage(process, new RendezvousMessage.Confirm(round), 0, out);
    }

    private void leave(long process) {
        core.onMessage(process, new RendezvousMessage.Leave("preempted"), 0, out);
    }

    private void commit(long process, int epoch, MemberRecord... members) {
        core.onMessage(process, new RendezvousMessage.Committed(1, epoch, List.of(members), epoch), 0, out);
    }

    private static MemberRecord record(int process) {
        return Members.member(ProcessId.of(0), process, process).named(Joiner.NAMELESS);
    }

    private static MemberRecord member(int slot, int process) {
        return record(process).named(ProcessId.of(slot));
    }

    private List<String> take() {
        List<String> taken = List.copyOf(sent);
        sent.clear();
        return taken;
    }

    private static String describe(RendezvousMessage message) {
        if (message instanceof RendezvousMessage.Table table) {
            return "Table " + table.round() + " of " + names(table.members());
        }
        if (message instanceof RendezvousMessage.Final world) {
            return "Final " + world.round() + "." + world.epoch() + " of " + names(world.members());
        }
        if (message instanceof RendezvousMessage.Wait wait) {
            return "Wait " + wait.round() + "." + wait.epoch() + " for " + names(wait.members());
        }
        if (message instanceof RendezvousMessage.Waiting waiting) {
            return "Waiting " + name(waiting.joiner().member());
        }
        return message.toString();
    }

    private static String name(MemberRecord member) {
        return member.id() + "=" + member.nonce();
    }

    private static List<String> names(List<MemberRecord> members) {
        return members.stream().map(ElasticWorldTest::name).toList();
    }
}
