package org.ulfmj.runtime;

import org.ulfmj.runtime.waits.NamedWait;
import org.ulfmj.runtime.waits.WaitNotes;
import org.ulfmj.transport.Fabric;

/**
 * The end of Finalize: everything this rank sent has reached its peer, and then the connections have ended in order.
 * Both together are bounded by the link budget, for no rank waits for a process that may be gone: one that left before
 * us, and whose goodbye no rank has passed on, answers no more.
 */
final class HandOver {
    private final RankEngine engine;
    private final Fabric fabric;
    private final long budgetNs;
    private long deadlineNs;

    HandOver(RankEngine engine, Fabric fabric, long budgetNs) {
        this.engine = engine;
        this.fabric = fabric;
        this.budgetNs = budgetNs;
    }

    /** Waits until all that was sent has arrived; then this rank owes nothing. */
    void handOver() {
        deadlineNs = engine.nowNs() + budgetNs;
        engine.progress().await(new Bounded("the last messages to arrive") {
            @Override
            boolean isReached() {
                return isHandedOver();
            }
        });
    }

    /** Ends the connections in order, and waits until the launcher has heard the goodbye. */
    void leave() {
        fabric.leave();
        engine.progress().await(new Bounded("the connections to end") {
            @Override
            boolean isReached() {
                return fabric.hasLeft() && engine.hooks().isGoodbyeHeard();
            }
        });
    }

    private boolean isHandedOver() {
        engine.traffic().hurry();
        return !engine.hasWork() && engine.traffic().isHandedOver();
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
            return "Finalize: " + what;
        }
    }
}
