package org.ulfmj.testkit.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * One run of a few threads that share memory, one at a time: a thread goes on until it ends, waits, or is to be
 * switched away from; points ({@link SharedAccess#point}) are numbered over all of them.
 */
public final class Interleaving {
    /** The death of a thread, as by {@code kill -9}: nothing of it happens any more. */
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

    /** One of the threads, for its own use. */
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
         * Lets the others go on until {@code condition} holds; false if it never will, because they all wait or are
         * over.
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
     * @param switches points at which another thread goes on, ascending
     * @param victim index of the thread that dies at point {@code deathAt}, if that is one of its points; −1 for no
     *     rank
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
     * Runs all threads to their ends; the first added begins. A thread whose wait never ends is told so.
     *
     * @param threads gives each its own thread
     * @throws IllegalStateException with the cause if one threw
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

    /** Index of the thread that was to die; −1 for no rank. */
    public int victim() {
        return victim;
    }

    /** Whether the victim died. */
    public boolean isKilled() {
        return victim >= 0 && tasks.get(victim).isDead;
    }

    /** The next thread, in turn, that can go on; null if there is none but {@code self}. */
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

    /** The calling thread has ended: another goes on, one that waits in vain too. */
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
