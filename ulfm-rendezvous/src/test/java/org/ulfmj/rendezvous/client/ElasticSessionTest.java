package org.ulfmj.rendezvous.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.Members;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.transport.MemberRecord;

/** The session with the launcher of a process that joins without a slot; its nonce is 5. */
class ElasticSessionTest {
    private static final MemberRecord ME = Members.member(0, 5).named(Joiner.NAMELESS);
    private static final MemberRecord OTHER = Members.member(0, 6);

    private final JoinSession session = JoinSession.withoutSlot(new Joiner(3, 1, ME));
    private final RecordedNews news = new RecordedNews();
    private final List<RendezvousMessage> sent = new ArrayList<>();

    @Test
    void shouldFindItsSlotInTheTableOfItsWorld() {
        session.onConnected(sent::add);
        assertThat(sent).containsExactly(new RendezvousMessage.JoinAnywhere(new Joiner(3, 1, ME), 0, 0));
        List<MemberRecord> table = List.of(OTHER, ME.named(ProcessId.of(1)));
        hears(new RendezvousMessage.Table(1, table));
        hears(new RendezvousMessage.Final(1, 0, table));
        assertThat(session.state()).isEqualTo(JoinSession.State.RUNNING);
        assertThat(session.me().id()).isEqualTo(ProcessId.of(1));
        sent.clear();
        session.onConnected(sent::add);
        assertThat(sent)
                .containsExactly(new RendezvousMessage.JoinAnywhere(new Joiner(3, 1, ME.named(ProcessId.of(1))), 1, 0));
    }

    @Test
    void shouldFindItsSlotInTheWorldThatAdmitsIt() {
        hears(new RendezvousMessage.Wait(1, 0, List.of(OTHER)));
        assertThat(session.mayBeAdmitted()).isTrue();
        session.committed(1, List.of(OTHER, ME.named(ProcessId.of(4))), 9, sent::add);
        assertThat(session.me().id()).isEqualTo(ProcessId.of(4));
    }

    @Test
    void shouldRefuseAWorldThatDoesNotListIt() {
        hears(new RendezvousMessage.Wait(1, 0, List.of(OTHER)));
        assertThatThrownBy(() -> session.committed(1, List.of(OTHER), 9, sent::add))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("process 5 runs in a world that does not list it");
    }

    @Test
    void shouldWaitAgainWhenTheNextTableLacksIt() {
        hears(new RendezvousMessage.Table(1, List.of(ME.named(ProcessId.of(0)))));
        hears(new RendezvousMessage.Wait(2, 0, List.of()));
        assertThat(session.state()).isEqualTo(JoinSession.State.JOINING);
        hears(new RendezvousMessage.Wait(2, 0, List.of(OTHER)));
        assertThat(session.mayBeAdmitted()).isTrue();
        assertThat(session.round()).isEqualTo(2);
    }

    @Test
    void shouldTakeNoPartInAnotherRoundOnceAMemberHasNamedIt() {
        hears(new RendezvousMessage.Wait(1, 0, List.of(OTHER)));
        session.named();
        sent.clear();
        hears(new RendezvousMessage.Recall(1, 4));
        assertThat(sent).isEmpty();
        assertThat(news.lines())
                .containsExactly("out GONE_ON: all members of the world that called this process have ended");
    }

    @Test
    void shouldAnswerARecallInTheWorldThatHasLetItIn() {
        hears(new RendezvousMessage.Wait(1, 0, List.of(OTHER)));
        session.named();
        List<MemberRecord> members = List.of(OTHER, ME.named(ProcessId.of(4)));
        session.committed(1, members, 9, sent::add);
        sent.clear();
        hears(new RendezvousMessage.Recall(1, 4));
        assertThat(sent).containsExactly(new RendezvousMessage.Committed(1, 1, members, 9));
    }

    @Test
    void shouldHearWhoWaits() {
        List<Joiner> waiting = new ArrayList<>();
        ClientListener listener = new IgnoredNews() {
            @Override
            public void onWaiting(Joiner joiner) {
                waiting.add(joiner);
            }
        };
        session.onMessage(new RendezvousMessage.Waiting(new Joiner(0, 0, OTHER)), sent::add, listener);
        assertThat(waiting).containsExactly(new Joiner(0, 0, OTHER));
    }

    @Test
    void shouldEndWithoutFailureWhenTheRendezvousIsClosedWhileItRuns() {
        List<MemberRecord> table = List.of(ME.named(ProcessId.of(0)));
        hears(new RendezvousMessage.Table(1, table));
        hears(new RendezvousMessage.Final(1, 0, table));
        hears(new RendezvousMessage.Out(OutReason.CLOSED, "the job is over"));
        assertThat(news.lines()).containsExactly("closed: the job is over");
    }

    private void hears(RendezvousMessage message) {
        session.onMessage(message, sent::add, news);
    }
}
