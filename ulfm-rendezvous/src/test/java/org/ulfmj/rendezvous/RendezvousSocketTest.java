package org.ulfmj.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.auth.JobSecret;

/** Server and clients over real sockets of the loopback address. */
class RendezvousSocketTest {
    private static final long SECOND = 1_000_000_000;
    private static final long OPTIONS = 42;

    private final JobSecret secret = JobSecret.random();
    private final QueuedListener launcher = new QueuedListener();
    private final List<AutoCloseable> opened = new ArrayList<>();
    /** The common pool has one thread where there are two cores, and they wait for each other. */
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private RendezvousServer server;

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
        threads.shutdownNow();
    }

    private void serve(int size, long joinTimeoutNs) throws IOException {
        RunSpec run = new RunSpec("job-1", size, OPTIONS, joinTimeoutNs, joinTimeoutNs / 2);
        server = new RendezvousServer(run, secret, launcher);
        opened.add(server);
        server.start();
    }

    private JoinRequest request(int slot) {
        return request(Members.member(slot, 100 + slot), "job-1", secret, OPTIONS);
    }

    private JoinRequest request(MemberRecord me, String runId, JobSecret itsSecret, long options) {
        InetSocketAddress address = new InetSocketAddress("127.0.0.1", server.port());
        return new JoinRequest(address, runId, me, itsSecret, options, 60 * SECOND, 20 * SECOND);
    }

    private CompletableFuture<RendezvousClient> joining(JoinRequest request) {
        return CompletableFuture.supplyAsync(() -> RendezvousClient.join(request), threads);
    }

    private List<RendezvousClient> world(int size) throws Exception {
        serve(size, 60 * SECOND);
        List<CompletableFuture<RendezvousClient>> joining = new ArrayList<>();
        for (int slot = 0; slot < size; slot++) {
            joining.add(joining(request(slot)));
        }
        List<RendezvousClient> clients = new ArrayList<>();
        for (CompletableFuture<RendezvousClient> one : joining) {
            RendezvousClient client = one.get(60, TimeUnit.SECONDS);
            clients.add(client);
            opened.add(client);
        }
        return clients;
    }

    private static void pollUntil(RendezvousClient client, RecordedNews news, BooleanSupplier done) {
        long startNs = System.nanoTime();
        while (!done.getAsBoolean()) {
            assertThat(System.nanoTime() - startNs).as("waited too long").isLessThan(60 * SECOND);
            client.poll(System.nanoTime(), news);
            Thread.onSpinWait();
        }
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
        launcher.await("final");
        for (RendezvousClient client : clients) {
            assertThat(client.table()).hasSize(4).isEqualTo(clients.get(0).table());
            assertThat(client.table().get(2)).isEqualTo(Members.member(2, 102));
        }
    }

    @Test
    void shouldPushADeathAndADepartureToTheOthers() throws Exception {
        List<RendezvousClient> clients = world(3);
        RecordedNews news = new RecordedNews();
        // Of which nobody hears.
        server.rehearseDeath();
        RendezvousClient.rehearseDeath();
        server.ended(ProcessId.of(0), "killed by signal 9");
        pollUntil(clients.get(1), news, () -> news.lines().contains("death 0: killed by signal 9"));

        // Said right before the end: the server reads it before it judges.
        clients.get(2).goodbye(SlotSet.of(0));
        server.ended(ProcessId.of(2), "exit code 0");
        pollUntil(clients.get(1), news, () -> news.lines().size() == 2);
        assertThat(news.lines()).containsExactly("death 0: killed by signal 9", "departed 2");
        launcher.await("goodbye 2 {0}");
    }

    /**
     * As after a stop of the launcher: ranks have finalized without an answer, and the launcher speaks to them first.
     */
    @Test
    void shouldHearTheGoodbyeOfARankThatHadLeftWhenItWasWrittenTo() throws Exception {
        List<RendezvousClient> clients = world(2);
        CountDownLatch isStopped = new CountDownLatch(1);
        CountDownLatch continues = new CountDownLatch(1);
        server.hearOut(ProcessId.of(0), () -> {
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
            server.askWaits(ProcessId.of(1), request);
        }
        continues.countDown();
        launcher.await("goodbye 1 {0}");
    }

    @Test
    void shouldAnswerAGoodbye() throws Exception {
        List<RendezvousClient> clients = world(1);
        RecordedNews news = new RecordedNews();
        assertThat(clients.get(0).isGoodbyeHeard()).isFalse();
        clients.get(0).goodbye(SlotSet.EMPTY);
        pollUntil(clients.get(0), news, clients.get(0)::isGoodbyeHeard);
        launcher.await("goodbye 0 {}");
    }

    @Test
    void shouldPassWhatRanksReport() throws Exception {
        List<RendezvousClient> clients = world(3);
        RecordedNews news = new RecordedNews();
        clients.get(1).reached(7);
        launcher.await("reached 1 rule 7");
        clients.get(0).suspect(ProcessId.of(2));
        launcher.await("suspected 2 by 0");

        clients.get(1).abort(9, "asked to");
        launcher.await("abort by 1 9: asked to");
        server.abort(9, "rank 1 aborted");
        pollUntil(clients.get(0), news, () -> !news.lines().isEmpty());
        assertThat(news.lines()).containsExactly("abort 9: rank 1 aborted");
    }

    @Test
    void shouldExchangeValuesOfAnySizeThroughTheStore() throws Exception {
        List<RendezvousClient> clients = world(2);
        RecordedNews news = new RecordedNews();
        StoreReply waiting = clients.get(0).get("state");
        byte[] value = new byte[1 << 20];
        value[77] = 1;
        StoreReply stored = clients.get(1).put("state", value);
        pollUntil(clients.get(1), news, stored::isDone);
        assertThat(stored.refusal()).isEmpty();
        pollUntil(clients.get(0), news, waiting::isDone);
        assertThat(waiting.value()).isEqualTo(value);

        StoreReply tooLong = clients.get(1).put("state", new byte[(1 << 20) + 1]);
        pollUntil(clients.get(1), news, tooLong::isDone);
        assertThat(tooLong.refusal()).contains("at most 1048576 allowed");
    }

    @Test
    void shouldTellAllThatWaitWhenARankEndsBeforeInit() throws Exception {
        serve(3, 60 * SECOND);
        CompletableFuture<RendezvousClient> first = joining(request(0));
        launcher.await("joined 0");
        server.ended(ProcessId.of(2), "exit code 3");
        assertThat(refusal(first))
                .isInstanceOf(RendezvousException.class)
                .hasMessage("rank 2 ended before MPI.Init (exit code 3)");
        launcher.await("closed CLOSED: rank 2 ended before MPI.Init (exit code 3)");
        assertThat(refusal(joining(request(1)))).hasMessage("rank 2 ended before MPI.Init (exit code 3)");
    }

    @Test
    void shouldSayWhatIsMissingWhenOthersDoNotCome() throws Exception {
        serve(2, SECOND / 5);
        assertThat(refusal(joining(request(1))))
                .hasMessage("waited 200 ms (ulfm.rdzv.join) for the other ranks: state JOINABLE, have 1, need 2,"
                        + " missing rank 0");
    }

    @Test
    void shouldRefuseOtherOptionsOtherJobsAndOtherSecretsClearly() throws Exception {
        serve(1, 60 * SECOND);
        MemberRecord me = Members.member(0, 100);
        assertThat(refusal(joining(request(me, "job-1", secret, 43))))
                .hasMessageContaining("must be started with the same ulfm.* options");
        assertThat(refusal(joining(request(me, "job-2", secret, OPTIONS))))
                .hasMessage("the launcher refused this process: this is the rendezvous of job job-1, not of job job-2");
        JoinRequest stranger = new JoinRequest(
                new InetSocketAddress("127.0.0.1", server.port()),
                "job-1",
                me,
                JobSecret.random(),
                OPTIONS,
                SECOND / 2,
                SECOND);
        assertThat(refusal(joining(stranger)))
                .hasMessageStartingWith("no answer from the launcher at /127.0.0.1:" + server.port() + " within 500 ms")
                .hasMessageContaining("the last attempt ended with");
        joining(request(0)).get(60, TimeUnit.SECONDS).close();
    }

    @Test
    void shouldCutOffWhoeverSpeaksWithoutTheSecret() throws Exception {
        serve(1, 60 * SECOND);
        try (Socket stranger = new Socket("127.0.0.1", server.port())) {
            stranger.setSoTimeout(60_000);
            stranger.getOutputStream()
                    .write(new byte[] {20, 0, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19});
            byte[] heard = stranger.getInputStream().readAllBytes();
            assertThat(heard).as("a challenge and nothing else").hasSize(2 + 1 + 16);
        }
        joining(request(0)).get(60, TimeUnit.SECONDS).close();
    }

    @Test
    void shouldHearOldNewsWhenAConnectionIsDialedAgain() throws Exception {
        List<RendezvousClient> clients = world(2);
        RecordedNews news = new RecordedNews();
        server.ended(ProcessId.of(1), "killed by signal 9");
        pollUntil(clients.get(0), news, () -> news.lines().size() == 1);

        clients.get(0).channel().close();
        pollUntil(clients.get(0), news, () -> news.lines().size() == 2);
        assertThat(news.lines()).containsExactly("death 1: killed by signal 9", "death 1: killed by signal 9");
        clients.get(0).reached(3);
        launcher.await("reached 0 rule 3");
    }

    @Test
    void shouldReportTheLauncherLostOnceItCannotBeReachedForTheBudget() throws Exception {
        serve(1, 60 * SECOND);
        MemberRecord me = Members.member(0, 100);
        JoinRequest impatient = new JoinRequest(
                new InetSocketAddress("127.0.0.1", server.port()),
                "job-1",
                me,
                secret,
                OPTIONS,
                60 * SECOND,
                SECOND / 5);
        RendezvousClient client = RendezvousClient.join(impatient);
        opened.add(client);
        RecordedNews news = new RecordedNews();
        server.close();
        pollUntil(client, news, () -> !news.lines().isEmpty());
        assertThat(news.lines()).singleElement().asString().startsWith("lost: no connection to the launcher at ");
        assertThat(client.nextDeadlineNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(client.isGoodbyeHeard()).as("nobody is left to hear it").isTrue();
        client.poll(System.nanoTime(), news);
        assertThat(news.lines()).hasSize(1);
    }

    @Test
    void shouldKeepTheInterruptFlagAndJoinAllTheSame() throws Exception {
        serve(1, 60 * SECOND);
        Thread.currentThread().interrupt();
        try {
            RendezvousClient client = RendezvousClient.join(request(0));
            opened.add(client);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    void shouldRefuseToBindForWorldsOfImpossibleSize() {
        assertThatThrownBy(() -> new RunSpec("job", 0, 0, 2, 1)).hasMessage("a job of 0 ranks; 1 to 4096 are possible");
        assertThatThrownBy(() -> new RunSpec("job", 1, 0, 5, 5))
                .hasMessage("ulfm.rdzv.confirm (5 ns) must be positive and below ulfm.rdzv.join (5 ns)");
    }
}
