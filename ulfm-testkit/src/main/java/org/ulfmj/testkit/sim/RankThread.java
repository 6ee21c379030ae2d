package org.ulfmj.testkit.sim;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that is a rank, in one run after another if it may be: thousands of runs a minute should not start threads
 * by the ten thousand. It inherits nothing from the process that happened to start it; what the program leaves in
 * thread-locals stays.
 */
final class RankThread extends Thread {
    private static final ConcurrentLinkedDeque<RankThread> IDLE = new ConcurrentLinkedDeque<>();

    private final boolean isPooled;
    private final Object taskLock = new Object();
    /** Written under the lock. */
    private volatile Runnable task;

    private RankThread(boolean isPooled) {
        super(null, null, "simulated-rank", 0, false);
        this.isPooled = isPooled;
        setDaemon(true);
    }

    /**
     * Runs {@code task} on an idle thread, or a new one.
     *
     * @param isPooled false: on a thread that does nothing before or after
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

    /** Interrupts it if it is still at work on {@code started}; who comes next is not disturbed. */
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
            // No rank interrupts it from here on until it has another task.
            Thread.interrupted();
            if (isPooled) {
                setName("idle-simulated-rank");
                setContextClassLoader(null);
                IDLE.addFirst(this);
            }
        } while (isPooled);
    }
}
