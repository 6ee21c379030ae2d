package org.ulfmj.runtime.progress;

import java.util.concurrent.locks.ReentrantLock;

/**
 * The rank's own background thread: it has the seat when no thread of the program has polled for a while, so heartbeats
 * go out and deaths are noticed while the program computes. When a caller waits, this thread gives the seat up and
 * naps, 1 ms at first and then up to 10 ms, or 50 ms while the caller sleeps, until a nap has passed without a poll by
 * a caller. So the callers of a rank that exchanges small messages all the time keep the seat, and a rank that goes
 * back to computing soon has a listener again.
 *
 * <p>The thread ignores interrupts: a program may interrupt its whole thread group, to which this thread belongs, and
 * means only its own threads.
 */
final class ProgressThread implements Runnable {
    private static final long SHORT_NAP_NS = 1_000_000;
    private static final long LONG_NAP_NS = 10_000_000;

    private static final long END_BOUND_NS = 1_000_000_000;
    private static final long NS_PER_MS = 1_000_000;

    private final Engine engine;
    private final PollingProgress progress;
    private final Thread thread;

    ProgressThread(Engine engine, PollingProgress progress) {
        this.engine = engine;
        this.progress = progress;
        this.thread = new Thread(null, this, "ulfm-progress-".concat(engine.id().toString()));
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /**
     * Waits until this thread has stopped, which is soon after its rank has ended; the wait has a bound. Called without
     * the engine lock.
     */
    void awaitEnd() {
        boolean interrupted = Thread.interrupted();
        long deadlineNs = System.nanoTime() + END_BOUND_NS;
        while (thread.isAlive() && deadlineNs - System.nanoTime() > 0) {
            try {
                thread.join(1 + (deadlineNs - System.nanoTime()) / NS_PER_MS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void run() {
        ReentrantLock lock = engine.lock();
        lock.lock();
        try {
            long napNs = SHORT_NAP_NS;
            long pollsBefore = -1;
            while (!engine.isOver()) {
                if (progress.seatIsWithProgressThread()) {
                    napNs = SHORT_NAP_NS;
                    progress.driveInBackground();
                } else {
                    long polls = engine.polls();
                    progress.nap(napNs, polls == pollsBefore);
                    pollsBefore = polls;
                    engine.watchCalls();
                    progress.takeSeatIfIdle(polls);
                    napNs = engine.hasStarted() ? SHORT_NAP_NS : Math.min(2 * napNs, LONG_NAP_NS);
                }
            }
        } catch (RuntimeException | Error e) {
            if (!engine.isOver()) {
                engine.breakDown(e);
            }
        } finally {
            lock.unlock();
        }
    }
}
