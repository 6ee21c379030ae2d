package org.ulfmj.runtime.side;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Runs actions one after the other on a separate thread, so that their caller, which may hold the engine lock, never
 * waits for them. The thread starts with the first action and does not keep the process alive: a process that ends
 * gives its lines a moment ({@link #awaitLines}). Any thread; no method but that one blocks.
 */
public final class SideThread implements Runnable {
    /** How long the lines of a process that ends may take: no process may read them. */
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
                // As in any thread of the program: the stack is printed, and the rank goes on.
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
     * Waits until all lines so far are written, so long at most. Returns whether they are. Actions that are no lines
     * count only where they are before a line.
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
                // A program may interrupt its whole thread group. Actions are run nevertheless.
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
