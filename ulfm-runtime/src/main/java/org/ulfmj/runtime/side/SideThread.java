package org.ulfmj.runtime.side;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Runs actions one after the other on a separate thread, so that the thread that adds an action, which may hold the
 * engine lock, never waits for it. The thread starts with the first action and does not keep the process alive: a
 * process that ends waits a moment until its lines are written ({@link #awaitLines}). Any thread may call {@link #add}
 * and {@link #awaitLines}; of these two only {@link #awaitLines} blocks.
 */
public final class SideThread implements Runnable {
    /**
     * How long a process that ends waits at most until its last lines are written. There is a limit since it may be
     * that no process reads them.
     */
    public static final long LAST_LINES_NS = 1_000_000_000;

    private final String name;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean isStarted;

    /** How many lines are not written yet. */
    private int lines;

    public SideThread(String name) {
        this.name = name;
    }

    public synchronized void add(Runnable action) {
        waiting.add(action);
        lines += action instanceof Line ? 1 : 0;
        if (!isStarted) {
            isStarted = true;
            Thread thread = new Thread(this, name);
            thread.setDaemon(true);
            thread.start();
        }
        notifyAll();
    }

    @Override
    public void run() {
        while (true) {
            Runnable next = next();
            try {
                next.run();
            } catch (RuntimeException | Error thrown) {
                // An action that throws is treated as any thread of the program that throws: the stack trace is
                // printed, and the rank goes on.
                Thread self = Thread.currentThread();
                self.getUncaughtExceptionHandler().uncaughtException(self, thrown);
            }
            isOver(next);
        }
    }

    private synchronized void isOver(Runnable action) {
        lines -= action instanceof Line ? 1 : 0;
        notifyAll();
    }

    /**
     * Waits until no line is left to write, but no longer than the limit. Returns false if the limit passed or the
     * thread was interrupted before. Actions that are no lines are awaited only where they are before a line.
     */
    public synchronized boolean awaitLines(long limitNs) {
        long untilNs = System.nanoTime() + limitNs;
        while (lines > 0) {
            long leftNs = untilNs - System.nanoTime();
            if (leftNs <= 0) {
                return false;
            }
            try {
                wait(leftNs / 1_000_000 + 1);
            } catch (InterruptedException e) {
                return false;
            }
        }
        return true;
    }

    private synchronized Runnable next() {
        while (waiting.isEmpty()) {
            try {
                wait();
            } catch (InterruptedException e) {
                // A program may interrupt its whole thread group, to which this thread belongs. Actions are run
                // nevertheless.
            }
        }
        return waiting.remove();
    }

    /** An action that writes a line to stderr. */
    public record Line(String text) implements Runnable {
        @Override
        public void run() {
            System.err.println(text);
        }
    }
}
