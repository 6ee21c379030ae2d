package org.ulfmj.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.rounds.Joiner;
import org.ulfmj.rendezvous.rounds.WorldSize;
import org.ulfmj.transport.MemberRecord;

/** Processes without slots, on sockets. */
class ElasticSocketTest {
    private static final long SECOND = ServedJob.SECOND;

    private final ServedJob job = new ServedJob();

    @AfterEach
    void close() throws Exception {
        job.close();
    }

    private CompletableFuture<RendezvousClient> joining(int process, long patienceNs) {
        JoinRequest asked = job.request(Members.member(process, 100 + process));
        JoinRequest request = new JoinRequest(
                asked.rendezvous(),
                asked.runId(),
                asked.me(),
                asked.secret(),
                asked.optionsHash(),
                patienceNs,
                asked.budgetNs());
        return job.elsewhere(() -> RendezvousClient.joinWithoutSlot(request, 0, process));
    }

    @Test
    void shouldGiveSlotsToThoseThatJoinAndHaveALaterOneWait() throws Exception {
        job.serve(new RunSpec("job-1", new WorldSize(2, 3, 60 * SECOND), ServedJob.OPTIONS, 60 * SECOND, 30 * SECOND));
        List<CompletableFuture<RendezvousClient>> all =
                List.of(joining(2, 60 * SECOND), joining(1, 60 * SECOND), joining(0, 60 * SECOND));
        for (int i = 0; i < 3; i++) {
            assertThat(job.joined(all.get(i)).me().id()).isEqualTo(ProcessId.of(2 - i));
        }
        RendezvousClient spare = job.joined(joining(3, 60 * SECOND));
        assertThat(spare.isPending()).isTrue();
        assertThat(spare.table()).hasSize(3);
    }

    @Test
    void shouldWaitBeyondItsPatienceWhileTheLauncherKeepsIt() throws Exception {
        job.serve(new RunSpec("job-1", new WorldSize(1, 1, 0), ServedJob.OPTIONS, 10 * SECOND, SECOND));
        MemberRecord me = Members.member(9, 109).named(Joiner.NAMELESS);
        ClientConnection mute = new ClientConnection(job.request(me).caller(), 0);
        while (!mute.advance()) {
            Thread.onSpinWait();
        }
        mute.write(new RendezvousMessage.JoinAnywhere(new Joiner(0, 9, me), 0, 0));
        while (mute.read() == null) {
            mute.advance();
            Thread.onSpinWait();
        }
        RendezvousClient kept = job.joined(joining(1, SECOND / 5));
        assertThat(kept.isPending()).isFalse();
        assertThat(kept.table()).hasSize(1);
        mute.close();
    }

    @Test
    void shouldCloseTheRendezvousAndEndTheLastCallWhenTheLauncherSaysSo() throws Exception {
        job.serve(new RunSpec("job-1", new WorldSize(1, 4, 60 * SECOND), ServedJob.OPTIONS, 90 * SECOND, 30 * SECOND));
        CompletableFuture<RendezvousClient> first = joining(0, 60 * SECOND);
        job.launcher.await("joined " + Joiner.provisional(0));
        job.server.endLastCall();
        RendezvousClient client = job.joined(first);
        assertThat(client.table()).hasSize(1);
        job.server.closeRendezvous("enough");
        job.pollUntil(client, () -> job.news.lines().contains("out CLOSED: enough"));
        assertThatThrownBy(() -> job.joined(joining(1, 60 * SECOND))).hasMessageContaining("enough");
    }
}
