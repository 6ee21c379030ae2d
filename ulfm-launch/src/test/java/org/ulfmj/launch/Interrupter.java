package org.ulfmj.launch;

import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Interrupts one thread again and again, at random moments, and remembers whether it has done so since the last
 * {@link #check}.
 */
final class Interrupter implements Runnable, AutoCloseable {
    private static final long LONGEST_PAUSE_NS = 1_500_000;
    private static final long MOST_NS = 60_000_000_000L;

    private final Thread target = Thread.currentThread();
    private final SplittableRandom random;
    private final Thread thread = new Thread(this, "interrupter");
    private boolean hasFired;
    private long firedTotal;
    private volatile boolean isClosed;

    private Interrupter(long seed) {
        random = new SplittableRandom(seed);
        thread.setDaemon(true);
    }

    /** Begins to interrupt the calling thread. */
    static Interrupter ofCaller(long seed) {
        Interrupter interrupter = new Interrupter(seed);
        interrupter.thread.start();
        return interrupter;
    }

    @Override
    public void run() {
        while (!isClosed) {
            LockSupport.parkNanos(random.nextLong(LONGEST_PAUSE_NS));
            fire();
        }
    }

    synchronized void fire() {
        hasFired = true;
        firedTotal++;
        target.interrupt();
    }

    /**
     * Fails unless the interrupt flag of the target, which calls this method, is set exactly if the target was
     * interrupted. Clears the flag.
     */
    synchronized void check(String call) {
        boolean isSet = Thread.interrupted();
        if (isSet != hasFired) {
            throw new AssertionError(call + (isSet ? " set the interrupt flag" : " lost an interrupt"));
        }
        hasFired = false;
    }

    /**
     * Waits until the target was interrupted this many times: calls that are interrupted seldom would prove nothing.
     */
    void awaitFired(long times) {
        long beganNs = System.nanoTime();
        while (firedTotal() < times) {
            if (System.nanoTime() - beganNs > MOST_NS) {
                throw new AssertionError("hardly interrupted");
            }
            Thread.yield();
        }
    }

    private synchronized long firedTotal() {
        return firedTotal;
    }

    @Override
    public void close() {
        isClosed = true;
        boolean wasInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException again) {
                wasInterrupted = true;
            }
        }
        if (wasInterrupted) {
            target.interrupt();
        }
    }
}
