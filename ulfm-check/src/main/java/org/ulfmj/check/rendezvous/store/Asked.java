package org.ulfmj.check.rendezvous.store;

import org.ulfmj.rendezvous.store.StoreReply;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.rendezvous.store.StoreResult;
import org.ulfmj.sim.Violation;

/** One request to the store, its reply, and the checks of the reply. */
final class Asked {
    private final Caller by;
    private final StoreRequest request;
    private final StoreReply reply;
    private boolean isWithdrawn;
    private boolean isChecked;

    Asked(Caller by, StoreRequest request, StoreReply reply) {
        this.by = by;
        this.request = request;
        this.reply = reply;
    }

    StoreRequest request() {
        return request;
    }

    StoreReply reply() {
        return reply;
    }

    void withdrawn() {
        isWithdrawn = true;
    }

    /**
     * Checks the reply, once it is there. Each addition is made to a key that no other addition names, so the sum shows
     * how often the addition was carried out.
     */
    void check() {
        if (isChecked || !reply.isDone()) {
            return;
        }
        isChecked = true;
        if (reply.result() instanceof StoreResult.Sum sum && sum.sum() != 1) {
            throw new Violation("each request is carried out once: " + this + " was answered by " + sum);
        }
        if (reply.result() instanceof StoreResult.Withdrawn && !isWithdrawn) {
            throw new Violation("only a withdrawn request is answered as one: " + this);
        }
        if (reply.result() == null && !by.hasEnded() && !by.hasLostItsLauncher()) {
            throw new Violation(
                    "no outcome is unknown while the launcher lives: " + this + ", " + reply.unknownBecause());
        }
    }

    @Override
    public String toString() {
        return request + " of " + by;
    }
}
