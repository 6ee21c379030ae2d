package org.ulfmj.check.exhaustive.link;

/**
 * Something that may happen next.
 *
 * @param wire index of the connection, or −1
 */
record LinkStep(Kind kind, int slot, int wire) {
    /** The kinds of steps. Those up to {@code ENDS} happen for certain, if nothing else does. */
    enum Kind {
        /** The dialed process accepts the connection. */
        ACCEPTS,
        READS,
        SEES_THE_END,
        WRITES,
        /** The process acknowledges what it has delivered. */
        ACKNOWLEDGES,
        /** The process hears from the launcher that the other one has left. */
        HEARS,
        /** The process has left, and ends. */
        ENDS,
        OFFERS,
        MARKS,
        LEAVES,
        /** The connection dies, and what is on its way arrives. */
        CUT,
        /** The connection dies, with all that is on its way. */
        CUT_AND_LOST,
        /** The process learns that a connection is dead. */
        NOTICES,
        /** Time passes until the next timer of the process. */
        TIMER
    }

    boolean isCertain() {
        return kind.compareTo(Kind.ENDS) <= 0;
    }

    @Override
    public String toString() {
        return (slot == 0 ? "low  " : "high ")
                + kind.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ')
                + (wire < 0 ? "" : " connection " + wire);
    }
}
