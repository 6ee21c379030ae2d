package org.ulfmj.rendezvous.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.ulfmj.rendezvous.Members;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.lease.LeaseTimes;
import org.ulfmj.rendezvous.server.RendezvousServer;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.auth.JobSecret;
import org.ulfmj.transport.record.Protection;

/**
 * A rendezvous server with real sockets, and the clients that a test makes. The process of slot s has nonce 100 + s,
 * unless the test gives another record of it.
 */
final class ServedJob {
    static final long SECOND = 1_000_000_000;
    static final long OPTIONS = 42;

    final JobSecret secret = JobSecret.random();
    final QueuedListener launcher = new QueuedListener();
    final RecordedNews news = new RecordedNews();
    /** Which connections the server wants encrypted. */
    Protection protection = Protection.AUTO;

    /** How far the clock that {@link #pollUntil} shows to clients is ahead of the machine's clock, in ns. */
    long aheadNs;

    RendezvousServer server;
    private final List<AutoCloseable> opened = new ArrayList<>();
    /**
     * The threads in which clients join. The common pool would have only one thread on two cores, and clients that join
     * wait for each other.
     */
    private final ExecutorService threads = Executors.newCachedThreadPool();

    void serve(RunSpec run) throws IOException {
        server = new RendezvousServer(run, secret, launcher);
        server.protect(protection);
        opened.add(server);
        server.start();
    }

    InetSocketAddress address() {
        return new InetSocketAddress("127.0.0.1", server.port());
    }

    JoinRequest request(MemberRecord me) {
        return new JoinRequest(address(), "job-1", me, secret, OPTIONS, 60 * SECOND, 20 * SECOND);
    }

    JoinRequest request(int slot) {
        return request(Members.member(slot, 100 + slot));
    }

    /** Makes a request to join of a process that has a lease. */
    JoinRequest leased(int slot, long leaseNs, long keepAliveNs) {
        return leased(slot, address(), new LeaseTimes(leaseNs, keepAliveNs, leaseNs / 4));
    }

    JoinRequest leased(int slot, InetSocketAddress server, LeaseTimes lease) {
        return new JoinRequest(
                server,
                "job-1",
                Members.member(slot, 100 + slot),
                secret,
                OPTIONS,
                60 * SECOND,
                20 * SECOND,
                lease,
                Protection.AUTO,
                null);
    }

    CompletableFuture<RendezvousClient> joining(JoinRequest request) {
        return elsewhere(() -> RendezvousClient.join(request));
    }

    /**
     * Makes a call on another thread, and interrupts it when the launcher has noted {@code begun}. Returns once the
     * call has taken the interrupt; the future then tells whether the thread is interrupted after the call.
     */
    CompletableFuture<Boolean> interrupted(Runnable call, String begun) throws InterruptedException {
        AtomicReference<Thread> caller = new AtomicReference<>();
        CompletableFuture<Boolean> isKept = elsewhere(() -> {
            caller.set(Thread.currentThread());
            call.run();
            return Thread.interrupted();
        });
        launcher.await(begun);
        caller.get().interrupt();
        long untilNs = System.nanoTime() + 60 * SECOND;
        while (caller.get().isInterrupted() && System.nanoTime() - untilNs < 0) {
            Thread.sleep(1);
        }
        assertThat(isKept).isNotDone();
        return isKept;
    }

    /** Calls on another thread. */
    <T> CompletableFuture<T> elsewhere(Supplier<T> call) {
        return CompletableFuture.supplyAsync(call, threads);
    }

    RendezvousClient joined(CompletableFuture<RendezvousClient> joining) throws Exception {
        RendezvousClient client = joining.get(60, TimeUnit.SECONDS);
        opened.add(client);
        return client;
    }

    /** Joins the processes of a world of this size, and returns their clients once all have joined. */
    List<RendezvousClient> join(int size) throws Exception {
        List<CompletableFuture<RendezvousClient>> joining = new ArrayList<>();
        for (int slot = 0; slot < size; slot++) {
            joining.add(joining(request(slot)));
        }
        List<RendezvousClient> clients = new ArrayList<>();
        for (CompletableFuture<RendezvousClient> one : joining) {
            clients.add(joined(one));
        }
        return clients;
    }

    void pollUntil(RendezvousClient client, BooleanSupplier done) {
        long startNs = System.nanoTime();
        while (!done.getAsBoolean()) {
            assertThat(System.nanoTime() - startNs)
                    .as("waited too long, heard " + news.lines())
                    .isLessThan(60 * SECOND);
            client.poll(System.nanoTime() + aheadNs, news);
            Thread.onSpinWait();
        }
    }

    void close() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
        threads.shutdownNow();
    }
}
