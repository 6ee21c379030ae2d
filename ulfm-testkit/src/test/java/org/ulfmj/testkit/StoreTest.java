package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.ulfmj.testkit.Programs.program;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import mpi.MPI;
import mpi.MPIException;
import mpi.Store;
import mpi.StoreEntry;
import mpi.StoreEvent;
import mpi.StoreException;
import mpi.StoreWatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.ulfmj.testkit.sim.SimWorld;

/** Tests the store of the job as programs call it, {@code MPI.store()}. */
class StoreTest {
    private static final int MINUTE = 60;

    private static String next(StoreWatch watch) {
        StoreEvent event = watch.next(MINUTE, TimeUnit.SECONDS);
        return event == null ? null : event.kind() + " " + event.key() + " " + event.text();
    }

    private static void bothWorlds(int ranks, RankMain main) {
        LocalWorld.run(ranks, main).requireSurvivorsSucceeded();
        for (int seed = 1; seed <= 5; seed++) {
            SimWorld.of(ranks).seed(seed).run(main).ends().requireSurvivorsSucceeded();
        }
    }

    @Test
    void shouldShareValuesBetweenAllRanks() {
        bothWorlds(3, program(rank -> {
            Store store = MPI.store();
            if (rank == 0) {
                assertThat(store.get("who/0")).isNull();
                store.set("who/0", "zero");
            }
            StoreEntry entry = store.waitFor("who/0", MINUTE, TimeUnit.SECONDS);
            assertThat(entry.text()).isEqualTo("zero");
            assertThat(store.add("count", 2)).isBetween(2L, 6L);
            MPI.COMM_WORLD.barrier();
            assertThat(store.get("count").text()).isEqualTo("6");
            assertThat(store.add("count", 0)).isEqualTo(6);
            MPI.COMM_WORLD.barrier();
            if (rank == 1) {
                assertThat(store.delete("count")).isTrue();
                assertThat(store.delete("count")).isFalse();
                assertThat(store.get("count")).isNull();
            }
        }));
    }

    @Test
    void shouldLetOneRankWinEachComparison() {
        bothWorlds(3, program(rank -> {
            Store store = MPI.store();
            byte[] mine = {(byte) rank};
            boolean won = store.compareAndSet("winner", 0, mine);
            assertThat(store.compareAndSet("winner", 0, mine)).isFalse();
            store.add("winners", won ? 1 : 0);
            MPI.COMM_WORLD.barrier();
            assertThat(store.get("winners").text()).isEqualTo("1");
            StoreEntry winner = store.get("winner");
            assertThat(won).isEqualTo(winner.value()[0] == rank);
            MPI.COMM_WORLD.barrier();
            if (rank == 0) {
                assertThat(store.compareAndSet("winner", new byte[] {77}, mine)).isFalse();
                assertThat(store.compareAndSet("winner", winner.value(), new byte[] {9}))
                        .isTrue();
                assertThat(store.compareAndSet("winner", winner.version(), mine))
                        .isFalse();
                assertThat(store.compareAndSet("second", null, mine)).isTrue();
                assertThat(store.compareAndSet("second", null, mine)).isFalse();
            }
        }));
    }

    @Test
    void shouldTellAWatchTheStateAndThenEachChange() {
        bothWorlds(2, program(rank -> {
            Store store = MPI.store();
            if (rank == 0) {
                store.set("w/a", "1");
                store.set("other", "1");
                store.set("w/a", "2");
                MPI.COMM_WORLD.barrier();
                store.waitFor("ready", MINUTE, TimeUnit.SECONDS);
                store.set("w/b", "3");
                store.delete("w/a");
            } else {
                MPI.COMM_WORLD.barrier();
                StoreWatch watch = store.watch("w/");
                assertThat(next(watch)).isEqualTo("SET w/a 2");
                assertThat(watch.next(1, TimeUnit.MILLISECONDS)).isNull();
                store.set("ready", "");
                assertThat(next(watch)).isEqualTo("SET w/b 3");
                assertThat(next(watch)).isEqualTo("DELETED w/a null");
                watch.close();
                assertThatThrownBy(() -> next(watch))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("the watch of 'w/' is closed");
            }
        }));
    }

    @Test
    void shouldTellAWatchThatMissedADeletionToBeginAnew() {
        LocalWorld.run(1, program(rank -> {
                    Store store = MPI.store();
                    store.set("w/a", "1");
                    try (StoreWatch watch = store.watch("w/")) {
                        assertThat(next(watch)).isEqualTo("SET w/a 1");
                        store.delete("w/a");
                        store.set("w/b", "2");
                        for (int i = 0; i < 1_100; i++) {
                            store.set("v", "x");
                        }
                        assertThat(next(watch)).isEqualTo("RESET w/ null");
                        assertThat(next(watch)).isEqualTo("SET w/b 2");
                    }
                }))
                .requireSurvivorsSucceeded();
    }

    @Test
    void shouldEndAWaitWhenItsTimeIsOver() {
        bothWorlds(2, program(rank -> {
            Store store = MPI.store();
            for (int i = 0; i < 100; i++) {
                double beginS = MPI.wtime();
                StoreException late = catchThrowableOfType(
                        StoreException.class, () -> store.waitFor("never", 1, TimeUnit.MILLISECONDS));
                // Where the store takes longer than 1 ms to answer, withdrawn requests stay open for a while, and the
                // process may reach its limit of open requests.
                assertThat(late.getMessage())
                        .isIn(
                                "Store.waitFor of 'never': no answer of the store within 1 ms",
                                "Store.waitFor of 'never': the time of the call was over before the request could be"
                                        + " sent: too many requests of this process are not answered");
                assertThat(MPI.wtime() - beginS).isBetween(0.001, 10.0);
                assertThat(late.isTimeout()).isTrue();
                assertThat(late.isOutcomeUnknown()).isFalse();
            }
            assertThat(store.get("never"))
                    .as("more waits than a process may have open were withdrawn")
                    .isNull();
        }));
    }

    @Test
    void shouldEndEachCallWhenTheTimeOfTheStoreIsOver() {
        LocalWorld.run(1, program(rank -> {
                    Store store = MPI.store();
                    store.set("k", "v");
                    Store hasty = store.withTimeout(1, TimeUnit.NANOSECONDS);
                    int late = 0;
                    for (int i = 0; i < 100; i++) {
                        try {
                            // The get succeeds in spite of its short time limit if its answer had come before this
                            // thread ran again.
                            assertThat(hasty.get("k").text()).isEqualTo("v");
                        } catch (StoreException over) {
                            assertThat(over.isTimeout()).isTrue();
                            late++;
                        }
                    }
                    assertThat(late).isPositive();
                    assertThat(hasty.withTimeout(1, TimeUnit.MINUTES).get("k").text())
                            .isEqualTo("v");
                }))
                .requireSurvivorsSucceeded();
    }

    @Test
    void shouldAnswerAWaitWithoutTimeByWhatIsThere() {
        bothWorlds(1, program(rank -> {
            MPI.store().set("there", "yes");
            assertThat(MPI.store().waitFor("there", 0, TimeUnit.SECONDS).text()).isEqualTo("yes");
            assertThatThrownBy(() -> MPI.store().waitFor("missing", 0, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(StoreException.class, over -> assertThat(over.isTimeout())
                            .isTrue());
        }));
    }

    @Test
    void shouldEndTheWaitOfAWatchThatAnotherThreadCloses() {
        LocalWorld.run(1, program(rank -> {
                    StoreWatch watch = MPI.store().watch("never");
                    CompletableFuture<Throwable> end = new CompletableFuture<>();
                    Thread waiter = new Thread(MPI.bindThread(() -> {
                        try {
                            watch.next(MINUTE, TimeUnit.SECONDS);
                            end.complete(null);
                        } catch (RuntimeException closed) {
                            end.complete(closed);
                        }
                    }));
                    waiter.start();
                    watch.close();
                    assertThat(end.join())
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessage("the watch of 'never' is closed");
                }))
                .requireSurvivorsSucceeded();
    }

    @Test
    void shouldLetAThreadEndTheWaitsOfSixtyFourOthers() {
        LocalWorld.run(1, program(rank -> {
                    CountDownLatch done = new CountDownLatch(64);
                    for (int i = 0; i < 64; i++) {
                        new Thread(MPI.bindThread(() -> {
                                    MPI.store().waitFor("go", MINUTE, TimeUnit.SECONDS);
                                    done.countDown();
                                }))
                                .start();
                    }
                    MPI.store().set("go", "now");
                    assertThat(done.await(MINUTE, TimeUnit.SECONDS)).isTrue();
                }))
                .requireSurvivorsSucceeded();
    }

    @Test
    void shouldRefuseWhatExceedsTheLimits() {
        LocalWorld.run(1, program(rank -> {
                    Store store = MPI.store();
                    refused(
                            () -> store.set("k", new byte[(1 << 20) + 1]),
                            "Store.set: value of 1048577 bytes for key 'k', at most 1048576 are allowed");
                    refused(() -> store.set("", "x"), "Store.set: key '' has 0 bytes, 1 to 1024 are allowed");
                    String longest = "k".repeat(1024);
                    store.set(longest, "x");
                    String cut = "k".repeat(64) + "…";
                    refused(
                            () -> store.get(longest + "k"),
                            "Store.get: key '" + cut + "' has 1025 bytes, 1 to 1024 are allowed");
                    refused(
                            () -> store.watch(longest + "k"),
                            "Store.watch: key '" + cut + "' has 1025 bytes, 1 to 1024 are allowed");
                    refused(() -> store.add(null, 1), "Store.add: the key is null; allowed: a string");
                    refused(
                            () -> store.set("k", (byte[]) null),
                            "Store.set: the value for key 'k' is null; allowed: bytes or a string");
                    refused(
                            () -> store.set("k", (String) null),
                            "Store.set: the value for key 'k' is null; allowed: bytes or a string");
                    refused(
                            () -> store.watch(null),
                            "Store.watch: the prefix is null; allowed: a string, also an empty one");
                    refused(
                            () -> store.withTimeout(0, TimeUnit.SECONDS),
                            "Store.withTimeout: a time of 0 SECONDS; allowed: more than 0");
                    store.set("text", "two");
                    refused(
                            () -> store.add("text", 1),
                            "Store.add: key 'text' holds 'two', to which 1 cannot be added:"
                                    + " allowed are decimal numbers of 64 bits, and their sum must be one");
                }))
                .requireSurvivorsSucceeded();
    }

    private static void refused(ThrowingCallable call, String message) {
        StoreException refusal = catchThrowableOfType(StoreException.class, call);
        assertThat(refusal).hasMessage(message);
        assertThat(refusal.getErrorClass()).isEqualTo(MPI.ERR_ARG);
        assertThat(refusal.isTimeout()).isFalse();
        assertThat(refusal.isOutcomeUnknown()).isFalse();
    }

    @Test
    void shouldRefuseCallsOutsideOfInitAndFinalize() {
        assertThatThrownBy(MPI::store)
                .isInstanceOf(MPIException.class)
                .hasMessageContaining("call MPI.Init first: thread");
        LocalWorld.of(1)
                .run(() -> {
                    MPI.Init(new String[0]);
                    Store store = MPI.store();
                    StoreWatch watch = store.watch("w/");
                    assertThat(watch.next(1, TimeUnit.MILLISECONDS)).isNull();
                    MPI.Finalize();
                    assertThatThrownBy(MPI::store)
                            .isInstanceOf(MPIException.class)
                            .hasMessage("store: MPI is finalized");
                    assertThatThrownBy(() -> store.get("k"))
                            .isInstanceOf(MPIException.class)
                            .hasMessage("Store.get: MPI is finalized");
                    assertThatThrownBy(() -> next(watch))
                            .isInstanceOf(MPIException.class)
                            .hasMessage("Store.watch: MPI is finalized");
                    watch.close();
                })
                .requireSurvivorsSucceeded();
    }

    @Test
    void shouldServeManyThreadsOfOneRankAtOnce() {
        LocalWorld.run(2, program(rank -> {
                    Store store = MPI.store();
                    int threads = 100;
                    if (rank == 0) {
                        List<Thread> waiting = new ArrayList<>();
                        AtomicReference<Throwable> wrong = new AtomicReference<>();
                        for (int i = 0; i < threads; i++) {
                            int mine = i;
                            Thread thread = new Thread(MPI.bindThread(() -> {
                                try {
                                    String text = store.waitFor("go/" + mine % 10, MINUTE, TimeUnit.SECONDS)
                                            .text();
                                    assertThat(text).isEqualTo("" + mine % 10);
                                    store.add("sum", mine);
                                } catch (Throwable e) {
                                    wrong.set(e);
                                }
                            }));
                            thread.start();
                            waiting.add(thread);
                        }
                        MPI.COMM_WORLD.barrier();
                        for (Thread thread : waiting) {
                            join(thread);
                        }
                        assertThat(wrong.get()).isNull();
                        assertThat(store.get("sum").text()).isEqualTo("4950");
                    } else {
                        MPI.COMM_WORLD.barrier();
                        for (int i = 0; i < 10; i++) {
                            store.set("go/" + i, "" + i);
                        }
                    }
                }))
                .requireSurvivorsSucceeded();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Shows that a value that a rank stored before it died can be read by the process that replaces it, which can store
     * another value.
     */
    @Test
    void shouldKeepWhatARankHasStoredBeyondItsDeath() {
        RankMain main = () -> {
            MPI.Init(new String[0]);
            Store store = MPI.store();
            if (MPI.isReplacement()) {
                assertThat(store.get("of 1").text()).isEqualTo("before");
                store.set("of 1'1", "after");
            } else if (MPI.COMM_WORLD.getRank() == 1) {
                store.set("of 1", "before");
                Faults.die();
            } else {
                store.waitFor("of 1", MINUTE, TimeUnit.SECONDS);
                Programs.awaitFailed(MPI.COMM_WORLD, 1);
                MPI.COMM_WORLD.replace();
                assertThat(store.waitFor("of 1'1", MINUTE, TimeUnit.SECONDS).text())
                        .isEqualTo("after");
            }
            MPI.Finalize();
        };
        LocalWorld.of(2).restarting(1).run(main).requireSurvivorsSucceeded();
        for (int seed = 1; seed <= 5; seed++) {
            SimWorld.of(2).seed(seed).restarting(1).run(main).ends().requireSurvivorsSucceeded();
        }
    }

    @Test
    void shouldTearAKilledRankOutOfItsWait() {
        LocalWorld.run(2, program(rank -> {
                    if (rank == 1) {
                        MPI.store().set("waits", "");
                        MPI.store().waitFor("never", MINUTE, TimeUnit.SECONDS);
                    } else {
                        MPI.store().waitFor("waits", MINUTE, TimeUnit.SECONDS);
                        Faults.kill(1);
                        Programs.awaitFailed(MPI.COMM_WORLD, 1);
                        MPI.store().set("never", "after all");
                    }
                }))
                .requireSurvivorsSucceeded();
    }

    @Test
    void shouldSayThatTheOutcomeIsUnknownOnceTheLauncherIsGone() {
        LocalWorld.of(2)
                .timeout(Duration.ofSeconds(MINUTE))
                .run(program(rank -> {
                    Store store = MPI.store();
                    if (rank == 0) {
                        store.waitFor("ready", MINUTE, TimeUnit.SECONDS);
                        Faults.endLauncher();
                    } else {
                        store.set("ready", "");
                    }
                    StoreException lost = catchThrowableOfType(
                            StoreException.class, () -> store.waitFor("never", MINUTE, TimeUnit.SECONDS));
                    assertThat(lost)
                            .hasMessage(
                                    "Store.waitFor of 'never': the launcher is gone; whether the call had an effect is"
                                            + " unknown");
                    assertThat(lost.isOutcomeUnknown()).isTrue();
                    assertThat(lost.isTimeout()).isFalse();
                    assertThatThrownBy(() -> store.set("k", "x")).hasMessageContaining("the launcher is gone");
                }))
                .requireSurvivorsSucceeded();
    }
}
