package org.ulfmj.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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

/** Newcomers and spares over real sockets of the loopback address. */
class ReplacingSocketTest {
    private static final long SECOND = 1_000_000_000;
    private static final ProcessId NEXT = new ProcessId(1, 1);
    private static final MemberRecord FIRST = Members.member(0, 100);
    private static final MemberRecord NEWCOMER = Members.member(NEXT, 201, 4711);

    private final JobSecret secret = JobSecret.random();
    private final QueuedListener launcher = new QueuedListener();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final RecordedNews news = new RecordedNews();
    private RendezvousServer server;

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
        threads.shutdownNow();
    }

    private void serve() throws IOException {
        server = new RendezvousServer(new RunSpec("job-1", 2, 42, 60 * SECOND, 30 * SECOND, true), secret, launcher);
        opened.add(server);
        server.start();
    }

    private RendezvousClient join(MemberRecord me) throws Exception {
        JoinRequest request = new JoinRequest(address(), "job-1", me, secret, 42, 60 * SECOND, 20 * SECOND);
        RendezvousClient client =
                threads.submit(() -> RendezvousClient.join(request)).get(60, TimeUnit.SECONDS);
        opened.add(client);
        return client;
    }

    private InetSocketAddress address() {
        return new InetSocketAddress("127.0.0.1", server.port());
    }

    private SpareRequest spare(long nonce) {
        return new SpareRequest(address(), "job-1", 1, nonce, secret, 42, 20 * SECOND);
    }

    /** Ranks 0 and 1 ran, and 1 has died; returns rank 0's connection. */
    private RendezvousClient survivor() throws Exception {
        serve();
        CompletableFuture<RendezvousClient> second = new CompletableFuture<>();
        threads.execute(() -> {
            try {
                second.complete(join(Members.member(1, 101)));
            } catch (Exception e) {
                second.completeExceptionally(e);
            }
        });
        RendezvousClient first = join(FIRST);
        second.get(60, TimeUnit.SECONDS).close();
        server.ended(ProcessId.of(1), "killed by signal 9");
        return first;
    }

    private void pollUntil(RendezvousClient client, BooleanSupplier done) {
        long startNs = System.nanoTime();
        while (!done.getAsBoolean()) {
            assertThat(System.nanoTime() - startNs)
                    .as("waited too long, heard " + news.lines())
                    .isLessThan(60 * SECOND);
            client.poll(System.nanoTime(), news);
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldLetANewcomerWaitAndBeAdmittedByTheMembers() throws Exception {
        RendezvousClient first = survivor();
        server.allowRestart(NEXT);
        RendezvousClient newcomer = join(NEWCOMER);
        assertThat(newcomer.isPending()).isTrue();
        assertThat(newcomer.mayBeAdmitted()).isTrue();
        assertThat(newcomer.table()).extracting(MemberRecord::id).containsExactly(ProcessId.of(0), ProcessId.of(1));
        launcher.await("pending 1'1");
        pollUntil(first, () -> news.lines().contains("pending 1'1"));

        newcomer.committed(1, List.of(FIRST, NEWCOMER), 7);
        launcher.await("committed by 1'1 epoch 1: [0, 1'1]");
        assertThat(newcomer.isPending()).isFalse();
        assertThat(newcomer.table()).containsExactly(FIRST, NEWCOMER);
        pollUntil(
                newcomer,
                () -> news.lines().stream()
                                .filter("death 1: killed by signal 9"::equals)
                                .count()
                        == 2);
        first.committed(1, List.of(FIRST, NEWCOMER), 7);
        server.ended(NEXT, "killed by signal 9");
        pollUntil(first, () -> news.lines().contains("death 1'1: killed by signal 9"));
        server.noMore(1, "1 of 1 restarts is used up");
        pollUntil(first, () -> news.lines().contains("no more 1: 1 of 1 restarts is used up"));
    }

    @Test
    void shouldTellANewcomerThatTheWorldEndedWithoutIt() throws Exception {
        RendezvousClient first = survivor();
        server.allowRestart(NEXT);
        RendezvousClient newcomer = join(NEWCOMER);
        first.goodbye(SlotSet.of(1));
        pollUntil(newcomer, () -> !news.lines().isEmpty());
        assertThat(news.lines()).containsExactly("out CLOSED: all processes of the world have finalized, or died");
        launcher.await("left out 1'1");
    }

    @Test
    void shouldGatherANewWorldWhenAllOfTheFirstHaveDied() throws Exception {
        RendezvousClient first = survivor();
        server.allowRestart(NEXT);
        RendezvousClient newcomer = join(NEWCOMER);
        first.close();
        server.ended(ProcessId.of(0), "killed by signal 9");
        ProcessId nextFirst = new ProcessId(0, 1);
        server.allowRestart(nextFirst);
        JoinRequest request = new JoinRequest(
                address(), "job-1", Members.member(nextFirst, 300, 1), secret, 42, 60 * SECOND, 20 * SECOND);
        CompletableFuture<RendezvousClient> joining =
                CompletableFuture.supplyAsync(() -> RendezvousClient.join(request), threads);
        pollUntil(newcomer, () -> news.lines().contains("gathered [0'1, 1'1]"));
        RendezvousClient other = joining.get(60, TimeUnit.SECONDS);
        opened.add(other);
        assertThat(other.isPending()).isFalse();
        assertThat(other.table()).isEqualTo(newcomer.table());
        launcher.await("world gone");
        launcher.await("final");
    }

    @Test
    void shouldLetASpareWaitUntilItIsGivenAPlace() throws Exception {
        survivor();
        CompletableFuture<ProcessId> place =
                CompletableFuture.supplyAsync(() -> RendezvousClient.awaitAssignment(spare(201)), threads);
        launcher.await("spare 1");
        assertThat(place).isNotDone();
        server.assign(1, NEXT);
        assertThat(place.get(60, TimeUnit.SECONDS)).isEqualTo(NEXT);
        assertThat(join(NEWCOMER).isPending()).isTrue();
        launcher.await("pending 1'1");
    }

    @Test
    void shouldSendASpareAwayWhenTheJobIsOver() throws Exception {
        RendezvousClient first = survivor();
        CompletableFuture<ProcessId> place =
                CompletableFuture.supplyAsync(() -> RendezvousClient.awaitAssignment(spare(201)), threads);
        launcher.await("spare 1");
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
        SpareRequest impatient = new SpareRequest(address(), "job-1", 1, 201, secret, 42, SECOND / 5);
        CompletableFuture<ProcessId> place =
                CompletableFuture.supplyAsync(() -> RendezvousClient.awaitAssignment(impatient), threads);
        launcher.await("spare 1");
        server.close();
        assertThatThrownBy(() -> place.get(60, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(RendezvousException.class)
                .hasMessageStartingWith("no connection to the launcher at /127.0.0.1:" + server.port() + " for 200 ms");
    }

    @Test
    void shouldRefuseBadRequestsAtOnce() throws Exception {
        serve();
        assertThatThrownBy(() -> server.noMore(2, "why")).hasMessage("slot 2 of a job of 2 ranks");
        assertThatThrownBy(() -> server.allowRestart(new ProcessId(7, 1))).hasMessage("slot 7 of a job of 2 ranks");
        assertThatThrownBy(() -> server.assign(1, new ProcessId(7, 1))).hasMessage("slot 7 of a job of 2 ranks");
        assertThatThrownBy(() -> new SpareRequest(address(), "job-1", 0, 1, secret, 42, 1))
                .hasMessage("spare 0; they are counted from 1");
        assertThatThrownBy(() -> new SpareRequest(address(), "job-1", 1, 1, secret, 42, 0))
                .hasMessage("budget (0 ns) must be positive");
    }
}
