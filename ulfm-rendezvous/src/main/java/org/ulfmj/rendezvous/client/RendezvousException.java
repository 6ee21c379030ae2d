package org.ulfmj.rendezvous.client;

import org.ulfmj.rendezvous.message.OutReason;

/**
 * This process could not become part of its world. The message names the reason and says where to look for the cause.
 */
public final class RendezvousException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final OutReason reason;
    private final boolean isFence;
    private final boolean isOfStranger;

    RendezvousException(OutReason reason, String message) {
        this(reason, message, false, false);
    }

    private RendezvousException(OutReason reason, String message, boolean isFence, boolean isOfStranger) {
        super(message);
        this.reason = reason;
        this.isFence = isFence;
        this.isOfStranger = isOfStranger;
    }

    /** The launcher has told this process, which had joined, to end. */
    static RendezvousException fence(String message) {
        return new RendezvousException(OutReason.FENCED, message, true, false);
    }

    /** What was dialed has not proved that it is of this job. */
    static RendezvousException stranger(String message) {
        return new RendezvousException(OutReason.REFUSED, message, false, true);
    }

    /** Whether what was dialed has not proved that it is of this job: it may listen where a coordinator was before. */
    boolean isOfStranger() {
        return isOfStranger;
    }

    /** Whether this process had joined and is to end, as one that others hold for failed. */
    public boolean isFence() {
        return isFence;
    }

    public OutReason reason() {
        return reason;
    }
}
