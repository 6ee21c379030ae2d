package org.ulfmj.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.transport.MemberRecord;

/** The core of a job with restarts: slot s has nonce 10 + s, its next process 20 + s, and so on. */
class ReplacingCoreTest {
    private static final long MS = 1_000_000;
    private static final RunSpec RUN = new RunSpec("job", 3, 0, 600_000 * MS, 10_000 * MS, true);
    private static final String ENDED = "the process that was started as rank ";

    private final RecordedListener listener = new RecordedListener();
    private final RendezvousCore core = new RendezvousCore(RUN, listener);
    private final List<String> sent = new ArrayList<>();
    private final Outbox<Long, RendezvousMessage> out = (nonce, message) -> sent.add(nonce + ":" + describe(message));

    private static String describe(RendezvousMessage message) {
        if (message instanceof RendezvousMessage.Table table) {
            return "Table " + table.round() + " of " + ids(table.members());
        }
        if (message instanceof RendezvousMessage.Final world) {
            return "Final " + world.round() + "." + world.epoch() + " of " + ids(world.members());
        }
        if (message instanceof RendezvousMessage.Wait wait) {
            return "Wait " + wait.round() + "." + wait.epoch() + " for " + ids(wait.members());
        }
        if (message instanceof RendezvousMessage.Pending pending) {
            return "Pending " + pending.member().id();
        }
        if (message instanceof RendezvousMessage.Death death) {
            return "Death " + death.process();
        }
        return message.toString();
    }

    private static List<ProcessId> ids(List<MemberRecord> members) {
        return members.stream().map(MemberRecord::id).toList();
    }

    private List<String> take() {
        List<String> taken = List.copyOf(sent);
        sent.clear();
        return taken;
    }

    private static ProcessId id(int slot, int incarnation) {
        return new ProcessId(slot, incarnation);
    }

    private static MemberRecord member(int slot, int incarnation) {
        return Members.member(id(slot, incarnation), nonce(slot, incarnation), 4000 + slot);
    }

    private static long nonce(int slot, int incarnation) {
        return 10L * (incarnation + 1) + slot;
    }

    private void join(int slot, int incarnation) {
        says(slot, incarnation, new RendezvousMessage.Join(member(slot, incarnation), 0, 0));
    }

    private void says(int slot, int incarnation, RendezvousMessage message) {
        core.onMessage(nonce(slot, incarnation), message, 0, out);
    }

    private void confirmAll(int round, int incarnation) {
        for (int slot = 0; slot < 3; slot++) {
            says(slot, incarnation, new RendezvousMessage.Confirm(round));
        }
    }

    private void makeWorld() {
        for (int slot = 0; slot < 3; slot++) {
            join(slot, 0);
        }
        confirmAll(1, 0);
        forget();
    }

    private void forget() {
        take();
        listener.take();
    }

    private void end(int slot, int incarnation) {
        core.onEnded(id(slot, incarnation), "killed", 0, out);
    }

    private void commit(int slot, int incarnation, int epoch, long digest, MemberRecord... members) {
        says(slot, incarnation, new RendezvousMessage.Committed(1, epoch, List.of(members), digest));
    }

    /** Slot 2 has died, and 2'1 waits. */
    private void makeWorldWithNewcomer() {
        makeWorld();
        end(2, 0);
        core.onRestartAllowed(id(2, 1));
        join(2, 1);
        forget();
    }

    @Test
    void shouldTellANewcomerOfTheWorldAndTheMembersOfIt() {
        makeWorld();
        end(2, 0);
        take();
        core.onRestartAllowed(id(2, 1));
        join(2, 1);
        assertThat(take()).containsExactly("22:Wait 1.0 for [0, 1, 2]", "10:Pending 2'1", "11:Pending 2'1");
        assertThat(listener.take()).containsExactly("pending 2'1");
        join(2, 1);
        assertThat(take()).containsExactly("22:Wait 1.0 for [0, 1, 2]");
        join(1, 0);
        assertThat(take()).containsExactly("11:Final 1.0 of [0, 1, 2]", "11:Death 2", "11:Pending 2'1");
        assertThat(listener.take()).isEmpty();
    }

    @Test
    void shouldRefuseIncarnationsThatTheLauncherHasNotStartedOrThatAreOver() {
        makeWorld();
        end(2, 0);
        take();
        join(2, 1);
        assertThat(take())
                .containsExactly(
                        "22:Out[reason=FENCED, text=process 4002 cannot join as 2'1: mpiexec has not started" + " it]");
        core.onRestartAllowed(id(2, 2));
        says(2, 1, new RendezvousMessage.Join(member(2, 1), 0, 0));
        assertThat(take()).as("the same reason for ever").hasSize(1).allMatch(line -> line.contains("has not started"));
        MemberRecord late = Members.member(id(2, 1), 77, 99);
        core.onMessage(77L, new RendezvousMessage.Join(late, 0, 0), 0, out);
        assertThat(take())
                .containsExactly("77:Out[reason=FENCED, text=process 99 cannot join as 2'1: 2'2 has been started in"
                        + " its place]");
        end(2, 2);
        join(2, 2);
        assertThat(take())
                .containsExactly("32:Out[reason=FENCED, text=process 4002 cannot join as 2'2: what was started as it"
                        + " has ended]");
    }

    @Test
    void shouldNotOfferANewcomerBeforeTheOlderProcessHasEnded() {
        makeWorld();
        core.onRestartAllowed(id(2, 1));
        join(2, 1);
        assertThat(take()).containsExactly("22:Wait 1.0 for [0, 1, 2]");
        end(2, 0);
        assertThat(take())
                .containsExactly(
                        "10:Death 2",
                        "11:Death 2",
                        "12:Fence[reason=" + ENDED + "2 has ended]",
                        "10:Pending 2'1",
                        "11:Pending 2'1");
    }

    @Test
    void shouldTellOfTheDeathOfANewcomerAndOfferTheNext() {
        makeWorldWithNewcomer();
        end(2, 1);
        assertThat(take())
                .containsExactly(
                        "10:Death 2'1", "11:Death 2'1", "22:Out[reason=FENCED, text=" + ENDED + "2'1 has ended]");
        core.onRestartAllowed(id(2, 2));
        join(2, 2);
        assertThat(take()).containsExactly("32:Wait 1.0 for [0, 1, 2]", "10:Pending 2'2", "11:Pending 2'2");
    }

    @Test
    void shouldTellAllThatNobodyComesAndAgainWhoeverJoinsAgain() {
        makeWorld();
        end(2, 0);
        take();
        core.onNoMore(2, "used up", 0, out);
        core.onNoMore(2, "used up", 0, out);
        assertThat(take()).containsExactly("10:NoMore[slot=2, why=used up]", "11:NoMore[slot=2, why=used up]");
        join(0, 0);
        assertThat(take()).containsExactly("10:Final 1.0 of [0, 1, 2]", "10:Death 2", "10:NoMore[slot=2, why=used up]");
    }

    @Test
    void shouldTakeTheMembersWordForWhomTheyAdmitted() {
        makeWorldWithNewcomer();
        commit(0, 0, 1, 7, member(0, 0), member(1, 0), member(2, 1));
        assertThat(take()).isEmpty();
        assertThat(listener.take()).containsExactly("committed by 0 epoch 1: [0, 1, 2'1]");
        commit(1, 0, 1, 7, member(0, 0), member(1, 0), member(2, 1));
        assertThat(listener.take()).isEmpty();
        join(2, 1);
        assertThat(take()).as("not yet heard to run").containsExactly("22:Wait 1.1 for [0, 1]");

        commit(2, 1, 1, 7, member(0, 0), member(1, 0), member(2, 1));
        assertThat(take()).as("what members were told before").containsExactly("22:Death 2");
        says(2, 1, new RendezvousMessage.Join(member(2, 1), 1, 1));
        assertThat(take()).containsExactly("22:Final 1.1 of [0, 1, 2'1]", "22:Death 2");
        end(1, 0);
        assertThat(take()).contains("22:Death 1", "10:Death 1");
    }

    @Test
    void shouldTellWhomTheWorldWentOnWithout() {
        makeWorldWithNewcomer();
        commit(0, 0, 1, 7, member(0, 0), member(1, 0));
        String gone = "22:Out[reason=GONE_ON, text=the world has gone on without rank 2'1, in epoch 1]";
        assertThat(take()).containsExactly(gone);
        assertThat(listener.take()).containsExactly("committed by 0 epoch 1: [0, 1]", "left out 2'1");
        join(2, 1);
        assertThat(take()).containsExactly(gone);
        end(2, 1);
        core.onRestartAllowed(id(2, 2));
        take();
        join(2, 2);
        assertThat(take())
                .as("its place was given up before it came")
                .containsExactly("32:Out[reason=GONE_ON, text=the world has gone on without rank 2'2, in epoch 1]");
    }

    @Test
    void shouldKeepANewcomerWhosePlaceIsStillThere() {
        makeWorldWithNewcomer();
        end(1, 0);
        core.onRestartAllowed(id(1, 1));
        join(1, 1);
        forget();
        commit(0, 0, 1, 7, member(0, 0), member(1, 0), member(2, 1));
        assertThat(take()).as("1'1 was announced too late for this epoch").isEmpty();
        commit(0, 0, 2, 8, member(0, 0), member(1, 1), member(2, 1));
        assertThat(listener.take())
                .containsExactly("committed by 0 epoch 1: [0, 1, 2'1]", "committed by 0 epoch 2: [0, 1'1, 2'1]");
    }

    @Test
    void shouldTellNewcomersOfEachOther() {
        makeWorldWithNewcomer();
        end(1, 0);
        core.onRestartAllowed(id(1, 1));
        take();
        join(1, 1);
        assertThat(take())
                .containsExactly("21:Wait 1.0 for [0, 1, 2]", "10:Pending 1'1", "22:Pending 1'1", "21:Pending 2'1");
        join(2, 1);
        assertThat(take()).containsExactly("22:Wait 1.0 for [0, 1, 2]", "22:Pending 1'1");
    }

    @Test
    void shouldFenceALiveMemberThatTheOthersGoOnWithout() {
        makeWorldWithNewcomer();
        commit(0, 0, 1, 7, member(0, 0), member(2, 1));
        String gone = "11:Out[reason=FENCED, text=the world has gone on without rank 1]";
        assertThat(take()).containsExactly(gone);
        assertThat(listener.take()).containsExactly("committed by 0 epoch 1: [0, 2'1]", "excluded 1");
        join(1, 0);
        assertThat(take()).containsExactly(gone);
        says(1, 0, new RendezvousMessage.Unreachable(id(0, 0)));
        assertThat(take()).as("it has no say").isEmpty();
        assertThat(listener.take()).isEmpty();
    }

    @Test
    void shouldNotTurnBackToAnOlderEpochThatIsToldLate() {
        makeWorldWithNewcomer();
        commit(0, 0, 2, 8, member(0, 0), member(1, 0));
        forget();
        commit(1, 0, 1, 7, member(0, 0), member(1, 0), member(2, 1));
        assertThat(listener.take())
                .as("a member of the older epoch that the present one lacks may run")
                .containsExactly("excluded 2'1");
        join(0, 0);
        assertThat(take()).contains("10:Final 1.2 of [0, 1]");
    }

    @Test
    void shouldExcludeWhoRunsInAnotherWorldOfTheSameEpoch() {
        makeWorldWithNewcomer();
        commit(0, 0, 1, 7, member(0, 0), member(1, 0), member(2, 1));
        forget();
        commit(1, 0, 1, 9, member(1, 0), member(2, 1));
        assertThat(listener.take()).containsExactly("excluded 1");
        assertThat(take())
                .containsExactly(
                        "11:Out[reason=FENCED, text=rank 1 is in another world than the first that was heard" + " of]");
    }

    @Test
    void shouldExcludeWhoSpeaksOfAWorldWithStrangers() {
        makeWorld();
        commit(0, 0, 1, 7, member(0, 0), member(1, 0), member(2, 1));
        assertThat(listener.take()).containsExactly("excluded 0");
    }

    @Test
    void shouldIgnoreAnotherRoundAndAWorldWithoutItsSpeaker() {
        makeWorldWithNewcomer();
        says(0, 0, new RendezvousMessage.Committed(2, 1, List.of(member(0, 0)), 7));
        says(0, 0, new RendezvousMessage.Committed(1, 0, List.of(member(0, 0)), 7));
        commit(0, 0, 1, 7, member(1, 0), member(2, 1));
        assertThat(take()).isEmpty();
        assertThat(listener.take()).isEmpty();
    }

    @Test
    void shouldCallTheRollAndGatherAnewWhenAllMembersHaveDied() {
        makeWorldWithNewcomer();
        end(0, 0);
        end(1, 0);
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.ROLLCALL);
        assertThat(take()).contains("22:Recall[round=1, call=1]");
        join(2, 1);
        assertThat(take()).containsExactly("22:Recall[round=1, call=1]");
        core.onRestartAllowed(id(0, 1));
        join(0, 1);
        assertThat(take()).as("who comes in a roll call is told nothing").isEmpty();
        says(2, 1, new RendezvousMessage.StillWaiting(9));
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.ROLLCALL);
        listener.take();
        says(2, 1, new RendezvousMessage.StillWaiting(1));
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.JOINABLE);
        assertThat(listener.take()).containsExactly("world gone", "joined 0'1", "joined 2'1");

        core.onRestartAllowed(id(1, 1));
        join(1, 1);
        assertThat(take())
                .containsExactly(
                        "20:Table 2 of [0'1, 1'1, 2'1]",
                        "21:Table 2 of [0'1, 1'1, 2'1]",
                        "22:Table 2 of [0'1, 1'1, 2'1]");
        confirmAll(2, 1);
        assertThat(take()).contains("21:Final 2.0 of [0'1, 1'1, 2'1]");
        assertThat(listener.take()).containsExactly("joined 1'1", "final");
    }

    @Test
    void shouldStayInTheWorldWhenANewcomerAnswersThatItRuns() {
        makeWorldWithNewcomer();
        end(0, 0);
        end(1, 0);
        core.onRestartAllowed(id(0, 1));
        join(0, 1);
        forget();
        commit(2, 1, 1, 7, member(0, 0), member(1, 0), member(2, 1));
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.FINAL);
        assertThat(take())
                .containsExactly(
                        "22:Death 2", "22:Death 0", "22:Death 1", "20:Wait 1.1 for [0, 1, 2'1]", "22:Pending 0'1");
    }

    @Test
    void shouldCallAgainByAnotherNumberWhenTheWorldIsGoneAgain() {
        makeWorldWithNewcomer();
        end(1, 0);
        core.onRestartAllowed(id(1, 1));
        join(1, 1);
        end(0, 0);
        assertThat(take()).contains("21:Recall[round=1, call=1]", "22:Recall[round=1, call=1]");
        commit(2, 1, 1, 7, member(0, 0), member(1, 0), member(2, 1));
        end(2, 1);
        assertThat(take()).contains("21:Recall[round=1, call=2]");
        says(1, 1, new RendezvousMessage.StillWaiting(1));
        assertThat(core.phase())
                .as("it may have been admitted after its answer")
                .isEqualTo(RendezvousCore.Phase.ROLLCALL);
    }

    @Test
    void shouldNotLeaveTheWorldWhileAnExcludedProcessMayRun() {
        makeWorldWithNewcomer();
        commit(0, 0, 1, 7, member(0, 0), member(2, 1));
        end(0, 0);
        end(2, 1);
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.FINAL);
        listener.take();
        end(1, 0);
        assertThat(listener.take()).containsExactly("world gone");
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.JOINABLE);
    }

    @Test
    void shouldSendNewcomersAndSparesAwayWhenTheWorldHasFinalized() {
        makeWorldWithNewcomer();
        core.onMessage(90L, new RendezvousMessage.Spare(1), 0, out);
        end(1, 0);
        forget();
        says(0, 0, new RendezvousMessage.Goodbye(SlotSet.of(1, 2)));
        assertThat(take()).containsExactly("10:GoodbyeHeard[]", "22:Recall[round=1, call=1]");
        says(2, 1, new RendezvousMessage.StillWaiting(1));
        String over = "Out[reason=CLOSED, text=all processes of the world have finalized, or died]";
        assertThat(take()).containsExactly("22:" + over, "90:" + over);
        assertThat(listener.take()).containsExactly("goodbye 0 {1,2}", "left out 2'1");
        core.onRestartAllowed(id(1, 1));
        join(1, 1);
        assertThat(take()).containsExactly("21:" + over);
        join(0, 0);
        assertThat(take()).contains("10:GoodbyeHeard[]");
    }

    @Test
    void shouldGiveASpareItsPlaceAndTellItAgain() {
        core.onMessage(90L, new RendezvousMessage.Spare(1), 0, out);
        core.onMessage(91L, new RendezvousMessage.Spare(1), 0, out);
        assertThat(take())
                .containsExactly(
                        "90:Wait 0.0 for []",
                        "91:Out[reason=REFUSED, text=spare 1 has come already, as another process]");
        assertThat(listener.take()).containsExactly("spare 1");
        makeWorld();
        end(1, 0);
        take();
        core.onAssign(1, id(1, 1), out);
        assertThat(take()).containsExactly("90:Assign[process=1'1]");
        core.onMessage(90L, new RendezvousMessage.Spare(1), 0, out);
        assertThat(take()).containsExactly("90:Assign[process=1'1]");
        core.onMessage(90L, new RendezvousMessage.Join(Members.member(id(1, 1), 90, 1), 0, 0), 0, out);
        assertThat(take()).contains("90:Wait 1.0 for [0, 1, 2]", "10:Pending 1'1");
        core.onMessage(90L, new RendezvousMessage.Spare(1), 0, out);
        assertThat(take()).as("it is none any more").isEmpty();
    }

    @Test
    void shouldAssignASpareThatHasNotCalledYetAndForgetOneThatEnded() {
        core.onAssign(1, id(1, 1), out);
        assertThat(take()).isEmpty();
        core.onMessage(90L, new RendezvousMessage.Spare(1), 0, out);
        assertThat(take()).containsExactly("90:Assign[process=1'1]");
        core.onMessage(92L, new RendezvousMessage.Spare(2), 0, out);
        core.onSpareEnded(2);
        core.onAbort(3, "enough", out);
        assertThat(take())
                .doesNotContain("92:Abort[code=3, reason=enough]")
                .contains("90:Abort[code=3, reason=enough]");
        core.onMessage(93L, new RendezvousMessage.Spare(3), 0, out);
        assertThat(take()).containsExactly("93:Out[reason=CLOSED, text=enough]");
    }

    @Test
    void shouldWaitForTheNextProcessWhenOneEndsBeforeTheWorldIsComplete() {
        for (int slot = 0; slot < 3; slot++) {
            join(slot, 0);
        }
        says(0, 0, new RendezvousMessage.Confirm(1));
        forget();
        end(1, 0);
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.JOINABLE);
        assertThat(take()).containsExactly("11:Out[reason=FENCED, text=" + ENDED + "1 has ended]");
        says(2, 0, new RendezvousMessage.Confirm(1));
        core.onRestartAllowed(id(1, 1));
        join(1, 1);
        assertThat(take())
                .containsExactly("10:Table 2 of [0, 1'1, 2]", "21:Table 2 of [0, 1'1, 2]", "12:Table 2 of [0, 1'1, 2]");
        says(0, 0, new RendezvousMessage.Confirm(1));
        says(2, 0, new RendezvousMessage.Confirm(2));
        says(1, 1, new RendezvousMessage.Confirm(2));
        assertThat(core.phase())
                .as("a confirmation of round 1 is none of round 2")
                .isEqualTo(RendezvousCore.Phase.FROZEN);
        says(0, 0, new RendezvousMessage.Confirm(2));
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.FINAL);
    }

    @Test
    void shouldKeepWhoComesTooEarlyUntilTheOlderProcessHasEnded() {
        for (int slot = 0; slot < 3; slot++) {
            join(slot, 0);
        }
        core.onRestartAllowed(id(1, 1));
        take();
        join(1, 1);
        assertThat(take()).containsExactly("21:Wait 1.0 for []");
        end(1, 0);
        assertThat(take()).contains("21:Table 2 of [0, 1'1, 2]");
    }

    @Test
    void shouldCloseWhenNobodyComesForASlotThatIsNeeded() {
        join(0, 0);
        core.onEnded(id(1, 0), "exit code 3", 0, out);
        assertThat(take()).as("it may be started again").isEmpty();
        core.onNoMore(1, "2 of 2 restarts are used up", 0, out);
        assertThat(take())
                .containsExactly("10:Out[reason=CLOSED, text=rank 1 ended before MPI.Init (exit code 3), and it is not"
                        + " started again: 2 of 2 restarts are used up]");
    }

    @Test
    void shouldGoOnWithoutWhoDoesNotConfirmWhenItMayBeStartedAgain() {
        for (int slot = 0; slot < 3; slot++) {
            join(slot, 0);
        }
        says(0, 0, new RendezvousMessage.Confirm(1));
        says(2, 0, new RendezvousMessage.Confirm(1));
        take();
        core.onTick(10_000 * MS, out);
        assertThat(core.phase()).isEqualTo(RendezvousCore.Phase.JOINABLE);
        String text = "11:Out[reason=NO_CONFIRM, text=within 10000 ms (ulfm.rdzv.confirm) the table of addresses was"
                + " not confirmed by rank 1]";
        assertThat(take()).containsExactly(text);
        join(1, 0);
        assertThat(take()).as("it is never taken back").containsExactly(text);
        end(1, 0);
        core.onRestartAllowed(id(1, 1));
        join(1, 1);
        assertThat(take()).contains("21:Table 2 of [0, 1'1, 2]");
    }

    @Test
    void shouldTellWhoCameInARollCallThatItTookTooLong() {
        makeWorldWithNewcomer();
        end(0, 0);
        end(1, 0);
        core.onRestartAllowed(id(0, 1));
        join(0, 1);
        forget();
        assertThat(core.nextDeadlineNs()).isEqualTo(600_000 * MS);
        core.onTick(600_000 * MS, out);
        assertThat(take())
                .containsExactly("20:Out[reason=TIMEOUT, text=waited 600000 ms (ulfm.rdzv.join) for others to say"
                        + " whether they run: state ROLLCALL]");
        assertThat(core.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldFenceTheNewcomerRatherThanAMember() {
        makeWorld();
        end(0, 0);
        core.onRestartAllowed(id(0, 1));
        join(0, 1);
        forget();
        says(2, 0, new RendezvousMessage.Unreachable(id(0, 1)));
        assertThat(take()).containsExactly("20:Fence[reason=rank 2 and this rank can not reach each other]");
        assertThat(listener.take())
                .containsExactly("unreachable 2 to 0'1", "fenced 0'1: rank 2 and this rank can not reach each other");
    }

    @Test
    void shouldHearAndAskLaterIncarnationsByTheirName() {
        makeWorldWithNewcomer();
        core.onAskWaits(id(2, 1), 5, out);
        core.onAskWaits(id(2, 0), 6, out);
        assertThat(take()).containsExactly("22:AskWaits[request=5]");
        says(2, 1, new RendezvousMessage.Reached(3));
        says(2, 1, new RendezvousMessage.Abort(9, "why"));
        assertThat(listener.take()).containsExactly("reached 2'1 rule 3", "abort by 2'1 9: why");
        core.onFence(id(2, 0), "too late", out);
        core.onFence(id(2, 1), "for a test", out);
        assertThat(take()).containsExactly("22:Fence[reason=for a test]");
    }
}
