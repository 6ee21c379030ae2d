package org.ulfmj.runtime.leave;

import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.runtime.waits.WaitNotes;
import org.ulfmj.transport.Fabric;

/**
 * The last steps of a rank that finalizes, or leaves: it waits until everything that it sent has arrived, and then
 * until the connections have ended in order. One time limit bounds both waits together: a process that left before this
 * rank, and whose goodbye has not come here, answers no more. Only the answer of a coordinator may take longer.
 */
public final class HandOver {
    private final LeavingRank engine;
    private final Fabric fabric;
    private final String call;
    private final long budgetNs;
    private long deadlineNs;

    /** @param call the name of the call of which these are the last steps */
    public HandOver(LeavingRank engine, Fabric fabric, String call, long budgetNs) {
        this.call = call;
        this.engine = engine;
        this.fabric = fabric;
        this.budgetNs = budgetNs;
    }

    /** Waits, until the time limit at most, for everything that this rank sent to arrive. */
    public void handOver() {
        handOver(budgetNs);
    }

    /** As the other {@code handOver}, where all steps together may take {@code mostNs} at most. */
    public void handOver(long mostNs) {
        deadlineNs = engine.nowNs() + Math.min(budgetNs, mostNs);
        engine.progress().await(new Bounded("the last messages to arrive") {
            @Override
            boolean isReached() {
                return engine.isHandedOver();
            }
        });
    }

    /**
     * Ends the connections in order, and waits until they have ended and the launcher or another coordinator has
     * confirmed this rank's goodbye. Waits until the time limit at most, and for the goodbye longer by
     * {@link LeavingHooks#goodbyePatienceNs}.
     */
    public void leave() {
        long patienceNs = engine.hooks().goodbyePatienceNs();
        if (patienceNs > 0) {
            endLinks();
            deadlineNs += patienceNs;
        } else {
            fabric.leave();
        }
        engine.progress().await(new Bounded("the connections to end") {
            @Override
            boolean isReached() {
                return (fabric.hasLeft() || patienceNs > 0) && engine.hooks().isGoodbyeHeard();
            }
        });
    }

    /** Ends the connections in order, and waits for that until the time limit at most. */
    void endLinks() {
        fabric.leave();
        engine.progress().await(new Bounded("the connections to end") {
            @Override
            boolean isReached() {
                return fabric.hasLeft();
            }
        });
    }

    private abstract class Bounded implements NamedWait {
        private final String what;

        Bounded(String what) {
            this.what = what;
        }

        abstract boolean isReached();

        @Override
        public boolean isDone() {
            return isReached() || deadlineNs - engine.nowNs() <= 0;
        }

        @Override
        public void explain(WaitNotes notes) {
            notes.other(what);
        }

        @Override
        public String toString() {
            return call + ": " + what;
        }
    }
}
