package org.ulfmj.rendezvous.embed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests what every backend of {@link SharedStore} guarantees. A version is what torchelastic calls a token, and
 * {@link SharedStore#compareAndSet} is its {@code set_state}.
 */
public abstract class StoreContract {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(50);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<SharedStore> opened = new ArrayList<>();

    /** Returns the URL of a job in the backend that the test class is for. */
    protected abstract String url(String job);

    /** Opens a store that the caller has to close. Overridden, to pass the secret, for a backend that needs one. */
    protected SharedStore openUnregistered(String url) {
        return SharedStore.open(url);
    }

    /** The name of the job of this test: other tests practically never have it. */
    private final String job = "job-" + System.identityHashCode(this);

    protected final SharedStore open() {
        return open(job);
    }

    private SharedStore open(String name) {
        SharedStore store = openUnregistered(url(name)).withTimeout(LONG);
        opened.add(store);
        return store;
    }

    @AfterEach
    void closeAll() throws Exception {
        opened.forEach(SharedStore::close);
        threads.shutdownNow();
        assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private <T> Future<T> inThread(Callable<T> call) {
        return threads.submit(call);
    }

    private static <T> T done(Future<T> future) throws Exception {
        return future.get(60, TimeUnit.SECONDS);
    }

    @Test
    void shouldFindNothingWhereNothingWasStored() {
        assertThat(open().get("state")).isNull();
    }

    @Test
    void shouldShowWhatWasStoredToAllProcesses() {
        SharedStore first = open();
        SharedStore second = open();
        long version = first.set("state", "one");
        assertThat(second.get("state").text()).isEqualTo("one");
        assertThat(second.get("state").version()).isEqualTo(version).isPositive();
        assertThat(second.set("state", "two")).isGreaterThan(version);
        assertThat(first.get("state").text()).isEqualTo("two");
    }

    @Test
    void shouldSetTheFirstStateOnceAndTellTheOtherWhatIsThere() {
        Swap first = open().compareAndSet("state", 0, bytes("mine"));
        assertThat(first.isDone()).isTrue();
        assertThat(first.present().text()).isEqualTo("mine");
        Swap second = open().compareAndSet("state", 0, bytes("yours"));
        assertThat(second.isDone()).isFalse();
        assertThat(second.present().text()).isEqualTo("mine");
        assertThat(second.present().version()).isEqualTo(first.present().version());
    }

    @Test
    void shouldTakeTheCurrentVersionAndRefuseAnOldOne() {
        SharedStore store = open();
        Swap first = store.compareAndSet("state", 0, bytes("a"));
        Swap second = store.compareAndSet("state", first.present().version(), bytes("b"));
        assertThat(second.isDone()).isTrue();
        assertThat(second.present().version()).isGreaterThan(first.present().version());
        Swap late = store.compareAndSet("state", first.present().version(), bytes("c"));
        assertThat(late.isDone()).isFalse();
        assertThat(late.present().text()).isEqualTo("b");
        assertThat(store.get("state").version()).isEqualTo(second.present().version());
    }

    @Test
    void shouldRefuseAVersionThatWasNeverGiven() {
        SharedStore store = open();
        long version = store.set("state", "a");
        assertThat(store.compareAndSet("state", version + 1_000_000, bytes("b")).isDone())
                .isFalse();
        assertThat(store.compareAndSet("state", -1, bytes("b")).isDone()).isFalse();
        Swap absent = store.compareAndSet("other", version, bytes("b"));
        assertThat(absent.isDone()).isFalse();
        assertThat(absent.present()).isNull();
        assertThat(store.get("state").text()).isEqualTo("a");
    }

    @Test
    void shouldNotTakeAValueThatCameBackForTheSame() {
        SharedStore store = open();
        long version = store.set("state", "a");
        assertThat(store.delete("state")).isTrue();
        assertThat(store.delete("state")).isFalse();
        assertThat(store.compareAndSet("state", version, bytes("b")).isDone()).isFalse();
        assertThat(store.set("state", "a")).isGreaterThan(version);
        assertThat(store.compareAndSet("state", version, bytes("b")).isDone()).isFalse();
    }

    @Test
    void shouldCompareAndSetTexts() {
        SharedStore store = open();
        Swap first = store.compareAndSet("state", null, "grün");
        assertThat(first.isDone()).isTrue();
        assertThat(first.present().value()).isEqualTo("grün".getBytes(StandardCharsets.UTF_8));
        assertThat(store.compareAndSet("state", "grun", "b").present().text()).isEqualTo("grün");
        assertThat(store.compareAndSet("state", "grün", "b").isDone()).isTrue();
        assertThat(store.compareAndSet("state", first.present().version(), "c").isDone())
                .isFalse();
        assertThat(store.compareAndSet("state", store.get("state").version(), "c")
                        .isDone())
                .isTrue();
        assertThat(store.get("state").text()).isEqualTo("c");
    }

    @Test
    void shouldRefuseTextsThatAreNull() {
        SharedStore store = open();
        String none = null;
        assertThatThrownBy(() -> store.set("state", none))
                .isInstanceOf(RendezvousFailure.Refused.class)
                .hasMessage("SharedStore.set: the value for key 'state' is null");
        assertThatThrownBy(() -> store.compareAndSet("state", 0, none))
                .isInstanceOf(RendezvousFailure.Refused.class)
                .hasMessage("SharedStore.compareAndSet: the value for key 'state' is null");
        assertThatThrownBy(() -> store.compareAndSet("state", "a", none))
                .isInstanceOf(RendezvousFailure.Refused.class)
                .hasMessage("SharedStore.compareAndSet: the value for key 'state' is null");
    }

    @Test
    void shouldCompareValues() {
        SharedStore store = open();
        assertThat(store.compareAndSet("state", null, bytes("a")).isDone()).isTrue();
        assertThat(store.compareAndSet("state", null, bytes("b")).isDone()).isFalse();
        assertThat(store.compareAndSet("state", bytes("x"), bytes("b"))
                        .present()
                        .text())
                .isEqualTo("a");
        assertThat(store.compareAndSet("state", bytes("a"), bytes("b")).isDone())
                .isTrue();
        assertThat(store.get("state").text()).isEqualTo("b");
    }

    @Test
    void shouldGiveOneWinnerOfManyThatCompete() throws Exception {
        List<Future<Boolean>> calls = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            SharedStore store = open();
            byte[] name = {(byte) i};
            calls.add(inThread(() -> store.compareAndSet("leader", 0, name).isDone()));
        }
        int winners = 0;
        for (Future<Boolean> call : calls) {
            winners += done(call) ? 1 : 0;
        }
        assertThat(winners).isEqualTo(1);
    }

    @Test
    void shouldCountEachAdditionOnce() throws Exception {
        List<Future<?>> calls = new ArrayList<>();
        Set<Long> sums = new ConcurrentSkipListSet<>();
        SharedStore shared = open();
        SharedStore[] stores = {open(), open(), shared, shared};
        for (SharedStore store : stores) {
            calls.add(inThread(() -> {
                for (int i = 0; i < 10; i++) {
                    sums.add(store.add("count", 1));
                }
                return null;
            }));
        }
        for (Future<?> call : calls) {
            done(call);
        }
        assertThat(sums).hasSize(40).contains(1L, 40L);
        assertThat(shared.get("count").text()).isEqualTo("40");
        assertThat(shared.add("count", -41)).isEqualTo(-1);
    }

    @Test
    void shouldRefuseToAddToWhatIsNoNumber() {
        SharedStore store = open();
        store.set("word", "twelve");
        assertThatThrownBy(() -> store.add("word", 1))
                .isInstanceOf(RendezvousFailure.Refused.class)
                .hasMessage(
                        "SharedStore.add of 'word': key 'word' holds 'twelve', to which 1 cannot be added: allowed are"
                                + " decimal numbers of 64 bits, and their sum must be one");
        store.set("most", Long.toString(Long.MAX_VALUE));
        assertThatThrownBy(() -> store.add("most", 1)).hasMessageContaining("cannot be added");
        assertThat(store.get("most").text()).isEqualTo(Long.toString(Long.MAX_VALUE));
    }

    @Test
    void shouldKeepBytesAsTheyAre() {
        SharedStore store = open();
        byte[] long1 = new byte[1 << 20];
        for (int i = 0; i < long1.length; i++) {
            long1[i] = (byte) (i * 31);
        }
        store.set("large", long1);
        assertThat(Arrays.equals(open().get("large").value(), long1)).isTrue();
        store.set("empty", new byte[0]);
        assertThat(store.get("empty").value()).isEmpty();
        String odd = "a/b \"c\\\n\u0000 ü \ud83d\ude80";
        store.set(odd, "odd");
        assertThat(store.get(odd).text()).isEqualTo("odd");
        assertThat(store.get("a/b")).isNull();
    }

    @Test
    void shouldWaitUntilAValueIsThere() throws Exception {
        SharedStore store = open();
        Future<StoredValue> waiting = inThread(() -> store.waitFor("later", LONG));
        assertThatThrownBy(() -> waiting.get(50, TimeUnit.MILLISECONDS)).isInstanceOf(Exception.class);
        SharedStore other = open();
        other.set("late", "no");
        long version = other.set("later", "yes");
        assertThat(done(waiting).text()).isEqualTo("yes");
        assertThat(done(waiting).version()).isEqualTo(version);
        assertThat(store.waitFor("later", LONG).text()).isEqualTo("yes");
    }

    @Test
    void shouldEndAWaitAtItsTime() {
        SharedStore store = open();
        assertThatThrownBy(() -> store.waitFor("never", SHORT)).isInstanceOf(RendezvousFailure.Timeout.class);
        assertThatThrownBy(() -> store.waitFor("never", Duration.ZERO))
                .isInstanceOf(RendezvousFailure.Timeout.class)
                .hasMessage("SharedStore.waitFor of 'never': nothing is stored there");
        assertThat(store.add("never", 1)).as("the store still answers").isEqualTo(1);
    }

    @Test
    void shouldEndAWaitWhenTheStoreIsClosed() throws Exception {
        SharedStore store = open();
        store.set("a", "1");
        Future<StoredValue> waiting = inThread(() -> store.waitFor("never", LONG));
        assertThatThrownBy(() -> waiting.get(50, TimeUnit.MILLISECONDS)).isInstanceOf(Exception.class);
        store.close();
        assertThatThrownBy(() -> done(waiting)).hasCauseInstanceOf(RendezvousFailure.Closed.class);
        assertThatThrownBy(() -> store.get("a"))
                .isInstanceOf(RendezvousFailure.Closed.class)
                .hasMessage("this store is closed");
        store.close();
        assertThat(open().get("a").text()).as("what was stored stays").isEqualTo("1");
    }

    @Test
    void shouldGoOnAfterAnInterruptAndKeepTheFlag() throws Exception {
        SharedStore store = open();
        Future<Boolean> call = inThread(() -> {
            Thread.currentThread().interrupt();
            store.set("a", "1");
            try {
                store.waitFor("never", SHORT);
            } catch (RendezvousFailure.Timeout asExpected) {
                return Thread.interrupted();
            }
            return false;
        });
        assertThat(done(call)).isTrue();
        assertThat(store.get("a").text()).isEqualTo("1");
    }

    @Test
    void shouldTellAWatcherWhatIsThereAndThenEachChange() {
        SharedStore store = open();
        store.set("p/a", "1");
        store.set("q", "no");
        store.set("p/b", "2");
        StoreWatcher watcher = open().watch("p/");
        assertThat(next(watcher)).isEqualTo("SET p/a 1");
        assertThat(next(watcher)).isEqualTo("SET p/b 2");
        assertThat(watcher.next(SHORT)).isNull();
        store.set("p/a", "3");
        store.set("q", "neither");
        store.delete("p/b");
        store.add("p/c", 5);
        assertThat(next(watcher)).isEqualTo("SET p/a 3");
        assertThat(next(watcher)).isEqualTo("DELETED p/b null");
        assertThat(next(watcher)).isEqualTo("SET p/c 5");
        assertThat(watcher.next(SHORT)).isNull();
    }

    private static String next(StoreWatcher watcher) {
        WatchEvent event = watcher.next(LONG);
        return event == null ? "nothing" : event.kind() + " " + event.key() + " " + event.text();
    }

    @Test
    void shouldWakeAWatcherThatWaits() throws Exception {
        StoreWatcher watcher = open().watch("");
        Future<WatchEvent> waiting = inThread(() -> watcher.next(LONG));
        assertThatThrownBy(() -> waiting.get(50, TimeUnit.MILLISECONDS)).isInstanceOf(Exception.class);
        long version = open().set("a", "1");
        assertThat(done(waiting).version()).isEqualTo(version);
    }

    /**
     * With etcd, the watched prefix has more keys than one list of changes holds. Some keys change while the watcher
     * reads.
     */
    @Test
    void shouldMissNoChangeWhileAWatcherIsToldWhatIsThere() {
        SharedStore store = open();
        for (int i = 0; i < 40; i++) {
            store.set("k" + i, "old");
        }
        StoreWatcher watcher = store.watch("k");
        assertThat(next(watcher)).isEqualTo("SET k0 old");
        store.set("k3", "new");
        store.delete("k39");
        store.set("k40", "more");
        Map<String, String> seen = new TreeMap<>();
        seen.put("k0", "old");
        while (!seen.containsKey("k40") || seen.containsKey("k39")) {
            WatchEvent event = watcher.next(LONG);
            if (event.kind() == WatchEvent.Kind.DELETED) {
                seen.remove(event.key());
            } else {
                seen.put(event.key(), event.text());
            }
        }
        assertThat(seen).hasSize(40).containsEntry("k3", "new").containsEntry("k40", "more");
    }

    @Test
    void shouldShowAPartAsAStoreOfItsOwn() {
        SharedStore whole = open();
        SharedStore part = whole.within("1/0/");
        part.set("a", "1");
        assertThat(whole.get("1/0/a").text()).isEqualTo("1");
        assertThat(whole.get("a")).isNull();
        assertThat(part.within("x/").add("n", 2)).isEqualTo(2);
        StoreWatcher watcher = part.watch("");
        assertThat(next(watcher)).isEqualTo("SET a 1");
        assertThat(next(watcher)).isEqualTo("SET x/n 2");
    }

    @Test
    void shouldKeepJobsApart() {
        open().set("a", "1");
        assertThat(openOther().get("a")).isNull();
    }

    /** Opens a store of another job in the backend that the test class is for. */
    protected SharedStore openOther() {
        return open(job + "-other");
    }

    @Test
    void shouldNameWhatIsWrongInACall() {
        SharedStore store = open();
        assertThatThrownBy(() -> store.set("", "x"))
                .isInstanceOf(RendezvousFailure.Refused.class)
                .hasMessage("SharedStore.set: key '' has 0 bytes, 1 to 1024 are allowed");
        assertThatThrownBy(() -> store.set("k", new byte[(1 << 20) + 1]))
                .hasMessage("SharedStore.set: value of 1048577 bytes for key 'k', at most 1048576 are allowed");
        assertThatThrownBy(() -> store.add("ulfm.x", 1))
                .hasMessage("SharedStore.add: key 'ulfm.x' is the library's, as all that begin with 'ulfm.'");
        assertThatThrownBy(() -> store.get(null)).hasMessage("SharedStore.get: the key is null");
        assertThatThrownBy(() -> store.compareAndSet("k", 0, (byte[]) null))
                .hasMessage("SharedStore.compareAndSet: the value for key 'k' is null");
        assertThatThrownBy(() -> store.watch(null)).hasMessage("SharedStore.watch: the prefix is null");
        assertThatThrownBy(() -> store.withTimeout(Duration.ZERO))
                .hasMessage("SharedStore.withTimeout: PT0S; allowed: more than 0");
        assertThat(store.get("ulfm.x")).isNull();
    }
}
