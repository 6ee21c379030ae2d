package org.ulfmj.runtime.side;

import java.util.HashMap;
import java.util.Map;

/**
 * Runs the program's actions for signals that the launcher got and passed on, or that this process got itself. Each
 * signal runs the action once, on a separate thread, one signal after the other in the order in which they came. A
 * signal without an action is reported on stderr. Any thread may call; no method blocks, except {@link #awaitLines}.
 */
public final class SignalActions {
    private final String rank;
    private final Map<String, Runnable> actions = new HashMap<>();
    private final SideThread thread = new SideThread("ulfm-signals");

    /** @param rank how the line that reports a signal without an action names this rank */
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

    /** Waits a moment, when the process ends, until its lines are written. */
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
