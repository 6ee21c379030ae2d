package org.ulfmj.check.exhaustive.link;

/**
 * A step that may happen next in a world of links.
 *
 * @param slot the process that takes the step; for a cut, the one that dialed the connection
 * @param wire index of the connection that the step is about, or −1
 */
record LinkStep(Kind kind, int slot, int wire) {
    /**
     * The kinds of steps. The kinds up to {@code ENDS} need no choice: such a step happens sooner or later if no other
     * one does.
     */
    enum Kind {
        /** The dialed process accepts the connection, or refuses it if it has ended. */
        ACCEPTS,
        READS,
        SEES_THE_END,
        WRITES,
        /** The process acknowledges what it has delivered. */
        ACKNOWLEDGES,
        /** The process is told by the launcher that the other one, which has left, has ended. */
        HEARS,
        /** The process has left, and ends. */
        ENDS,
        OFFERS,
        MARKS,
        LEAVES,
        /** The connection dies in silence; messages that were on their way still arrive. */
        CUT,
        /** The connection dies in silence, and messages that were on their way are lost. */
        CUT_AND_LOST,
        /** The process's kernel notices that a connection is dead. */
        NOTICES,
        /** Time passes until the next timer of the process fires. */
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
