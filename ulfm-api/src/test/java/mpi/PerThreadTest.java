package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class PerThreadTest {
    private static final long LIMIT_SECONDS = 60;
    private final PerThread<String> objects = new PerThread<>();

    @Test
    void shouldReturnNullBeforeAnythingIsSet() {
        assertThat(objects.get()).isNull();
    }

    @Test
    void shouldShowEachThreadItsOwnObject() throws Exception {
        objects.set("first");
        String seen = inThread(() -> {
            String before = objects.get();
            objects.set("second");
            return before + ", " + objects.get();
        });

        assertThat(seen).isEqualTo("null, second");
        assertThat(objects.get()).isEqualTo("first");
    }

    @Test
    void shouldReplaceTheObjectOfEachThread() throws Exception {
        objects.set("first");
        objects.set("anew");
        String seen = inThread(() -> {
            objects.set("second");
            objects.set("anew, too");
            return objects.get();
        });

        assertThat(objects.get()).isEqualTo("anew");
        assertThat(seen).isEqualTo("anew, too");
    }

    @Test
    void shouldNotShowTheObjectOfAThreadThatHasEnded() throws Exception {
        inThread(() -> {
            objects.set("of the dead");
            return "";
        });

        assertThat(objects.get()).isNull();
        objects.set("of the living");
        assertThat(objects.get()).isEqualTo("of the living");
    }

    @Test
    void shouldKeepNoObjectOfAThreadThatHasEnded() throws Exception {
        PerThread<Object> kept = new PerThread<>();
        CompletableFuture<WeakReference<Object>> made = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            Object mine = new Object();
            kept.set(mine);
            made.complete(new WeakReference<>(kept.get()));
        });
        thread.start();
        thread.join();
        WeakReference<Object> object = made.get(LIMIT_SECONDS, TimeUnit.SECONDS);

        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (object.get() != null && System.nanoTime() - endNs < 0) {
            System.gc();
        }
        assertThat(object.get()).isNull();
    }

    @Test
    void shouldNeverShowAThreadAnotherOnesObjectWhenAllBeginAtOnce() throws Exception {
        for (int round = 0; round < 2_000; round++) {
            PerThread<Thread> owners = new PerThread<>();
            CyclicBarrier start = new CyclicBarrier(2);
            AtomicReference<Thread> stranger = new AtomicReference<>();
            Runnable worker = () -> {
                Thread me = Thread.currentThread();
                await(start);
                for (int i = 0; i < 50; i++) {
                    Thread found = owners.get();
                    if (found == null) {
                        owners.set(me);
                    } else if (found != me) {
                        stranger.set(found);
                    }
                }
            };
            Thread other = new Thread(worker);
            other.start();
            worker.run();
            other.join();

            assertThat(stranger.get()).isNull();
        }
    }

    private static void await(CyclicBarrier start) {
        try {
            start.await(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static String inThread(java.util.function.Supplier<String> work) throws Exception {
        CompletableFuture<String> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> result.complete(work.get()));
        thread.start();
        String found = result.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        thread.join();
        return found;
    }
}
