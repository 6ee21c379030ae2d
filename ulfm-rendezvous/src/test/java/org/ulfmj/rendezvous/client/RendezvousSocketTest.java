package org.ulfmj.rendezvous.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ulfmj.rendezvous.client.ServedJob.OPTIONS;
import static org.ulfmj.rendezvous.client.ServedJob.SECOND;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.Members;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.store.StoreReply;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.rendezvous.store.StoreResult;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.auth.JobSecret;

/** Tests server and clients over real sockets of the loopback address. */
class RendezvousSocketTest {
    private final ServedJob job = new ServedJob();

    @AfterEach
    void close() throws Exception {
        job.close();
    }

    private void serve(int size, long joinTimeoutNs) throws IOException {
        job.serve(new RunSpec("job-1", size, OPTIONS, joinTimeoutNs, joinTimeoutNs / 2));
    }

    private List<RendezvousClient> world(int size) throws Exception {
        serve(size, 60 * SECOND);
        return job.join(size);
    }

    private static RuntimeException refusal(CompletableFuture<?> joining) throws Exception {
        try {
            joining.get(60, TimeUnit.SECONDS);
            throw new AssertionError("joined");
        } catch (ExecutionException e) {
            return e.getCause() instanceof CompletionException wrapped
                    ? (RuntimeException) wrapped.getCause()
                    : (RuntimeException) e.getCause();
        }
    }

    @Test
    void shouldGiveAllTheSameTableWhenAllJoin() throws Exception {
        List<RendezvousClient> clients = world(4);
        job.launcher.await("final");
        for (RendezvousClient client : clients) {
            assertThat(client.table()).hasSize(4).isEqualTo(clients.get(0).table());
            assertThat(client.table().get(2)).isEqualTo(Members.member(2, 102));
        }
    }

    @Test
    void shouldPushADeathAndADepartureToTheOthers() throws Exception {
        List<RendezvousClient> clients = world(3);
        // No process hears of these rehearsals.
        job.server.rehearseDeath();
        RendezvousClient.rehearseDeath();
        job.server.ended(ProcessId.of(0), "killed by signal 9");
        job.pollUntil(clients.get(1), () -> job.news.lines().contains("death 0: killed by signal 9"));

        // Rank 2 says goodbye right before it ends: the server reads that message before it judges the end.
        clients.get(2).goodbye(SlotSet.of(0));
        job.server.ended(ProcessId.of(2), "exit code 0");
        job.pollUntil(clients.get(1), () -> job.news.lines().size() == 2);
        assertThat(job.news.lines()).containsExactly("death 0: killed by signal 9", "departed 2");
        job.launcher.await("goodbye 2 {0}");
    }

    /**
     * As after a standstill of the launcher: a rank has said goodbye and left without an answer, and the launcher
     * writes to the rank before it reads that goodbye.
     */
    @Test
    void shouldHearTheGoodbyeOfARankThatHadLeftWhenItWasWrittenTo() throws Exception {
        List<RendezvousClient> clients = world(2);
        CountDownLatch isStopped = new CountDownLatch(1);
        CountDownLatch continues = new CountDownLatch(1);
        job.server.hearOut(ProcessId.of(0), () -> {
            isStopped.countDown();
            try {
                continues.await(60, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        assertThat(isStopped.await(60, TimeUnit.SECONDS)).isTrue();
        clients.get(1).goodbye(SlotSet.of(0));
        clients.get(1).close();
        for (long request = 1; request <= 8; request++) {
            job.server.askWaits(ProcessId.of(1), request);
        }
        continues.countDown();
        job.launcher.await("goodbye 1 {0}");
    }

    /** The launcher stands still for longer than a rank keeps a connection on which no answer comes. */
    @Test
    void shouldHearTheGoodbyeThatWasSaidWhileTheLauncherStoodStill() throws Exception {
        long leaseNs = 20 * SECOND;
        long patienceNs = leaseNs / 4;
        job.serve(new RunSpec("job-1", 1, OPTIONS, 60 * SECOND, 30 * SECOND)
                .withSilence(leaseNs / 2)
                .withLease(leaseNs));
        RendezvousClient client = job.joined(job.joining(job.leased(0, leaseNs, leaseNs / 100)));
        job.server.pause(patienceNs + 3 * SECOND);
        long untilNs = System.nanoTime() + patienceNs + SECOND;
        job.pollUntil(client, () -> System.nanoTime() - untilNs > 0);
        client.goodbye(SlotSet.of());
        client.close();
        job.launcher.await("goodbye 0 {}");
    }

    /** V15: the launcher answers nothing for the length of the lease, though its port still accepts connections. */
    @Test
    void shouldFenceAProcessThatHasNoAnswerForTheLeaseAndDialAgainBefore() throws Exception {
        long leaseNs = 20 * SECOND;
        job.serve(new RunSpec("job-1", 1, OPTIONS, 60 * SECOND, 30 * SECOND)
                .withSilence(leaseNs / 2)
                .withLease(leaseNs));
        RendezvousClient client = job.joined(job.joining(job.leased(0, leaseNs, leaseNs / 10)));
        for (int parts = 0; parts < 40; parts++) {
            job.aheadNs += leaseNs / 20;
            // The answer to this request comes after the answer to the last keep-alive, so once it is there the lease
            // was renewed.
            StoreReply reply = client.ask(new StoreRequest.Get("none", false));
            job.pollUntil(client, reply::isDone);
        }
        assertThat(fences()).as("its lease is kept").isEmpty();
        job.server.pause(300 * SECOND);
        job.pollUntil(client, () -> {
            job.aheadNs += leaseNs / 20;
            return !fences().isEmpty();
        });
        assertThat(fences())
                .singleElement()
                .asString()
                .startsWith("fence: mpiexec at " + job.address() + " has not answered for 20000 ms (ulfm.rdzv.lease),"
                        + " and may take this process for dead (no answer for ");
        assertThat(client.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
    }

    private List<String> fences() {
        return job.news.lines().stream()
                .filter(line -> line.startsWith("fence"))
                .toList();
    }

    @Test
    void shouldAnswerAGoodbye() throws Exception {
        List<RendezvousClient> clients = world(1);
        assertThat(clients.get(0).isGoodbyeHeard()).isFalse();
        clients.get(0).goodbye(SlotSet.EMPTY);
        job.pollUntil(clients.get(0), clients.get(0)::isGoodbyeHeard);
        job.launcher.await("goodbye 0 {}");
    }

    @Test
    void shouldAnswerALeave() throws Exception {
        List<RendezvousClient> clients = world(1);
        assertThat(clients.get(0).isLeaveHeard()).isFalse();
        clients.get(0).leave("preempted");
        job.pollUntil(clients.get(0), clients.get(0)::isLeaveHeard);
        job.launcher.await("leave 0: preempted");
    }

    @Test
    void shouldPassWhatRanksReport() throws Exception {
        List<RendezvousClient> clients = world(3);
        clients.get(1).reached(7);
        job.launcher.await("reached 1 rule 7");
        clients.get(0).suspect(ProcessId.of(2));
        job.launcher.await("suspected 2 by 0");

        clients.get(1).abort(9, "asked to");
        job.launcher.await("abort by 1 9: asked to");
        job.server.abort(9, "rank 1 aborted");
        job.pollUntil(clients.get(0), () -> !job.news.lines().isEmpty());
        assertThat(job.news.lines()).containsExactly("abort 9: rank 1 aborted");
    }

    @Test
    void shouldExchangeValuesOfAnySizeThroughTheStore() throws Exception {
        List<RendezvousClient> clients = world(2);
        StoreReply waiting = clients.get(0).ask(new StoreRequest.Get("state", true));
        byte[] value = new byte[1 << 20];
        value[77] = 1;
        StoreReply stored = clients.get(1).ask(new StoreRequest.Set("state", value));
        job.pollUntil(clients.get(1), stored::isDone);
        assertThat(stored.result()).isEqualTo(new StoreResult.Stored(1));
        job.pollUntil(clients.get(0), waiting::isDone);
        assertThat(((StoreResult.Found) waiting.result()).value()).isEqualTo(value);

        StoreReply tooLong = clients.get(1).ask(new StoreRequest.Set("state", new byte[(1 << 20) + 1]));
        job.pollUntil(clients.get(1), tooLong::isDone);
        assertThat(tooLong.result())
                .isEqualTo(
                        new StoreResult.Refused("value of 1048577 bytes for key 'state', at most 1048576 are allowed"));
    }

    /** Each request is sent to the store on every connection until it is answered, and is carried out once. */
    @Test
    void shouldCountEachRequestOnceOverLinesThatBreak() throws Exception {
        List<RendezvousClient> clients = world(2);
        RendezvousClient breaking = clients.get(0);
        StoreReply parked = breaking.ask(new StoreRequest.Get("done", true));
        int requests = 200;
        for (int i = 1; i <= requests; i++) {
            StoreReply added = breaking.ask(new StoreRequest.Add("count", 1));
            if (i % 2 == 0) {
                breaking.channel().close();
            }
            job.pollUntil(breaking, added::isDone);
            assertThat(((StoreResult.Sum) added.result()).sum()).isEqualTo(i);
        }
        assertThat(parked.isDone()).isFalse();
        StoreReply done = clients.get(1).ask(new StoreRequest.Set("done", new byte[1]));
        job.pollUntil(clients.get(1), done::isDone);
        job.pollUntil(breaking, parked::isDone);
        assertThat(parked.unknownBecause()).isNull();
    }

    @Test
    void shouldSayThatTheOutcomeIsUnknownOnceTheLauncherIsLost() throws Exception {
        serve(1, 60 * SECOND);
        RendezvousClient client = job.joined(job.joining(new JoinRequest(
                job.address(),
                "job-1",
                Members.member(0, 100),
                job.secret,
                ServedJob.OPTIONS,
                60 * SECOND,
                SECOND / 5)));
        StoreReply waiting = client.ask(new StoreRequest.Get("never", true));
        job.server.close();
        job.pollUntil(client, waiting::isDone);
        assertThat(waiting.result()).isNull();
        assertThat(waiting.unknownBecause()).contains("no connection to the launcher");
        assertThat(client.ask(new StoreRequest.Get("never", true)).unknownBecause())
                .isEqualTo(waiting.unknownBecause());
    }

    @Test
    void shouldTellAllThatWaitWhenARankEndsBeforeInit() throws Exception {
        serve(3, 60 * SECOND);
        CompletableFuture<RendezvousClient> first = job.joining(job.request(0));
        job.launcher.await("joined 0");
        job.server.ended(ProcessId.of(2), "exit code 3");
        assertThat(refusal(first))
                .isInstanceOf(RendezvousException.class)
                .hasMessage("rank 2 ended before MPI.Init (exit code 3)");
        job.launcher.await("closed CLOSED: rank 2 ended before MPI.Init (exit code 3)");
        assertThat(refusal(job.joining(job.request(1)))).hasMessage("rank 2 ended before MPI.Init (exit code 3)");
    }

    @Test
    void shouldSayWhatIsMissingWhenOthersDoNotCome() throws Exception {
        serve(2, SECOND / 5);
        assertThat(refusal(job.joining(job.request(1))))
                .hasMessage("waited 200 ms (ulfm.rdzv.join) for the other ranks: state JOINABLE, have 1, need 2,"
                        + " missing rank 0");
    }

    @Test
    void shouldRefuseOtherOptionsOtherJobsAndOtherSecretsClearly() throws Exception {
        serve(1, 60 * SECOND);
        MemberRecord me = Members.member(0, 100);
        JoinRequest others = new JoinRequest(job.address(), "job-1", me, job.secret, 43, 60 * SECOND, SECOND);
        assertThat(refusal(job.joining(others))).hasMessageContaining("must be started with the same ulfm.* options");
        JoinRequest lost = new JoinRequest(job.address(), "job-2", me, job.secret, OPTIONS, 60 * SECOND, SECOND);
        assertThat(refusal(job.joining(lost)))
                .hasMessage("the launcher refused this process: this is the rendezvous of job job-1, not of job job-2");
        assertThat(refusalOfStranger(me)).contains("; the last attempt ended with: ");
        job.joining(job.request(0)).get(60, TimeUnit.SECONDS).close();
    }

    /**
     * A process whose time to reach the launcher runs out at once still makes one attempt: its connection arrives at
     * the launcher.
     */
    @Test
    void shouldLookBeforeItsPatienceIsOver() throws Exception {
        try (ServerSocket launcher = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            MemberRecord me = Members.member(0, 100);
            InetSocketAddress address = (InetSocketAddress) launcher.getLocalSocketAddress();
            JoinRequest request = new JoinRequest(address, "job-1", me, JobSecret.random(), OPTIONS, 1, SECOND);
            assertThatThrownBy(() -> RendezvousClient.join(request))
                    .isInstanceOf(RendezvousException.class)
                    .hasMessageStartingWith("no answer from the launcher at " + address + " within 0 ms");
            launcher.setSoTimeout(10_000);
            assertThatCode(() -> launcher.accept().close()).as("its call").doesNotThrowAnyException();
        }
    }

    /**
     * Returns the error of a process without the right secret. Tries again with twice the time until that was enough
     * for one attempt.
     */
    private String refusalOfStranger(MemberRecord me) throws Exception {
        String refusal = "";
        for (long ms = 300; !refusal.contains("attempt") && ms < 60_000; ms *= 2) {
            JoinRequest stranger =
                    new JoinRequest(job.address(), "job-1", me, JobSecret.random(), OPTIONS, ms * 1_000_000, SECOND);
            refusal = refusal(job.joining(stranger)).getMessage();
            assertThat(refusal)
                    .startsWith(
                            "no answer from the launcher at /127.0.0.1:" + job.server.port() + " within " + ms + " ms");
        }
        return refusal;
    }

    @Test
    void shouldCutOffACallerThatSpeaksWithoutTheSecret() throws Exception {
        serve(1, 60 * SECOND);
        try (Socket stranger = new Socket("127.0.0.1", job.server.port())) {
            stranger.setSoTimeout(60_000);
            stranger.getOutputStream()
                    .write(new byte[] {20, 0, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19});
            byte[] heard = stranger.getInputStream().readAllBytes();
            assertThat(heard).as("a challenge and nothing else").hasSize(2 + 1 + 16);
        }
        job.joining(job.request(0)).get(60, TimeUnit.SECONDS).close();
    }

    @Test
    void shouldHearOldNewsWhenAConnectionIsDialedAgain() throws Exception {
        List<RendezvousClient> clients = world(2);
        job.server.ended(ProcessId.of(1), "killed by signal 9");
        job.pollUntil(clients.get(0), () -> job.news.lines().size() == 1);

        clients.get(0).channel().close();
        job.pollUntil(clients.get(0), () -> job.news.lines().size() == 2);
        assertThat(job.news.lines()).containsExactly("death 1: killed by signal 9", "death 1: killed by signal 9");
        clients.get(0).reached(3);
        job.launcher.await("reached 0 rule 3");
    }

    @Test
    void shouldReportTheLauncherLostOnceItCannotBeReachedForTheBudget() throws Exception {
        serve(1, 60 * SECOND);
        MemberRecord me = Members.member(0, 100);
        JoinRequest impatient =
                new JoinRequest(job.address(), "job-1", me, job.secret, OPTIONS, 60 * SECOND, SECOND / 5);
        RendezvousClient client = job.joined(job.joining(impatient));
        job.server.close();
        job.pollUntil(client, () -> !job.news.lines().isEmpty());
        assertThat(job.news.lines()).singleElement().asString().startsWith("lost: no connection to the launcher at ");
        assertThat(client.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(client.isGoodbyeHeard()).as("nobody is left to hear it").isTrue();
        client.poll(System.nanoTime(), job.news);
        assertThat(job.news.lines()).hasSize(1);
    }

    @Test
    void shouldKeepTheInterruptFlagAndJoinAllTheSame() throws Exception {
        serve(1, 60 * SECOND);
        Thread.currentThread().interrupt();
        try {
            RendezvousClient client = RendezvousClient.join(job.request(0));
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            client.close();
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    void shouldKeepAnInterruptThatComesDuringTheJoin() throws Exception {
        serve(2, 60 * SECOND);
        CompletableFuture<Boolean> isKept =
                job.interrupted(() -> RendezvousClient.join(job.request(0)).close(), "joined 0");
        job.joined(job.joining(job.request(1)));
        assertThat(isKept.get(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void shouldRefuseToBindForWorldsOfImpossibleSize() {
        assertThatThrownBy(() -> new RunSpec("job", 0, 0, 2, 1)).hasMessage("a job of 0 ranks; 1 to 4096 are possible");
        assertThatThrownBy(() -> new RunSpec("job", 1, 0, 5, 5))
                .hasMessage("ulfm.rdzv.confirm (5 ns) must be positive and below ulfm.rdzv.join (5 ns)");
    }
}
