package org.ulfmj.runtime.leave;

import org.ulfmj.runtime.side.SignalActions;
import org.ulfmj.transport.Fabric;

/**
 * What a rank does when it gets a signal, or hears that the launcher got one: the program's actions, and the leaving of
 * a rank that is to end. Any thread may call, with or without the engine lock (the launcher's signals are delivered
 * under it), so this object's own monitor guards its fields.
 */
public final class RankSignals {
    private final LeavingRank engine;
    private final Fabric fabric;
    private final long linkBudgetNs;
    /** Null before the first use. */
    private SignalActions actions;
    /** Null before the first use. */
    private volatile Preemption preemption;

    public RankSignals(LeavingRank engine, Fabric fabric, long linkBudgetNs) {
        this.engine = engine;
        this.fabric = fabric;
        this.linkBudgetNs = linkBudgetNs;
    }

    /**
     * Sets what is to be done when the launcher, or this process itself, gets a signal.
     *
     * @param name the name of the signal without SIG
     * @param action null to do nothing any more
     */
    public void handle(String name, Runnable action) {
        actions().set(name, action);
        engine.hooks().watchForSignals();
    }

    /**
     * Has another thread run the action for a signal that the launcher, or this process, got; without an action it says
     * on stderr that there is none. Does not wait for that thread, so it may be called under the engine lock.
     */
    public void deliver(String name) {
        actions().deliver(name);
    }

    /**
     * Waits a moment, at the end of the process, until the lines that this rank has for stderr are written. Never under
     * the engine lock.
     */
    public void awaitLines() {
        engine.awaitLines();
        SignalActions told;
        synchronized (this) {
            told = actions;
        }
        if (told != null) {
            told.awaitLines();
        }
    }

    /** Returns what is done when this rank is to end by a signal. */
    public Preemption preemption() {
        synchronized (this) {
            if (preemption == null) {
                long limitNs = Math.min(LeavingTime.MOST_NS, linkBudgetNs);
                preemption = new Preemption(engine, new HandOver(engine, fabric, "leaving", limitNs));
            }
            return preemption;
        }
    }

    /**
     * Whether this rank is to end by a signal that the program handles. Its process then ends when the rank has left,
     * after the handler has returned or its time is over.
     */
    public boolean isPreempted() {
        Preemption known = preemption;
        return known != null && known.isUnderWay() && !engine.isFinished();
    }

    /** Whether this rank has left the others, after a signal. */
    public boolean hasLeft() {
        Preemption known = preemption;
        return known != null && known.hasLeft();
    }

    /** Notes that all live ranks, with this one, have agreed to finalize. */
    public void finalizing() {
        if (preemption != null) {
            preemption.finalizing();
        }
    }

    /**
     * Returns the actions, which are made at first use: few programs handle signals. Guarded by the monitor of this
     * object, as the engine lock may be held.
     */
    private SignalActions actions() {
        synchronized (this) {
            if (actions == null) {
                actions = new SignalActions(engine.id().toString());
            }
            return actions;
        }
    }
}
