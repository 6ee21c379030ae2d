package org.ulfmj.runtime.side;

import java.util.HashMap;
import java.util.Map;

/**
 * What a program does when the launcher gets a signal. Each signal runs the program's action once, on a thread of this
 * class, one after the other in the order in which they came. A signal without an action is told on stderr. Any thread;
 * no method blocks.
 */
public final class SignalActions {
    private final String rank;
    private final Map<String, Runnable> actions = new HashMap<>();
    private final SideThread thread = new SideThread("ulfm-signals");

    /** @param rank for the line that tells of a signal without an action */
    public SignalActions(String rank) {
        this.rank = rank;
    }

    /** @param action null for none */
    public synchronized void set(String name, Runnable action) {
        if (action == null) {
            actions.remove(name);
        } else {
            actions.put(name, action);
        }
    }

    /** Gives the lines of a process that ends a moment to be written. */
    public void awaitLines() {
        thread.awaitLines(SideThread.LAST_LINES_NS);
    }

    public synchronized void deliver(String name) {
        Runnable action = actions.get(name);
        thread.add(
                action == null
                        ? new SideThread.Line("rank " + rank + " got SIG" + name
                                + " and does nothing, because its program has no action for it (MPI.onSignal)")
                        : action);
    }
}
