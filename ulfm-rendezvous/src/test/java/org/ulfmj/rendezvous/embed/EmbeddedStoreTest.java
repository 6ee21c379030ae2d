package org.ulfmj.rendezvous.embed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.rendezvous.server.StoreHost;
import org.ulfmj.transport.auth.JobSecret;

class EmbeddedStoreTest extends StoreContract {
    private final JobSecret secret = JobSecret.random();
    private final SortedMap<String, StoreHost> hosts = new TreeMap<>();

    @TempDir
    private Path directory;

    private StoreHost host(String job) {
        return hosts.computeIfAbsent(job, name -> {
            try {
                return new StoreHost("127.0.0.1", 0, name, secret);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Override
    protected String url(String job) {
        return "embedded://127.0.0.1:" + host(job).port() + "/" + job;
    }

    @Override
    protected SharedStore openUnregistered(String url) {
        return SharedStore.open(url, secret);
    }

    @AfterEach
    void closeHosts() {
        hosts.values().forEach(StoreHost::close);
    }

    @Test
    void shouldReadTheSecretFromAFile() throws Exception {
        Path file = directory.resolve("secret");
        secret.write(file);
        try (SharedStore store = SharedStore.open(url("a") + "?secret_file=" + file)) {
            assertThat(store.add("n", 1)).isEqualTo(1);
        }
        assertThatThrownBy(() -> SharedStore.open(url("a") + "?secret_file=" + directory.resolve("none")))
                .isInstanceOf(RendezvousFailure.Refused.class)
                .hasMessageContaining("none");
    }

    @Test
    void shouldSayWhatIsMissing() {
        assertThatThrownBy(() -> SharedStore.open(url("a")))
                .hasMessage("embedded://127.0.0.1:" + host("a").port()
                        + "/a needs the secret of the job: give secret_file, or open the store with it");
        assertThatThrownBy(() -> SharedStore.open("embedded://h/a", secret))
                .hasMessage("embedded://h/a has no port; allowed: host:port");
        assertThatThrownBy(() -> SharedStore.open("embedded://h:1,h:2/a", secret))
                .hasMessage("embedded://h:1,h:2/a has 2 endpoints; allowed: 1");
    }

    @Test
    void shouldRefuseAnotherJob() {
        String other = "embedded://127.0.0.1:" + host("a").port() + "/b";
        assertThatThrownBy(() -> SharedStore.open(other, secret))
                .isInstanceOf(RendezvousFailure.Refused.class)
                .hasMessageContaining("this is the rendezvous of job a, not of job b");
    }

    @Test
    void shouldSayWhyThereIsNoConnection() {
        int port = host("a").port();
        assertThatThrownBy(() -> EmbeddedBackend.open("127.0.0.1", port, "a", JobSecret.random(), 200_000_000))
                .isInstanceOf(RendezvousFailure.Connection.class)
                .hasMessageStartingWith("no connection to the store at 127.0.0.1:" + port + ": ");
        host("a").close();
        RendezvousFailure failure = failureOf(port, 100);
        for (long ms = 200; failure.getMessage().endsWith("no attempt yet") && ms < 60_000; ms *= 2) {
            failure = failureOf(port, ms);
        }
        assertThat(failure).isInstanceOf(RendezvousFailure.Connection.class).hasMessageContaining("refused");
    }

    private RendezvousFailure failureOf(int port, long ms) {
        return catchThrowableOfType(
                RendezvousFailure.class,
                () -> EmbeddedBackend.open("127.0.0.1", port, "a", secret, TimeUnit.MILLISECONDS.toNanos(ms)));
    }

    @Test
    void shouldEndEverythingWhenAnotherHostIsInThePlaceOfTheFirst() throws Exception {
        StoreHost first = host("a");
        int port = first.port();
        SharedStore store = open(url("a"));
        store.set("k", "1");
        CompletableFuture<Thread> waiter = new CompletableFuture<>();
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Future<StoredValue> waiting = thread.submit(() -> {
                waiter.complete(Thread.currentThread());
                return store.waitFor("never", Duration.ofSeconds(60));
            });
            awaitItsWait(waiter.get(60, TimeUnit.SECONDS));
            first.close();
            hosts.put("a", new StoreHost("127.0.0.1", port, "a", secret));
            assertThatThrownBy(() -> waiting.get(60, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(RendezvousFailure.OutcomeUnknown.class)
                    .hasMessageContaining("another one is in its place");
            assertThatThrownBy(() -> store.get("k"))
                    .isInstanceOf(RendezvousFailure.Closed.class)
                    .hasMessageEndingWith("it has to be opened again");
        } finally {
            store.close();
            thread.shutdownNow();
        }
    }

    /** Waits until the given thread waits with a time limit: only then has it asked the store. */
    private static void awaitItsWait(Thread thread) {
        long untilNs = System.nanoTime() + 60_000_000_000L;
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            assertThat(System.nanoTime() - untilNs).isNegative();
            Thread.onSpinWait();
        }
    }

    private SharedStore open(String url) {
        return SharedStore.open(url, secret);
    }

    /**
     * The connection breaks at every fifth request: a request may reach the host on several connections, and is carried
     * out once.
     */
    @Test
    void shouldCountEachAdditionOnceOverConnectionsThatBreak() throws Exception {
        try (BreakingPath path = new BreakingPath(host("a").port());
                SharedStore store = open("embedded://127.0.0.1:" + path.port() + "/a")) {
            for (int i = 1; i <= 100; i++) {
                if (i % 5 == 0) {
                    path.cut();
                }
                assertThat(store.add("n", 1)).isEqualTo(i);
            }
        }
    }

    /** Forwards connections to a port, and cuts the present connection when a test asks for it. */
    private static final class BreakingPath implements AutoCloseable {
        private final ServerSocketChannel door = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
        private final ExecutorService threads = Executors.newCachedThreadPool();
        private SocketChannel present;

        BreakingPath(int port) throws IOException {
            threads.submit(() -> {
                while (true) {
                    SocketChannel near = door.accept();
                    SocketChannel far = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
                    synchronized (this) {
                        present = near;
                    }
                    threads.submit(() -> carry(near, far));
                    threads.submit(() -> carry(far, near));
                }
            });
        }

        private static Void carry(SocketChannel from, SocketChannel to) throws IOException {
            try (from;
                    to) {
                ByteBuffer bytes = ByteBuffer.allocate(4096);
                while (from.read(bytes.clear()) >= 0) {
                    bytes.flip();
                    while (bytes.hasRemaining()) {
                        to.write(bytes);
                    }
                }
            }
            return null;
        }

        synchronized void cut() throws IOException {
            present.close();
        }

        int port() {
            return door.socket().getLocalPort();
        }

        @Override
        public void close() throws IOException {
            door.close();
            cut();
            threads.shutdownNow();
        }
    }
}
