package org.ulfmj.runtime.leave;

import org.ulfmj.runtime.side.SignalActions;
import org.ulfmj.transport.Fabric;

/**
 * What a rank does when a signal comes: the program's actions, and the leaving of a rank that is to end. Any thread.
 * Its own monitor guards it, as signals come under the engine lock too.
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
     * @param name of the signal without SIG
     * @param action null for nothing
     */
    public void handle(String name, Runnable action) {
        actions().set(name, action);
        engine.hooks().watchForSignals();
    }

    /** The launcher, or this process, got a signal. Returns at once, so it may be called under the engine lock. */
    public void deliver(String name) {
        actions().deliver(name);
    }

    /**
     * The process ends: gives what this rank has to say on stderr a moment to be written. Never under the engine lock.
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

    /** What is done when this rank is to end by a signal. */
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
     * Whether this rank is to end by a signal and the program handles that. Its process then ends when the handler is
     * done, and by nothing else.
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

    /** The rank is in Finalize, and all others are. */
    public void finalizing() {
        if (preemption != null) {
            preemption.finalizing();
        }
    }

    /** Made at first use: few programs handle signals. Its own monitor, as the engine lock may be held. */
    private SignalActions actions() {
        synchronized (this) {
            if (actions == null) {
                actions = new SignalActions(engine.id().toString());
            }
            return actions;
        }
    }
}
