package org.ulfmj.testkit.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * One run of a few threads that share memory, of which only one runs at a time: a thread goes on until it ends, waits,
 * or comes to a point at which the run switches to another thread. The points ({@link SharedAccess#point}) are numbered
 * over all threads.
 */
public final class Interleaving {
    /** Is thrown to end a thread as {@code kill -9} would end a process: the thread does nothing more. */
    private static final class Death extends Error {
        private static final long serialVersionUID = 1L;

        Death() {
            super("killed at a point", null, false, false);
        }
    }

    /** What a thread runs. */
    public interface Body {
        void run(Task task);
    }

    /** One of the threads, as the code that it runs sees itself. */
    public final class Task {
        private final int index;
        private final Body body;
        private BooleanSupplier wait;
        private boolean isOver;
        private boolean isDead;
        private volatile boolean hasTurn;
        private volatile Thread thread;

        private Task(int index, Body body) {
            this.index = index;
            this.body = body;
        }

        void point() {
            int number = points++;
            if (number == deathAt && index == victim) {
                isDead = true;
                throw new Death();
            }
            if (nextSwitch < switches.length && switches[nextSwitch] == number) {
                nextSwitch++;
                Task other = runnable(this);
                if (other != null) {
                    give(other);
                    awaitTurn();
                }
            }
        }

        /**
         * Lets other threads run until {@code condition} holds and this thread runs again. Returns false if the
         * condition can never hold, because all other threads wait or have ended.
         */
        public boolean await(BooleanSupplier condition) {
            wait = condition;
            Task other = runnable(this);
            if (other == null) {
                boolean holds = condition.getAsBoolean();
                wait = null;
                return holds;
            }
            give(other);
            awaitTurn();
            wait = null;
            return condition.getAsBoolean();
        }

        /** Whether another thread has ended or died. */
        public boolean isOver(int other) {
            return tasks.get(other).isOver;
        }

        private void awaitTurn() {
            while (!hasTurn) {
                LockSupport.park(this);
            }
            hasTurn = false;
        }

        private void run() {
            thread = Thread.currentThread();
            SharedAccess.bind(this);
            try {
                awaitTurn();
                body.run(this);
            } catch (Death expected) {
                // That is all there is to it.
            } catch (RuntimeException | Error e) {
                failure = failure == null ? e : failure;
            } finally {
                SharedAccess.bind(null);
                isOver = true;
                end(this);
            }
        }
    }

    private final int[] switches;
    private final int victim;
    private final int deathAt;
    private final List<Task> tasks = new ArrayList<>();
    private final Thread runner = Thread.currentThread();
    private int nextSwitch;
    private int points;
    private Throwable failure;
    private volatile int running;

    /**
     * @param switches the numbers of the points at which another thread goes on, ascending
     * @param victim index of the thread that dies at point {@code deathAt}, if it is that thread which comes to the
     *     point; −1 for none
     */
    public Interleaving(int[] switches, int victim, int deathAt) {
        this.switches = switches.clone();
        this.victim = victim;
        this.deathAt = deathAt;
    }

    public Interleaving add(Body body) {
        tasks.add(new Task(tasks.size(), body));
        return this;
    }

    /**
     * Runs all threads to their ends, beginning with the one that was added first. A thread whose condition can never
     * hold gets false from {@link Task#await}.
     *
     * @param threads runs each of them in its own thread
     * @throws IllegalStateException with the cause if a thread threw an exception
     */
    public void run(Executor threads) {
        running = tasks.size();
        for (Task task : tasks) {
            threads.execute(task::run);
        }
        give(tasks.get(0));
        while (running > 0) {
            LockSupport.park(this);
        }
        if (failure != null) {
            throw new IllegalStateException(failure.getMessage(), failure);
        }
    }

    /** Points passed. */
    public int points() {
        return points;
    }

    /** The index of the thread that was to die; −1 for none. */
    public int victim() {
        return victim;
    }

    /** Whether the victim died. */
    public boolean isKilled() {
        return victim >= 0 && tasks.get(victim).isDead;
    }

    /** The next thread after {@code self}, in the order of indexes, that can go on; null if no other thread can. */
    private Task runnable(Task self) {
        for (int i = 1; i < tasks.size(); i++) {
            Task other = tasks.get((self.index + i) % tasks.size());
            if (!other.isOver && (other.wait == null || other.wait.getAsBoolean())) {
                return other;
            }
        }
        return null;
    }

    private void give(Task task) {
        task.hasTurn = true;
        LockSupport.unpark(task.thread);
    }

    /** The calling thread has ended and lets another thread go on; if all others wait in vain, it is one of these. */
    private void end(Task over) {
        Task next = runnable(over);
        for (int i = 0; next == null && i < tasks.size(); i++) {
            next = tasks.get(i).isOver ? null : tasks.get(i);
        }
        running--;
        if (next != null) {
            give(next);
        } else {
            LockSupport.unpark(runner);
        }
    }
}
