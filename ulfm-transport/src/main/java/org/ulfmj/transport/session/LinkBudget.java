package org.ulfmj.transport.session;

import org.ulfmj.protocol.Timing;

/**
 * The time that a link may go without progress (rule L13). It counts from the last acknowledgement, or from a later
 * moment at which an idle link gets a frame or loses its connection, or this rank begins to leave, and not from a HELLO
 * that acknowledges nothing new: a network path may pass a HELLO and lose everything that follows.
 */
final class LinkBudget {
    private final long budgetNs;
    private long sinceNs;
    private boolean isSpent;

    LinkBudget(Timing timing) {
        budgetNs = timing.linkBudgetNs();
    }

    void restart(long nowNs) {
        sinceNs = nowNs;
    }

    long endNs() {
        return sinceNs + budgetNs;
    }

    boolean isOver(long nowNs) {
        return nowNs - endNs() >= 0;
    }

    /** Whether the peer is reported lost. */
    boolean isSpent() {
        return isSpent;
    }

    /** Notes that the peer is to be reported lost. Returns false if that was noted already. */
    boolean spend() {
        boolean isNew = !isSpent;
        isSpent = true;
        return isNew;
    }

    /** Notes that the peer is reached again. Returns whether it was reported lost. */
    boolean takeBack() {
        boolean wasSpent = isSpent;
        isSpent = false;
        return wasSpent;
    }
}
