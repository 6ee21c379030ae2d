package org.ulfmj.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.transport.MemberRecord;

class RendezvousCoreTest {
    private static final long MS = 1_000_000;
    private static final RunSpec RUN = new RunSpec("job", 3, 0, 600_000 * MS, 10_000 * MS);

    private final RecordedListener listener = new RecordedListener();
    private final RendezvousCore core = new RendezvousCore(RUN, listener);
    private final List<String> sent = new ArrayList<>();
    private final Outbox<Long, RendezvousMessage> out = (nonce, message) -> sent.add(nonce + ":" + describe(message));

    private static String describe(RendezvousMessage message) {
        if (message instanceof RendezvousMessage.Table table) {
            return "Table " + table.round() + " of " + table.members().size();
        }
        if (message instanceof RendezvousMessage.Final world) {
            return "Final " + world.round() + " of " + world.members().size();
        }
        return message.toString();
    }

    private List<String> take() {
        List<String> taken = List.copyOf(sent);
        sent.clear();
        return taken;
    }

    /** Slot s joins with nonce 10 + s. */
    private void join(int slot, long nowNs) {
        join(Members.member(slot, 10 + slot), nowNs);
    }

    private void join(MemberRecord member, long nowNs) {
        core.onMessage(member.nonce(), new RendezvousMessage.Join(member, 0, 0), nowNs, out);
    }

    private void confirm(int slot, int round) {
        says(slot, new RendezvousMessage.Confirm(round));
    }

    private void says(int slot, RendezvousMessage message) {
        core.onMessage(10L + slot, message, 0, out);
    }

    private void makeWorld() {
        for (int slot = 0; slot < 3; slot++) {
            join(slot, 0);
        }
        for (int slot = 0; slot < 3; slot++) {
            confirm(slot, 1);
        }
        take();
        listener.take();
    }

    @Test
    void shouldFreezeWhenAllJoinedAndRunWhenAllConfirmed() {
        join(2, 0);
        join(0, 0);
        assertThat(take()).isEmpty();
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.JOINABLE);
        join(1, 0);
        assertThat(take()).containsExactly("10:Table 1 of 3", "11:Table 1 of 3", "12:Table 1 of 3");
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.FROZEN);

        confirm(1, 1);
        confirm(1, 1);
        confirm(0, 1);
        assertThat(take()).isEmpty();
        confirm(2, 1);
        assertThat(take()).containsExactly("10:Final 1 of 3", "11:Final 1 of 3", "12:Final 1 of 3");
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.FINAL);
        assertThat(core.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(listener.take()).containsExactly("joined 2", "joined 0", "joined 1", "final");
    }

    @Test
    void shouldGiveAKnownProcessThePresentAnswerAgain() {
        join(0, 0);
        join(0, 0);
        assertThat(take()).isEmpty();
        join(1, 0);
        join(2, 0);
        take();
        join(1, 0);
        assertThat(take()).containsExactly("11:Table 1 of 3");
        confirm(1, 1);
        join(1, 0);
        assertThat(take()).containsExactly("11:Wait[round=1, epoch=0, members=[]]");
        confirm(0, 1);
        confirm(2, 1);
        take();
        join(1, 0);
        assertThat(take()).containsExactly("11:Final 1 of 3");
        confirm(1, 1);
        assertThat(take()).containsExactly("11:Final 1 of 3");
    }

    @Test
    void shouldIgnoreAConfirmationOfAnotherRoundAndStrangers() {
        join(0, 0);
        join(1, 0);
        join(2, 0);
        take();
        confirm(0, 2);
        assertThat(take()).containsExactly("10:Table 1 of 3");
        core.onMessage(99L, new RendezvousMessage.Confirm(1), 0, out);
        assertThat(take()).isEmpty();
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.FROZEN);
    }

    @Test
    void shouldNameWhatIsMissingWhenTheJoinTimesOut() {
        join(1, 5 * MS);
        assertThat(core.nextDeadlineNs()).isEqualTo(600_005 * MS);
        join(0, 100_000 * MS);
        core.onTick(600_005 * MS - 1, out);
        assertThat(take()).isEmpty();

        core.onTick(600_005 * MS, out);
        String text = "waited 600000 ms (ulfm.rdzv.join) for the other ranks: state JOINABLE, have 2, need 3,"
                + " missing rank 2";
        assertThat(take())
                .containsExactly(
                        "10:Out[reason=TIMEOUT, text=" + text + "]", "11:Out[reason=TIMEOUT, text=" + text + "]");
        assertThat(listener.take()).containsExactly("joined 1", "joined 0", "closed TIMEOUT: " + text);
        join(2, 700_000 * MS);
        assertThat(take()).containsExactly("12:Out[reason=TIMEOUT, text=" + text + "]");
        assertThat(core.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldListAtMostTenMissingRanks() {
        RendezvousCore large = new RendezvousCore(new RunSpec("job", 64, 0, 20 * MS, 10 * MS), listener);
        large.onMessage(13L, new RendezvousMessage.Join(Members.member(3, 13), 0, 0), 0, out);
        large.onTick(20 * MS, out);
        assertThat(take().get(0)).contains("have 1, need 64, missing ranks 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, …]");
    }

    @Test
    void shouldTellWhoDidNotConfirmAndCloseForTheOthers() {
        join(0, 0);
        join(1, 0);
        join(2, 7 * MS);
        confirm(1, 1);
        take();
        core.onTick(10_007 * MS, out);
        String text = "within 10000 ms (ulfm.rdzv.confirm) the table of addresses was not confirmed by ranks 0, 2";
        assertThat(take())
                .containsExactly(
                        "10:Out[reason=NO_CONFIRM, text=" + text + "]",
                        "11:Out[reason=CLOSED, text=" + text + "]",
                        "12:Out[reason=NO_CONFIRM, text=" + text + "]");
        join(0, 10_008 * MS);
        assertThat(take()).containsExactly("10:Out[reason=NO_CONFIRM, text=" + text + "]");
    }

    @Test
    void shouldEndTheJobWhenARankEndedBeforeItCalledInit() {
        core.onEnded(ProcessId.of(2), "exit code 3", 0, out);
        assertThat(listener.take()).as("nobody has called Init").isEmpty();
        join(0, 0);
        String text = "rank 2 ended before MPI.Init (exit code 3)";
        assertThat(take()).containsExactly("10:Out[reason=CLOSED, text=" + text + "]");
        assertThat(listener.take()).containsExactly("joined 0", "closed CLOSED: " + text);
    }

    @Test
    void shouldEndTheJobWhenARankEndsWhileOthersWait() {
        join(0, 0);
        core.onEnded(ProcessId.of(1), "exit code 0", 0, out);
        assertThat(take()).containsExactly("10:Out[reason=CLOSED, text=rank 1 ended before MPI.Init (exit code 0)]");
    }

    @Test
    void shouldCloseWhenAMemberDiesBeforeAllConfirmed() {
        join(0, 0);
        join(1, 0);
        join(2, 0);
        confirm(1, 1);
        take();
        core.onEnded(ProcessId.of(1), "killed by signal 9", 0, out);
        assertThat(take()).contains("10:Out[reason=CLOSED, text=rank 1 ended in MPI.Init (killed by signal 9)]");
        confirm(0, 1);
        confirm(2, 1);
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.CLOSED);
    }

    @Test
    void shouldRefuseASecondProcessOfASlotForEver() {
        join(0, 0);
        MemberRecord second = Members.member(ProcessId.of(0), 77, 4711);
        join(second, 0);
        join(second, 0);
        String refusal = "77:Out[reason=FENCED, text=rank 0 has joined already, as process 4000;"
                + " process 4711 cannot join as the same rank]";
        assertThat(take()).containsExactly(refusal, refusal);
        makeWorld();
        join(second, 0);
        assertThat(take()).containsExactly(refusal);
    }

    @Test
    void shouldRefuseSlotsAndIncarnationsThatTheWorldHasNot() {
        join(Members.member(3, 13), 0);
        join(Members.member(new ProcessId(1, 1), 14, 1), 0);
        assertThat(take())
                .containsExactly(
                        "13:Out[reason=REFUSED, text=rank 3 wants to join a world of 3 ranks]",
                        "14:Out[reason=FENCED, text=process 1 cannot join as 1'1: no process is replaced in this world]");
        assertThat(listener.take()).isEmpty();
    }

    @Test
    void shouldTellAllOfADeathAndAgainWhoeverJoinsAgain() {
        makeWorld();
        core.onEnded(ProcessId.of(1), "killed by signal 9", 0, out);
        core.onEnded(ProcessId.of(1), "killed by signal 9", 0, out);
        assertThat(take())
                .containsExactly(
                        "10:Death[process=1, reason=killed by signal 9]",
                        "12:Death[process=1, reason=killed by signal 9]",
                        "11:Fence[reason=the process that was started as rank 1 has ended]");
        join(2, 0);
        assertThat(take()).containsExactly("12:Final 1 of 3", "12:Death[process=1, reason=killed by signal 9]");
    }

    @Test
    void shouldCallTheEndAfterAGoodbyeADeparture() {
        makeWorld();
        says(1, new RendezvousMessage.Goodbye(SlotSet.of(0)));
        says(1, new RendezvousMessage.Goodbye(SlotSet.of(0)));
        assertThat(take()).containsExactly("11:GoodbyeHeard[]", "11:GoodbyeHeard[]");
        assertThat(listener.take()).containsExactly("goodbye 1 {0}");
        join(1, 0);
        assertThat(take()).containsExactly("11:Final 1 of 3", "11:GoodbyeHeard[]");

        core.onEnded(ProcessId.of(1), "exit code 1", 0, out);
        assertThat(take()).containsExactly("10:Departed[process=1]", "12:Departed[process=1]");
        core.onDeparted(ProcessId.of(2), 0, out);
        assertThat(take()).containsExactly("10:Departed[process=2]");
    }

    @Test
    void shouldHearNoComplaintAboutWhoEndedOrLeftOrIsUnknown() {
        makeWorld();
        core.onEnded(ProcessId.of(0), "killed by signal 9", 0, out);
        says(1, new RendezvousMessage.Goodbye(SlotSet.EMPTY));
        take();
        listener.take();
        says(2, new RendezvousMessage.Suspect(ProcessId.of(0)));
        says(2, new RendezvousMessage.Suspect(ProcessId.of(1)));
        says(2, new RendezvousMessage.Suspect(ProcessId.of(2)));
        says(2, new RendezvousMessage.Suspect(ProcessId.of(9)));
        says(2, new RendezvousMessage.Suspect(new ProcessId(1, 1)));
        assertThat(take()).isEmpty();
        assertThat(listener.take()).isEmpty();
    }

    @Test
    void shouldFenceOnTheLaunchersWord() {
        makeWorld();
        core.onFence(ProcessId.of(1), "for a test", out);
        core.onFence(ProcessId.of(1), "again", out);
        assertThat(take()).containsExactly("11:Fence[reason=for a test]");
        assertThat(listener.take()).containsExactly("fenced 1: for a test");
    }

    @Test
    void shouldReportAnInjectionPointOncePerRankAndRule() {
        makeWorld();
        says(1, new RendezvousMessage.Reached(4));
        says(1, new RendezvousMessage.Reached(4));
        says(2, new RendezvousMessage.Reached(4));
        assertThat(listener.take()).containsExactly("reached 1 rule 4", "reached 2 rule 4");
    }

    @Test
    void shouldTellEveryoneOfAnAbortAlsoThoseThatComeLater() {
        makeWorld();
        says(1, new RendezvousMessage.Abort(7, "MPI.Abort"));
        assertThat(listener.take()).containsExactly("abort by 1 7: MPI.Abort");
        assertThat(take()).as("the launcher decides").isEmpty();
        core.onAbort(7, "rank 1 called abort(7)", out);
        assertThat(take()).hasSize(3).contains("12:Abort[code=7, reason=rank 1 called abort(7)]");
        join(2, 0);
        assertThat(take()).containsExactly("12:Abort[code=7, reason=rank 1 called abort(7)]");
        join(Members.member(1, 99), 0);
        assertThat(take()).containsExactly("99:Out[reason=CLOSED, text=rank 1 called abort(7)]");
    }

    @Test
    void shouldServeTheStoreToThoseWhoJoined() {
        join(0, 0);
        join(1, 0);
        says(0, new RendezvousMessage.Get(1, "k"));
        says(0, new RendezvousMessage.Get(1, "k"));
        core.onMessage(99L, new RendezvousMessage.Get(1, "k"), 0, out);
        assertThat(take()).isEmpty();
        says(1, new RendezvousMessage.Put(5, "k", new byte[3]));
        assertThat(take()).containsExactly("11:Stored[request=5, refusal=]", "10:Value[1, 3 bytes]");
        says(1, new RendezvousMessage.Get(6, "k"));
        assertThat(take()).containsExactly("11:Value[6, 3 bytes]");
    }
}
