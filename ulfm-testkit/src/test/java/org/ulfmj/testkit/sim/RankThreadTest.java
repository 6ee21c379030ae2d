package org.ulfmj.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RankThreadTest {
    private static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();

    private final BlockingQueue<Object> seen = new LinkedBlockingQueue<>();

    private Object next() throws InterruptedException {
        return seen.poll(60, TimeUnit.SECONDS);
    }

    @Test
    void shouldInheritNothingFromTheThreadThatStartsIt() throws InterruptedException {
        INHERITED.set("of the starter");
        try {
            RankThread.start("fresh", null, false, () -> {
                seen.add(String.valueOf(INHERITED.get()));
                seen.add(Thread.currentThread().getContextClassLoader() == null);
            });
            assertThat(next()).isEqualTo("null");
            assertThat(next()).isEqualTo(true);
        } finally {
            INHERITED.remove();
        }
    }

    @Test
    void shouldEndAThreadThatIsNotPooled() throws InterruptedException {
        RankThread thread = RankThread.start("once", null, false, () -> {});
        thread.join(60_000);
        assertThat(thread.isAlive()).isFalse();
    }

    @Test
    void shouldNotBeInterruptedForATaskThatItHasDone() throws InterruptedException {
        CountDownLatch goOn = new CountDownLatch(1);
        Runnable task = () -> {
            try {
                goOn.await();
                seen.add("undisturbed");
            } catch (InterruptedException e) {
                seen.add("interrupted");
            }
        };
        RankThread thread = RankThread.start("busy", null, false, task);
        thread.interruptDuring(() -> {});
        goOn.countDown();
        assertThat(next()).isEqualTo("undisturbed");
    }

    @Test
    void shouldBeInterruptedInItsTask() throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        Runnable task = () -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                seen.add("interrupted");
            }
        };
        RankThread.start("blocked", null, false, task).interruptDuring(task);
        assertThat(next()).isEqualTo("interrupted");
    }
}
