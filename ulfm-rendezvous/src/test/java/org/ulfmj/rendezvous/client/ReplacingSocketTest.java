package org.ulfmj.rendezvous.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ulfmj.rendezvous.client.ServedJob.OPTIONS;
import static org.ulfmj.rendezvous.client.ServedJob.SECOND;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.Members;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.transport.MemberRecord;

/** Tests newcomers and spares over real sockets of the loopback address. */
class ReplacingSocketTest {
    private static final ProcessId NEXT = new ProcessId(1, 1);
    private static final MemberRecord FIRST = Members.member(0, 100);
    private static final MemberRecord NEWCOMER = Members.member(NEXT, 201, 4711);

    private final ServedJob job = new ServedJob();

    @AfterEach
    void close() throws Exception {
        job.close();
    }

    private void serve() throws IOException {
        job.serve(new RunSpec("job-1", 2, OPTIONS, 60 * SECOND, 30 * SECOND).withRestarts());
    }

    private RendezvousClient join(MemberRecord me) throws Exception {
        return job.joined(job.joining(job.request(me)));
    }

    private SpareRequest spare(long nonce) {
        return new SpareRequest(job.address(), "job-1", 1, nonce, job.secret, OPTIONS, 20 * SECOND);
    }

    /** Makes a world of ranks 0 and 1, and tells the server that rank 1 was killed. Returns rank 0's client. */
    private RendezvousClient survivor() throws Exception {
        serve();
        List<RendezvousClient> clients = job.join(2);
        clients.get(1).close();
        job.server.ended(ProcessId.of(1), "killed by signal 9");
        return clients.get(0);
    }

    @Test
    void shouldLetANewcomerWaitAndBeAdmittedByTheMembers() throws Exception {
        RendezvousClient first = survivor();
        job.server.allowRestart(NEXT);
        RendezvousClient newcomer = join(NEWCOMER);
        assertThat(newcomer.isPending()).isTrue();
        assertThat(newcomer.mayBeAdmitted()).isTrue();
        assertThat(newcomer.table()).extracting(MemberRecord::id).containsExactly(ProcessId.of(0), ProcessId.of(1));
        job.launcher.await("pending 1'1");
        job.pollUntil(first, () -> job.news.lines().contains("pending 1'1"));

        newcomer.committed(1, List.of(FIRST, NEWCOMER), 7);
        job.launcher.await("committed by 1'1 epoch 1: [0, 1'1]");
        assertThat(newcomer.isPending()).isFalse();
        assertThat(newcomer.table()).containsExactly(FIRST, NEWCOMER);
        job.pollUntil(
                newcomer,
                () -> job.news.lines().stream()
                                .filter("death 1: killed by signal 9"::equals)
                                .count()
                        == 2);
        first.committed(1, List.of(FIRST, NEWCOMER), 7);
        job.server.ended(NEXT, "killed by signal 9");
        job.pollUntil(first, () -> job.news.lines().contains("death 1'1: killed by signal 9"));
        job.server.noMore(1, "1 of 1 restarts is used up");
        job.pollUntil(first, () -> job.news.lines().contains("no more 1: 1 of 1 restarts is used up"));
    }

    @Test
    void shouldTellANewcomerThatTheWorldEndedWithoutIt() throws Exception {
        RendezvousClient first = survivor();
        job.server.allowRestart(NEXT);
        RendezvousClient newcomer = join(NEWCOMER);
        first.goodbye(SlotSet.of(1));
        job.pollUntil(newcomer, () -> !job.news.lines().isEmpty());
        assertThat(job.news.lines()).containsExactly("out CLOSED: all processes of the world have finalized, or died");
        job.launcher.await("left out 1'1");
    }

    @Test
    void shouldGatherANewWorldWhenAllOfTheFirstHaveDied() throws Exception {
        RendezvousClient first = survivor();
        job.server.allowRestart(NEXT);
        RendezvousClient newcomer = join(NEWCOMER);
        first.close();
        job.server.ended(ProcessId.of(0), "killed by signal 9");
        ProcessId nextFirst = new ProcessId(0, 1);
        job.server.allowRestart(nextFirst);
        CompletableFuture<RendezvousClient> joining = job.joining(job.request(Members.member(nextFirst, 300, 1)));
        job.pollUntil(newcomer, () -> job.news.lines().contains("gathered [0'1, 1'1]"));
        RendezvousClient other = job.joined(joining);
        assertThat(other.isPending()).isFalse();
        assertThat(other.table()).isEqualTo(newcomer.table());
        job.launcher.await("world gone");
        job.launcher.await("final");
    }

    @Test
    void shouldLetASpareWaitUntilItIsGivenAPlace() throws Exception {
        survivor();
        CompletableFuture<ProcessId> place = job.elsewhere(() -> RendezvousClient.awaitAssignment(spare(201)));
        job.launcher.await("spare 1");
        assertThat(place).isNotDone();
        job.server.assign(1, NEXT);
        assertThat(place.get(60, TimeUnit.SECONDS)).isEqualTo(NEXT);
        assertThat(join(NEWCOMER).isPending()).isTrue();
        job.launcher.await("pending 1'1");
    }

    @Test
    void shouldKeepAnInterruptThatComesWhileASpareWaits() throws Exception {
        survivor();
        CompletableFuture<Boolean> isKept =
                job.interrupted(() -> RendezvousClient.awaitAssignment(spare(201)), "spare 1");
        job.server.assign(1, NEXT);
        assertThat(isKept.get(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldSendASpareAwayWhenTheJobIsOver() throws Exception {
        RendezvousClient first = survivor();
        CompletableFuture<ProcessId> place = job.elsewhere(() -> RendezvousClient.awaitAssignment(spare(201)));
        job.launcher.await("spare 1");
        first.goodbye(SlotSet.of(1));
        assertThatThrownBy(() -> place.get(60, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(RendezvousException.class)
                .hasMessage("all processes of the world have finalized, or died")
                .extracting("reason")
                .isEqualTo(OutReason.CLOSED);
    }

    @Test
    void shouldTellASpareThatTheLauncherIsGoneOnceTheBudgetIsSpent() throws Exception {
        serve();
        // The same time limit also has to suffice for the first connection, so it is not shorter.
        SpareRequest impatient = new SpareRequest(job.address(), "job-1", 1, 201, job.secret, 42, 3 * SECOND / 2);
        CompletableFuture<ProcessId> place = job.elsewhere(() -> RendezvousClient.awaitAssignment(impatient));
        job.launcher.await("spare 1");
        job.server.close();
        assertThatThrownBy(() -> place.get(60, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(RendezvousException.class)
                .hasMessageStartingWith(
                        "no connection to the launcher at /127.0.0.1:" + job.server.port() + " for 1500 ms");
    }

    @Test
    void shouldRefuseBadRequestsAtOnce() throws Exception {
        serve();
        assertThatThrownBy(() -> job.server.noMore(2, "why")).hasMessage("slot 2 of a job of 2 ranks");
        assertThatThrownBy(() -> job.server.allowRestart(new ProcessId(7, 1))).hasMessage("slot 7 of a job of 2 ranks");
        assertThatThrownBy(() -> job.server.assign(1, new ProcessId(7, 1))).hasMessage("slot 7 of a job of 2 ranks");
        assertThatThrownBy(() -> new SpareRequest(job.address(), "job-1", 0, 1, job.secret, 42, 1))
                .hasMessage("spare 0; they are counted from 1");
        assertThatThrownBy(() -> new SpareRequest(job.address(), "job-1", 1, 1, job.secret, 42, 0))
                .hasMessage("budget (0 ns) must be positive");
    }
}
