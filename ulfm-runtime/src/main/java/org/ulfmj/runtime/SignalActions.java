package org.ulfmj.runtime;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/**
 * What a program does when the launcher gets a signal. Each signal runs the program's action once, on a thread of this
 * class, one after the other in the order in which they came. A signal without an action is told on stderr. Any thread;
 * no method blocks.
 */
final class SignalActions implements Runnable {
    private final String rank;
    private final Map<String, Runnable> actions = new HashMap<>();
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean isStarted;

    /** @param rank for the line that tells of a signal without an action */
    SignalActions(String rank) {
        this.rank = rank;
    }

    /** @param action null for none */
    synchronized void set(String name, Runnable action) {
        if (action == null) {
            actions.remove(name);
        } else {
            actions.put(name, action);
        }
    }

    synchronized void deliver(String name) {
        Runnable action = actions.get(name);
        waiting.add(action == null ? new Untaken(rank, name) : action);
        if (!isStarted) {
            isStarted = true;
            Thread thread = new Thread(this, "signals");
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
                // A program may interrupt its whole thread group. Signals are taken nevertheless.
            }
        }
        return waiting.remove();
    }

    private record Untaken(String rank, String name) implements Runnable {
        @Override
        public void run() {
            System.err.println("rank " + rank + " got SIG" + name
                    + " and does nothing, because its program has no action for it (MPI.onSignal)");
        }
    }
}
