package org.ulfmj.runtime;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Runs actions one after the other on a thread of its own, so that their caller, who may hold the engine lock, never
 * waits for them. The thread starts with the first action and does not keep the process alive. Any thread; no method
 * blocks.
 */
final class SideThread implements Runnable {
    private final String name;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean isStarted;

    SideThread(String name) {
        this.name = name;
    }

    synchronized void add(Runnable action) {
        waiting.add(action);
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
        }
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
    record Line(String text) implements Runnable {
        @Override
        public void run() {
            System.err.println(text);
        }
    }
}
