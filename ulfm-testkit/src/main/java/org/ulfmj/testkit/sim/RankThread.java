package org.ulfmj.testkit.sim;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread on which a rank runs. It is used in one run after another where that is possible: thousands of runs per
 * minute should not start tens of thousands of threads. It inherits no thread-locals from the thread that happened to
 * start it. Values that the program leaves in thread-locals stay there for the next run.
 */
final class RankThread extends Thread {
    private static final ConcurrentLinkedDeque<RankThread> IDLE = new ConcurrentLinkedDeque<>();

    private final boolean isPooled;
    private final Object taskLock = new Object();
    /** Written under {@link #taskLock}. */
    private volatile Runnable task;

    private RankThread(boolean isPooled) {
        super(null, null, "simulated-rank", 0, false);
        this.isPooled = isPooled;
        setDaemon(true);
    }

    /**
     * Runs {@code task} on an idle thread, or a new one.
     *
     * @param isPooled false for a thread that runs no other task before or after
     */
    static RankThread start(String name, ClassLoader context, boolean isPooled, Runnable task) {
        RankThread thread = isPooled ? IDLE.pollFirst() : null;
        boolean isNew = thread == null;
        if (isNew) {
            thread = new RankThread(isPooled);
        }
        thread.setName(name);
        thread.setContextClassLoader(context);
        thread.take(task);
        if (isNew) {
            thread.start();
        } else {
            LockSupport.unpark(thread);
        }
        return thread;
    }

    private void take(Runnable newTask) {
        synchronized (taskLock) {
            task = newTask;
        }
    }

    /** Interrupts the thread if it still runs {@code started}. A later task is not disturbed. */
    void interruptDuring(Runnable started) {
        synchronized (taskLock) {
            if (task == started) {
                interrupt();
            }
        }
    }

    @Override
    public void run() {
        do {
            Runnable current = task;
            if (current == null) {
                LockSupport.park(this);
                continue;
            }
            current.run();
            take(null);
            // The interrupt flag is cleared: interruptDuring() sets it no more for the task that is done.
            Thread.interrupted();
            if (isPooled) {
                setName("idle-simulated-rank");
                setContextClassLoader(null);
                IDLE.addFirst(this);
            }
        } while (isPooled);
    }
}
