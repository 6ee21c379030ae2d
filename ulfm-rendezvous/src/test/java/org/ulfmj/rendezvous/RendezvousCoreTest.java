package org.ulfmj.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.rendezvous.JobOfThree.MS;
import static org.ulfmj.rendezvous.JobOfThree.member;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.transport.MemberRecord;

class RendezvousCoreTest {
    private final JobOfThree job = new JobOfThree(false);

    @Test
    void shouldFreezeWhenAllJoinedAndRunWhenAllConfirmed() {
        job.join(2, 0);
        job.join(0, 0);
        assertThat(job.take()).isEmpty();
        assertThat(job.core.phase()).isEqualTo(RendezvousCore.Phase.JOINABLE);
        job.join(1, 0);
        assertThat(job.take())
                .containsExactly("10:Table 1 of [0, 1, 2]", "11:Table 1 of [0, 1, 2]", "12:Table 1 of [0, 1, 2]");
        assertThat(job.core.phase()).isEqualTo(RendezvousCore.Phase.FROZEN);

        job.confirm(1, 1);
        job.confirm(1, 1);
        job.confirm(0, 1);
        assertThat(job.take()).isEmpty();
        job.confirm(2, 1);
        assertThat(job.take())
                .containsExactly("10:Final 1.0 of [0, 1, 2]", "11:Final 1.0 of [0, 1, 2]", "12:Final 1.0 of [0, 1, 2]");
        assertThat(job.core.phase()).isEqualTo(RendezvousCore.Phase.FINAL);
        assertThat(job.core.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(job.listener.take()).containsExactly("joined 2", "joined 0", "joined 1", "final");
    }

    @Test
    void shouldGiveAKnownProcessThePresentAnswerAgain() {
        job.join(0, 0);
        job.join(0, 0);
        assertThat(job.take()).isEmpty();
        job.join(1, 0);
        job.join(2, 0);
        job.take();
        job.join(1, 0);
        assertThat(job.take()).containsExactly("11:Table 1 of [0, 1, 2]");
        job.confirm(1, 1);
        job.join(1, 0);
        assertThat(job.take()).containsExactly("11:Wait 1.0 for []");
        job.confirm(0, 1);
        job.confirm(2, 1);
        job.take();
        job.join(1, 0);
        assertThat(job.take()).containsExactly("11:Final 1.0 of [0, 1, 2]");
        job.confirm(1, 1);
        assertThat(job.take()).containsExactly("11:Final 1.0 of [0, 1, 2]");
    }

    @Test
    void shouldIgnoreAConfirmationOfAnotherRoundAndStrangers() {
        job.joinAll();
        job.take();
        job.confirm(0, 2);
        assertThat(job.take()).containsExactly("10:Table 1 of [0, 1, 2]");
        job.core.onMessage(99L, new RendezvousMessage.Confirm(1), 0, job.out);
        assertThat(job.take()).isEmpty();
        assertThat(job.core.phase()).isEqualTo(RendezvousCore.Phase.FROZEN);
    }

    @Test
    void shouldNameWhatIsMissingWhenTheJoinTimesOut() {
        job.join(member(1, 0), 5 * MS);
        assertThat(job.core.nextDeadlineNs()).isEqualTo(600_005 * MS);
        job.join(member(0, 0), 100_000 * MS);
        job.core.onTick(600_005 * MS - 1, job.out);
        assertThat(job.take()).isEmpty();

        job.core.onTick(600_005 * MS, job.out);
        String text = "waited 600000 ms (ulfm.rdzv.join) for the other ranks: state JOINABLE, have 2, need 3,"
                + " missing rank 2";
        assertThat(job.take())
                .containsExactly(
                        "10:Out[reason=TIMEOUT, text=" + text + "]", "11:Out[reason=TIMEOUT, text=" + text + "]");
        assertThat(job.listener.take()).containsExactly("joined 1", "joined 0", "closed TIMEOUT: " + text);
        job.join(member(2, 0), 700_000 * MS);
        assertThat(job.take()).containsExactly("12:Out[reason=TIMEOUT, text=" + text + "]");
        assertThat(job.core.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldListAtMostTenMissingRanks() {
        RendezvousCore large = new RendezvousCore(new RunSpec("job", 64, 0, 20 * MS, 10 * MS), job.listener);
        large.onMessage(13L, new RendezvousMessage.Join(Members.member(3, 13), 0, 0), 0, job.out);
        large.onTick(20 * MS, job.out);
        assertThat(job.take().get(0)).contains("have 1, need 64, missing ranks 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, …]");
    }

    @Test
    void shouldTellWhoDidNotConfirmAndCloseForTheOthers() {
        job.join(0, 0);
        job.join(1, 0);
        job.join(member(2, 0), 7 * MS);
        job.confirm(1, 1);
        job.take();
        job.core.onTick(10_007 * MS, job.out);
        String text = "within 10000 ms (ulfm.rdzv.confirm) the table of addresses was not confirmed by ranks 0, 2";
        assertThat(job.take())
                .containsExactly(
                        "10:Out[reason=NO_CONFIRM, text=" + text + "]",
                        "11:Out[reason=CLOSED, text=" + text + "]",
                        "12:Out[reason=NO_CONFIRM, text=" + text + "]");
        job.join(member(0, 0), 10_008 * MS);
        assertThat(job.take()).containsExactly("10:Out[reason=NO_CONFIRM, text=" + text + "]");
    }

    @Test
    void shouldEndTheJobWhenARankEndedBeforeItCalledInit() {
        job.core.onEnded(ProcessId.of(2), "exit code 3", 0, job.out);
        assertThat(job.listener.take()).as("no process has called Init").isEmpty();
        job.join(0, 0);
        String text = "rank 2 ended before MPI.Init (exit code 3)";
        assertThat(job.take()).containsExactly("10:Out[reason=CLOSED, text=" + text + "]");
        assertThat(job.listener.take()).containsExactly("joined 0", "closed CLOSED: " + text);
    }

    @Test
    void shouldEndTheJobWhenARankEndsWhileOthersWait() {
        job.join(0, 0);
        job.core.onEnded(ProcessId.of(1), "exit code 0", 0, job.out);
        assertThat(job.take())
                .containsExactly("10:Out[reason=CLOSED, text=rank 1 ended before MPI.Init (exit code 0)]");
    }

    @Test
    void shouldCloseWhenAMemberDiesBeforeAllConfirmed() {
        job.joinAll();
        job.confirm(1, 1);
        job.take();
        job.core.onEnded(ProcessId.of(1), "killed by signal 9", 0, job.out);
        assertThat(job.take()).contains("10:Out[reason=CLOSED, text=rank 1 ended in MPI.Init (killed by signal 9)]");
        job.confirm(0, 1);
        job.confirm(2, 1);
        assertThat(job.core.phase()).isEqualTo(RendezvousCore.Phase.CLOSED);
    }

    @Test
    void shouldRefuseASecondProcessOfASlotForEver() {
        job.join(0, 0);
        MemberRecord second = Members.member(ProcessId.of(0), 77, 4711);
        job.join(second, 0);
        job.join(second, 0);
        String refusal = "77:Out[reason=FENCED, text=rank 0 has joined already, as process 4000;"
                + " process 4711 cannot join as the same rank]";
        assertThat(job.take()).containsExactly(refusal, refusal);
        job.makeWorld();
        job.join(second, 0);
        assertThat(job.take()).containsExactly(refusal);
    }

    @Test
    void shouldRefuseSlotsAndIncarnationsThatTheWorldHasNot() {
        job.join(Members.member(3, 13), 0);
        job.join(Members.member(new ProcessId(1, 1), 14, 1), 0);
        assertThat(job.take())
                .containsExactly(
                        "13:Out[reason=REFUSED, text=rank 3 wants to join a world of 3 ranks]",
                        "14:Out[reason=FENCED, text=process 1 cannot join as 1'1: no process is replaced in this world]");
        assertThat(job.listener.take()).isEmpty();
    }

    @Test
    void shouldTellAllOfADeathAndEachThatJoinsAgain() {
        job.makeWorld();
        job.core.onEnded(ProcessId.of(1), "killed by signal 9", 0, job.out);
        job.core.onEnded(ProcessId.of(1), "killed by signal 9", 0, job.out);
        assertThat(job.take())
                .containsExactly(
                        "10:Death 1 (killed by signal 9)",
                        "12:Death 1 (killed by signal 9)",
                        "11:Fence[reason=the process that was started as rank 1 has ended]");
        job.join(2, 0);
        assertThat(job.take()).containsExactly("12:Final 1.0 of [0, 1, 2]", "12:Death 1 (killed by signal 9)");
    }

    @Test
    void shouldCallTheEndAfterAGoodbyeADeparture() {
        job.makeWorld();
        job.says(1, 0, new RendezvousMessage.Goodbye(SlotSet.of(0)));
        job.says(1, 0, new RendezvousMessage.Goodbye(SlotSet.of(0)));
        assertThat(job.take()).containsExactly("11:GoodbyeHeard[]", "11:GoodbyeHeard[]");
        assertThat(job.listener.take()).containsExactly("goodbye 1 {0}");
        job.join(1, 0);
        assertThat(job.take()).containsExactly("11:Final 1.0 of [0, 1, 2]", "11:GoodbyeHeard[]");

        job.core.onEnded(ProcessId.of(1), "exit code 1", 0, job.out);
        assertThat(job.take()).containsExactly("10:Departed[process=1]", "12:Departed[process=1]");
        job.core.onDeparted(ProcessId.of(2), 0, job.out);
        assertThat(job.take()).containsExactly("10:Departed[process=2]");
    }

    @Test
    void shouldTellTheOthersOfADeathAtOnceWhenAMemberLeaves() {
        job.makeWorld();
        job.says(1, 0, new RendezvousMessage.Leave("preempted"));
        job.says(1, 0, new RendezvousMessage.Leave("preempted"));
        assertThat(job.take())
                .containsExactly(
                        "10:Death 1 (it has left: preempted)",
                        "12:Death 1 (it has left: preempted)",
                        "11:LeaveHeard[]",
                        "11:LeaveHeard[]");
        assertThat(job.listener.take()).containsExactly("leave 1: preempted");

        job.says(2, 0, new RendezvousMessage.Suspect(ProcessId.of(1)));
        assertThat(job.listener.take()).isEmpty();
        job.join(1, 0);
        assertThat(job.take())
                .containsExactly("11:Final 1.0 of [0, 1, 2]", "11:Death 1 (it has left: preempted)", "11:LeaveHeard[]");
        job.core.onEnded(ProcessId.of(1), "exit code 75", 0, job.out);
        assertThat(job.take()).containsExactly("11:Fence[reason=the process that was started as rank 1 has ended]");
        job.join(2, 0);
        assertThat(job.take()).containsExactly("12:Final 1.0 of [0, 1, 2]", "12:Death 1 (it has left: preempted)");
    }

    @Test
    void shouldCallTheEndOfAMemberThatLeavesAfterItsGoodbyeADeparture() {
        job.makeWorld();
        job.says(1, 0, new RendezvousMessage.Goodbye(SlotSet.EMPTY));
        job.says(1, 0, new RendezvousMessage.Leave("preempted"));
        assertThat(job.take()).containsExactly("11:GoodbyeHeard[]", "11:LeaveHeard[]");
        assertThat(job.listener.take()).containsExactly("goodbye 1 {}");
        job.core.onEnded(ProcessId.of(1), "exit code 75", 0, job.out);
        assertThat(job.take()).containsExactly("10:Departed[process=1]", "12:Departed[process=1]");
    }

    @Test
    void shouldNotJudgeWhatHasLeft() {
        JobOfThree judged = new JobOfThree(false, 1_000 * MS);
        judged.makeWorld();
        judged.says(1, 0, new RendezvousMessage.Leave("preempted"));
        judged.core.onLooked(ProcessId.of(1), 'T', false, 1, judged.out);
        judged.take();
        judged.listener.take();
        judged.core.onTick(60_000 * MS, judged.out);
        assertThat(judged.listener.take()).noneMatch(event -> event.contains("silent 1"));
    }

    @Test
    void shouldBeginAnewOnlyOnceAllThatLeftHaveEnded() {
        JobOfThree restarted = new JobOfThree(true, 0);
        restarted.makeWorld();
        for (int slot = 0; slot < 3; slot++) {
            restarted.says(slot, 0, new RendezvousMessage.Leave("preempted"));
        }
        restarted.listener.take();
        restarted.core.onEnded(ProcessId.of(0), "exit code 75", 0, restarted.out);
        restarted.core.onEnded(ProcessId.of(1), "exit code 75", 0, restarted.out);
        assertThat(restarted.listener.take()).isEmpty();
        restarted.core.onEnded(ProcessId.of(2), "exit code 75", 0, restarted.out);
        assertThat(restarted.listener.take()).containsExactly("world gone");
    }

    @Test
    void shouldHearNoComplaintAboutWhoEndedOrLeftOrIsUnknown() {
        job.makeWorld();
        job.core.onEnded(ProcessId.of(0), "killed by signal 9", 0, job.out);
        job.says(1, 0, new RendezvousMessage.Goodbye(SlotSet.EMPTY));
        job.take();
        job.listener.take();
        job.says(2, 0, new RendezvousMessage.Suspect(ProcessId.of(0)));
        job.says(2, 0, new RendezvousMessage.Suspect(ProcessId.of(1)));
        job.says(2, 0, new RendezvousMessage.Suspect(ProcessId.of(2)));
        job.says(2, 0, new RendezvousMessage.Suspect(ProcessId.of(9)));
        job.says(2, 0, new RendezvousMessage.Suspect(new ProcessId(1, 1)));
        assertThat(job.take()).isEmpty();
        assertThat(job.listener.take()).isEmpty();
    }

    @Test
    void shouldFenceOnTheLaunchersWord() {
        job.makeWorld();
        job.core.onFence(ProcessId.of(1), "for a test", job.out);
        job.core.onFence(ProcessId.of(1), "again", job.out);
        assertThat(job.take()).containsExactly("11:Fence[reason=for a test]");
        assertThat(job.listener.take()).containsExactly("fenced 1: for a test");
    }

    @Test
    void shouldReportAnInjectionPointOncePerRankAndRule() {
        job.makeWorld();
        job.says(1, 0, new RendezvousMessage.Reached(4));
        job.says(1, 0, new RendezvousMessage.Reached(4));
        job.says(2, 0, new RendezvousMessage.Reached(4));
        assertThat(job.listener.take()).containsExactly("reached 1 rule 4", "reached 2 rule 4");
    }

    @Test
    void shouldTellEveryoneOfAnAbortAlsoThoseThatComeLater() {
        job.makeWorld();
        job.says(1, 0, new RendezvousMessage.Abort(7, "MPI.Abort"));
        assertThat(job.listener.take()).containsExactly("abort by 1 7: MPI.Abort");
        assertThat(job.take()).as("the launcher decides").isEmpty();
        job.core.onAbort(7, "rank 1 called abort(7)", job.out);
        assertThat(job.take()).hasSize(3).contains("12:Abort[code=7, reason=rank 1 called abort(7)]");
        job.join(2, 0);
        assertThat(job.take()).containsExactly("12:Abort[code=7, reason=rank 1 called abort(7)]");
        job.join(Members.member(1, 99), 0);
        assertThat(job.take()).containsExactly("99:Out[reason=CLOSED, text=rank 1 called abort(7)]");
    }

    @Test
    void shouldServeTheStoreToThoseWhoJoined() {
        job.join(0, 0);
        job.join(1, 0);
        long first = job.core.greet(10, 0, 1).session();
        long second = job.core.greet(11, 0, 1).session();
        RendezvousMessage.StoreAsk waiting = ask(first, 1, new StoreRequest.Get("k", true));
        job.says(0, 0, waiting);
        job.says(0, 0, waiting);
        job.core.onMessage(99L, waiting, 0, job.out);
        assertThat(job.take()).isEmpty();
        job.says(1, 0, ask(second, 1, new StoreRequest.Set("k", new byte[3])));
        assertThat(job.take())
                .containsExactly(
                        "10:StoreAnswer[id=1, result=Found[1, 3 bytes]]",
                        "11:StoreAnswer[id=1, result=Stored[version=1]]");
        job.says(0, 0, waiting);
        assertThat(job.take()).containsExactly("10:StoreAnswer[id=1, result=Found[1, 3 bytes]]");
    }

    @Test
    void shouldCarryNothingOutForAProcessThatHasEnded() {
        job.join(0, 0);
        job.join(1, 0);
        long first = job.core.greet(10, 0, 1).session();
        long second = job.core.greet(11, 0, 1).session();
        job.says(0, 0, ask(first, 1, new StoreRequest.Get("k", true)));
        job.end(0, 0);
        job.take();
        job.says(0, 0, ask(first, 2, new StoreRequest.Set("k", new byte[1])));
        job.says(1, 0, ask(second, 1, new StoreRequest.Get("k", false)));
        assertThat(job.take()).containsExactly("11:StoreAnswer[id=1, result=Found[0, 0 bytes]]");
        assertThat(job.core.greet(10, first, 2).session()).isZero();
    }

    private static RendezvousMessage.StoreAsk ask(long session, long id, StoreRequest request) {
        return new RendezvousMessage.StoreAsk(session, id, List.of(), request);
    }
}
