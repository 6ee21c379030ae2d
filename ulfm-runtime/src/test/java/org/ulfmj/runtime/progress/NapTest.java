package org.ulfmj.runtime.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class NapTest {
    private static final long LONG_NS = Duration.ofMinutes(1).toNanos();
    private static final long SHORT_NS = Duration.ofMillis(20).toNanos();

    private final ReentrantLock lock = new ReentrantLock(true);
    private final Nap nap = new Nap(lock);

    @BeforeEach
    void lock() {
        lock.lock();
    }

    @AfterEach
    void unlock() {
        lock.unlock();
    }

    @Test
    void shouldLetGoOfTheLockForItsTime() {
        long beganNs = System.nanoTime();
        nap.take(SHORT_NS);
        assertThat(System.nanoTime() - beganNs).isGreaterThanOrEqualTo(SHORT_NS);
        assertThat(lock.isHeldByCurrentThread()).isTrue();
    }

    @Test
    void shouldEndWhenAnotherThreadEndsIt() throws InterruptedException {
        Thread other = new Thread(this::endOnce);
        other.start();
        nap.take(LONG_NS);
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        other.join();
    }

    @Test
    void shouldNotShortenTheNextNapWhenNoThreadNaps() {
        nap.end();
        long beganNs = System.nanoTime();
        nap.take(SHORT_NS);
        assertThat(System.nanoTime() - beganNs).isGreaterThanOrEqualTo(SHORT_NS);
    }

    @Test
    void shouldBeDeafToInterrupts() {
        Thread.currentThread().interrupt();
        long beganNs = System.nanoTime();
        nap.take(SHORT_NS);
        assertThat(System.nanoTime() - beganNs).isGreaterThanOrEqualTo(SHORT_NS);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void shouldNotEndEarlyWhenTheThreadMayGoOnForAnotherReason() {
        LockSupport.unpark(Thread.currentThread());
        long beganNs = System.nanoTime();
        nap.take(SHORT_NS);
        assertThat(System.nanoTime() - beganNs).isGreaterThanOrEqualTo(SHORT_NS);
    }

    /**
     * Ends the other thread's nap. That nap begins when the other thread releases the lock, so this cannot come too
     * early.
     */
    private void endOnce() {
        lock.lock();
        try {
            nap.end();
        } finally {
            lock.unlock();
        }
    }
}
