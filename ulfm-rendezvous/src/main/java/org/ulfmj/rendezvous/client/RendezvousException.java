package org.ulfmj.rendezvous.client;

import org.ulfmj.rendezvous.message.OutReason;

/**
 * This process could not become part of its world or use the store of its job, or was told to end after it had joined.
 * The message names the reason.
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

    /** For a process that had joined and was told to end. */
    static RendezvousException fence(String message) {
        return new RendezvousException(OutReason.FENCED, message, true, false);
    }

    /** For a dial to an address where a process listens that has not proved that it belongs to this job. */
    static RendezvousException stranger(String message) {
        return new RendezvousException(OutReason.REFUSED, message, false, true);
    }

    /**
     * Whether the process at the dialed address has not proved that it belongs to this job: it may listen where a
     * coordinator was before.
     */
    boolean isOfStranger() {
        return isOfStranger;
    }

    /** Whether this process had joined and was told to end, because the others go on without it. */
    public boolean isFence() {
        return isFence;
    }

    public OutReason reason() {
        return reason;
    }
}
