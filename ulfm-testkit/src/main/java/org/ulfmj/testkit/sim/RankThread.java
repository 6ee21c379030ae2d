package org.ulfmj.testkit.sim;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.locks.LockSupport;

/** A thread that is a rank in one run after another: thousands of runs a minute should not start threads by the ten thousand. */
final class RankThread extends Thread {
    private static final ConcurrentLinkedDeque<RankThread> IDLE = new ConcurrentLinkedDeque<>();

    private volatile Runnable task;

    private RankThread() {
        super("simulated-rank");
        setDaemon(true);
    }

    /** Runs {@code task} on an idle thread, or a new one. */
    static RankThread start(String name, ClassLoader context, Runnable task) {
        RankThread thread = IDLE.pollFirst();
        boolean isNew = thread == null;
        if (isNew) {
            thread = new RankThread();
        }
        thread.setName(name);
        thread.setContextClassLoader(context);
        thread.task = task;
        if (isNew) {
            thread.start();
        } else {
            LockSupport.unpark(thread);
        }
        return thread;
    }

    @Override
    public void run() {
        while (true) {
            Runnable current = task;
            if (current == null) {
                LockSupport.park(this);
                continue;
            }
            current.run();
            task = null;
            setName("idle-simulated-rank");
            Thread.interrupted();
            IDLE.addFirst(this);
        }
    }
}
