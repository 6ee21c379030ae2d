package org.ulfmj.rendezvous.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.ulfmj.rendezvous.embed.RendezvousFailure;
import org.ulfmj.rendezvous.embed.SharedStore;
import org.ulfmj.rendezvous.embed.StoreContract;
import org.ulfmj.rendezvous.embed.StoreWatcher;
import org.ulfmj.rendezvous.embed.StoredValue;
import org.ulfmj.rendezvous.embed.WatchEvent;
import org.ulfmj.transport.auth.JobSecret;

class EtcdStoreTest extends StoreContract {
    private static EtcdServer server;

    private final JobSecret secret = JobSecret.random();

    @BeforeAll
    static void start() throws Exception {
        server = RunningEtcd.start();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    protected String url(String job) {
        return "etcd://" + server.endpoint() + "/" + job;
    }

    @Override
    protected SharedStore openUnregistered(String url) {
        return SharedStore.open(url, secret);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void shouldStoreSealedValuesAndNoticeOnesThatAreNot() {
        byte[] key = bytes("/ulfm/sealed/kv/a");
        try (EtcdClient admin = RunningEtcd.client(server);
                SharedStore store = openUnregistered(url("sealed"));
                SharedStore stranger = SharedStore.open(url("sealed"))) {
            store.set("a", "plain words");
            assertThat(new String(admin.get(key, RunningEtcd.soon()).value(), StandardCharsets.ISO_8859_1))
                    .doesNotContain("plain words");
            assertThatThrownBy(() -> stranger.get("a"))
                    .isInstanceOf(RendezvousFailure.StateCorrupt.class)
                    .hasMessage("the value of '/ulfm/sealed/kv/a' in etcd is sealed, and this process has no secret:"
                            + " give secret_file");
            stranger.set("a", "from a stranger");
            assertThatThrownBy(() -> store.get("a"))
                    .isInstanceOf(RendezvousFailure.StateCorrupt.class)
                    .hasMessageEndingWith("was not stored by a process of this job that has its secret");
            assertThatThrownBy(() -> store.add("a", 1)).isInstanceOf(RendezvousFailure.StateCorrupt.class);
            store.set("a", "mended");
            assertThat(store.get("a").text()).isEqualTo("mended");
        }
    }

    @Test
    void shouldGoOnAfterAnOutageOfEtcd() throws Exception {
        ExecutorService thread = Executors.newCachedThreadPool();
        try (SharedStore store = openUnregistered(url("outage"))) {
            store.set("a", "1");
            StoreWatcher watcher = store.watch("");
            assertThat(watcher.next(Duration.ofSeconds(60)).text()).isEqualTo("1");
            Future<StoredValue> waiting = thread.submit(() -> store.waitFor("b", Duration.ofSeconds(60)));
            server.kill();
            assertThatThrownBy(() -> store.withTimeout(Duration.ofSeconds(2)).get("a"))
                    .isInstanceOf(RendezvousFailure.Connection.class)
                    .hasMessageStartingWith("no answer of etcd at [http://" + server.endpoint() + "] within ");
            Future<Long> adding = thread.submit(() -> store.add("n", 1));
            assertThatThrownBy(() -> adding.get(100, TimeUnit.MILLISECONDS)).isInstanceOf(Exception.class);
            server.restart();
            assertThat(adding.get(60, TimeUnit.SECONDS)).isEqualTo(1);
            store.set("b", "2");
            assertThat(waiting.get(60, TimeUnit.SECONDS).text()).isEqualTo("2");
            assertThat(watcher.next(Duration.ofSeconds(60)).key()).isEqualTo("n");
            assertThat(watcher.next(Duration.ofSeconds(60)).key()).isEqualTo("b");
        } finally {
            thread.shutdownNow();
        }
    }

    @Test
    void shouldResetAWatcherWhoseChangesAreCompacted() throws Exception {
        try (SharedStore store = openUnregistered(url("compacted"));
                EtcdClient admin = RunningEtcd.client(server)) {
            store.set("a", "1");
            store.set("b", "1");
            StoreWatcher watcher = store.watch("");
            watcher.next(Duration.ofSeconds(60));
            watcher.next(Duration.ofSeconds(60));
            store.delete("a");
            long last = store.set("b", "2");
            admin.compact(last, RunningEtcd.soon());
            assertThat(watcher.next(Duration.ofSeconds(60)).kind()).isEqualTo(WatchEvent.Kind.RESET);
            assertThat(watcher.next(Duration.ofSeconds(60)).text()).isEqualTo("2");
            store.set("c", "3");
            assertThat(watcher.next(Duration.ofSeconds(60)).key()).isEqualTo("c");
        }
    }

    @Test
    void shouldNameWhatIsWrongInAUrlOfEtcd() {
        assertThatThrownBy(() -> SharedStore.open("etcd://h/j?etcd_prefix=x"))
                .hasMessage(
                        "etcd_prefix=x; allowed: 1 to 8 names, each after a '/', of letters, digits, '.', '_' and '-'");
        assertThatThrownBy(() -> SharedStore.open("etcd://h/j?lease=1"))
                .hasMessage("lease=1; allowed: a whole number from 2 to 3600");
        assertThatThrownBy(() -> SharedStore.open("etcd://h/j?user=u"))
                .hasMessage("etcd://h/j: user and password_file are given together, or neither");
        assertThatThrownBy(() -> SharedStore.open("etcd://h/j?cacert=/c"))
                .hasMessage("cacert=/c needs TLS: a URL that begins with etcds://");
        assertThatThrownBy(() -> SharedStore.open("etcds://h/j?cacert=/no/such/file"))
                .isInstanceOf(RendezvousFailure.Refused.class)
                .hasMessageStartingWith("cacert=/no/such/file: ");
        assertThatThrownBy(() -> SharedStore.open("etcd://h/j?user=u&password_file=/no/such/file"))
                .hasMessageStartingWith("password_file=/no/such/file: ");
    }
}
