package org.ulfmj.rendezvous.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.Members;
import org.ulfmj.rendezvous.lease.HeldLease;
import org.ulfmj.rendezvous.lease.LeaseTimes;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.store.StoreReply;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.rendezvous.store.StoreResult;
import org.ulfmj.transport.MemberRecord;

/** A newcomer's end of the rendezvous. */
class JoinSessionTest {
    private static final MemberRecord OTHER = Members.member(0, 10);
    private static final MemberRecord ME = Members.member(new ProcessId(1, 1), 21, 4711);
    private static final RendezvousMessage.Join JOIN = new RendezvousMessage.Join(ME, 0, 0);

    private final JoinSession session = new JoinSession(ME);
    private final RecordedNews news = new RecordedNews();
    private final List<RendezvousMessage> said = new ArrayList<>();

    private void hear(RendezvousMessage message) {
        session.onMessage(message, said::add, news);
    }

    private List<RendezvousMessage> take() {
        List<RendezvousMessage> taken = List.copyOf(said);
        said.clear();
        return taken;
    }

    private void wait(int round, int epoch) {
        hear(new RendezvousMessage.Wait(round, epoch, List.of(OTHER)));
    }

    @Test
    void shouldKeepItsLeaseAliveAndEndWithItOnceItIsPartOfAWorld() {
        JoinSession leased = new JoinSession(ME, new HeldLease(new LeaseTimes(1_000, 200, 400)));
        assertThat(leased.nextLeaseDeadlineNs(true)).isEqualTo(Long.MAX_VALUE);
        leased.onConnected(100, said::add);
        assertThat(take()).containsExactly(JOIN, new RendezvousMessage.KeepAlive(1));
        leased.keepAlive(299, said::add);
        assertThat(take()).isEmpty();
        assertThat(leased.nextLeaseDeadlineNs(true)).isEqualTo(300);
        leased.keepAlive(300, said::add);
        assertThat(take()).containsExactly(new RendezvousMessage.KeepAlive(2));
        assertThat(leased.isLeaseOver(5_000)).as("it is part of nothing yet").isFalse();
        leased.onMessage(new RendezvousMessage.Wait(1, 2, List.of(OTHER)), said::add, news);
        leased.onMessage(new RendezvousMessage.Kept(2), said::add, news);
        assertThat(leased.isLeaseOver(1_299)).isFalse();
        assertThat(leased.isLeaseOver(1_300)).isTrue();
        assertThat(session.isLeaseOver(Long.MAX_VALUE / 2))
                .as("a job without leases")
                .isFalse();
    }

    @Test
    void shouldWaitForAWorldAndSayOnEveryConnectionThatItWasAdmitted() {
        session.onConnected(said::add);
        hear(new RendezvousMessage.Wait(1, 0, List.of()));
        assertThat(session.isSettled()).as("there is no world yet").isFalse();
        wait(1, 2);
        assertThat(session.isSettled()).isTrue();
        assertThat(session.mayBeAdmitted()).isTrue();
        assertThat(session.table()).containsExactly(OTHER);
        assertThat(take()).containsExactly(JOIN);

        session.committed(3, List.of(OTHER, ME), 7, said::add);
        RendezvousMessage.Committed committed = new RendezvousMessage.Committed(1, 3, List.of(OTHER, ME), 7);
        assertThat(take()).containsExactly(committed);
        assertThat(session.state()).isEqualTo(JoinSession.State.RUNNING);
        session.onConnected(said::add);
        assertThat(take()).containsExactly(new RendezvousMessage.Join(ME, 1, 3), committed);
        wait(1, 3);
        assertThat(session.state()).as("it runs already").isEqualTo(JoinSession.State.RUNNING);
    }

    @Test
    void shouldComplainOnEveryConnectionUntilItHearsTheProcessOrOfItsEnd() {
        RendezvousMessage.Suspect complaint = new RendezvousMessage.Suspect(ProcessId.of(0));
        session.suspect(ProcessId.of(0), said::add);
        assertThat(take()).containsExactly(complaint);
        session.onConnected(said::add);
        assertThat(take()).containsExactly(JOIN, complaint);

        session.heard(ProcessId.of(0), said::add);
        session.heard(ProcessId.of(0), said::add);
        assertThat(take()).containsExactly(new RendezvousMessage.Heard(ProcessId.of(0)));
        session.onConnected(said::add);
        assertThat(take()).containsExactly(JOIN);

        session.suspect(ProcessId.of(0), said::add);
        session.suspect(ProcessId.of(2), said::add);
        hear(new RendezvousMessage.Death(ProcessId.of(0), "silent"));
        hear(new RendezvousMessage.Departed(ProcessId.of(2)));
        take();
        session.onConnected(said::add);
        assertThat(take()).containsExactly(JOIN);
    }

    @Test
    void shouldPassOnWhatTheJudgeAsks() {
        hear(new RendezvousMessage.AreYouThere(4, List.of(ProcessId.of(0), ProcessId.of(2))));
        hear(new RendezvousMessage.DoYouHear(5, ProcessId.of(0)));
        hear(new RendezvousMessage.Silenced(ProcessId.of(2), "state D"));
        assertThat(news.lines()).containsExactly("are you there 4 [0, 2]", "do you hear 5 0", "silenced 2: state D");
    }

    @Test
    void shouldNotBeAdmittedAfterItHasSaidThatItDoesNotRun() {
        wait(1, 0);
        hear(new RendezvousMessage.Recall(1, 4));
        assertThat(take()).containsExactly(new RendezvousMessage.StillWaiting(4));
        assertThat(session.mayBeAdmitted()).isFalse();
        assertThatThrownBy(() -> session.committed(1, List.of(OTHER, ME), 7, said::add))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("process 1'1 enters epoch 1, and is PENDING, having said that it does not run");
        wait(1, 0);
        assertThat(session.mayBeAdmitted()).isTrue();
    }

    @Test
    void shouldAnswerTheRollWithItsWorldWhenItRuns() {
        wait(1, 0);
        session.committed(1, List.of(OTHER, ME), 7, said::add);
        take();
        hear(new RendezvousMessage.Recall(1, 4));
        assertThat(take()).containsExactly(new RendezvousMessage.Committed(1, 1, List.of(OTHER, ME), 7));
    }

    @Test
    void shouldTellThatItIsPartOfANewWorldWhenTheOldOneIsGone() {
        wait(1, 0);
        hear(new RendezvousMessage.Recall(1, 1));
        take();
        hear(new RendezvousMessage.Table(1, List.of(OTHER, ME)));
        assertThat(take()).as("the round it waited in is over for it").isEmpty();
        hear(new RendezvousMessage.Table(2, List.of(OTHER, ME)));
        hear(new RendezvousMessage.Table(2, List.of(OTHER, ME)));
        assertThat(take()).containsExactly(new RendezvousMessage.Confirm(2), new RendezvousMessage.Confirm(2));
        hear(new RendezvousMessage.Final(1, 0, List.of(OTHER, ME)));
        assertThat(session.mayBeAdmitted()).isFalse();
        assertThat(news.lines()).isEmpty();
        hear(new RendezvousMessage.Final(2, 0, List.of(OTHER, ME)));
        assertThat(news.lines()).containsExactly("gathered [0, 1'1]");
        assertThat(session.round()).isEqualTo(2);
    }

    @Test
    void shouldBePendingAgainWhenANewRoundIsHeldWithoutIt() {
        hear(new RendezvousMessage.Table(1, List.of(OTHER, ME)));
        wait(1, 0);
        assertThat(session.state()).as("an old word").isEqualTo(JoinSession.State.CONFIRMED);
        wait(2, 0);
        assertThat(session.mayBeAdmitted()).isTrue();
    }

    @Test
    void shouldTellWhyItIsOutWhileItWaits() {
        wait(1, 0);
        hear(new RendezvousMessage.Out(OutReason.GONE_ON, "without you"));
        hear(new RendezvousMessage.Pending(OTHER));
        session.committed(1, List.of(OTHER, ME), 7, said::add);
        assertThat(session.state()).isEqualTo(JoinSession.State.OUT);
        assertThat(take()).isEmpty();
        assertThat(news.lines()).containsExactly("out GONE_ON: without you");
    }

    @Test
    void shouldTellOfNewcomersAndOfSlotsThatStayEmpty() {
        hear(new RendezvousMessage.Pending(OTHER));
        hear(new RendezvousMessage.NoMore(3, "used up"));
        assertThat(news.lines()).containsExactly("pending 0", "no more 3: used up");
    }

    @Test
    void shouldFenceItselfWhenItRunsAndTheOthersGoOnWithoutIt() {
        wait(1, 0);
        session.committed(1, List.of(OTHER, ME), 7, said::add);
        hear(new RendezvousMessage.Out(OutReason.FENCED, "another world"));
        assertThat(news.lines()).containsExactly("fence: another world");
    }

    @Test
    void shouldSendUnansweredRequestsToTheStoreAgainOnTheNextConnection() {
        session.onWelcome(5, 77, news);
        session.onConnected(said::add);
        StoreReply waiting = session.ask(new StoreRequest.Get("a", true), said::add);
        StoreReply answered = session.ask(new StoreRequest.Delete("b"), said::add);
        hear(new RendezvousMessage.StoreAnswer(2, new StoreResult.Stored(4)));
        assertThat(answered.result()).isEqualTo(new StoreResult.Stored(4));
        take();
        session.onWelcome(5, 77, news);
        session.onConnected(said::add);
        RendezvousMessage again = new RendezvousMessage.StoreAsk(77, 1, List.of(), new StoreRequest.Get("a", true));
        assertThat(take()).containsExactly(JOIN, again);
        session.withdraw(waiting, said::add);
        assertThat(take())
                .containsExactly(new RendezvousMessage.StoreAsk(77, 3, List.of(1L), new StoreRequest.Withdraw(1)));
    }

    @Test
    void shouldFenceItselfWhenTheStoreSaysThatItsSessionIsOver() {
        session.onWelcome(5, 77, news);
        StoreReply waiting = session.ask(new StoreRequest.Get("a", true), said::add);
        hear(new RendezvousMessage.StoreExpired(76, "of another session"));
        assertThat(news.lines()).isEmpty();
        hear(new RendezvousMessage.StoreExpired(77, "it is over"));
        assertThat(news.lines()).containsExactly("fence: it is over");
        assertThat(waiting.unknownBecause()).isEqualTo("it is over");
        take();
        session.onConnected(said::add);
        assertThat(take()).containsExactly(JOIN);
    }

    @Test
    void shouldFenceItselfWhenTheLauncherGreetsItWithoutASession() {
        session.onWelcome(5, 77, news);
        StoreReply waiting = session.ask(new StoreRequest.Get("a", true), said::add);
        session.onWelcome(5, 0, news);
        assertThat(waiting.unknownBecause()).contains("has ended the session");
        assertThat(news.lines()).hasSize(1).first().asString().startsWith("fence: the launcher has ended the session");
    }

    @Test
    void shouldNotFenceItselfForAnotherLaunchersStore() {
        session.onWelcome(5, 77, news);
        StoreReply waiting = session.ask(new StoreRequest.Get("a", true), said::add);
        session.onWelcome(6, 77, news);
        assertThat(waiting.unknownBecause()).contains("another launcher answers");
        assertThat(news.lines()).isEmpty();
        assertThat(session.ask(new StoreRequest.Get("a", true), said::add).unknownBecause())
                .contains("another launcher answers");
    }

    @Test
    void shouldActOnceOnEachSignal() {
        hear(new RendezvousMessage.Signal(1, "USR1"));
        hear(new RendezvousMessage.Signal(2, "USR1"));
        hear(new RendezvousMessage.Signal(1, "USR1"));
        hear(new RendezvousMessage.Signal(2, "USR1"));
        hear(new RendezvousMessage.Signal(3, "TERM"));
        assertThat(news.lines()).containsExactly("signal USR1", "signal USR1", "signal TERM");
    }

    /**
     * A process that waits for the answer to its keep-alive stops waiting once the answer comes, or a message shows
     * that none will come.
     */
    @Test
    void shouldHoldAProcessBackUntilItsLeaseIsAnsweredOrItIsToEnd() {
        List<RendezvousMessage> endings = List.of(
                new RendezvousMessage.Kept(2),
                new RendezvousMessage.Out(OutReason.CLOSED, "over"),
                new RendezvousMessage.Fence("for a test"),
                new RendezvousMessage.GoodbyeHeard());
        for (RendezvousMessage ending : endings) {
            JoinSession leased = new JoinSession(ME, new HeldLease(new LeaseTimes(1_000, 200, 400)));
            leased.onConnected(100, said::add);
            leased.onMessage(new RendezvousMessage.Wait(1, 2, List.of(OTHER)), said::add, news);
            assertThat(leased.isLeaseOver(1_100)).isTrue();
            leased.beginLeaseAnew(1_100, said::add);
            assertThat(leased.isHeldBack()).isTrue();
            assertThat(leased.isLeaseOver(2_099)).isFalse();
            leased.onMessage(new RendezvousMessage.Kept(1), said::add, news);
            assertThat(leased.isHeldBack()).as("an old answer").isTrue();
            leased.onMessage(ending, said::add, news);
            assertThat(leased.isHeldBack()).as(ending.toString()).isFalse();
            assertThat(leased.isToEnd())
                    .isEqualTo(ending instanceof RendezvousMessage.Out || ending instanceof RendezvousMessage.Fence);
        }
    }
}
