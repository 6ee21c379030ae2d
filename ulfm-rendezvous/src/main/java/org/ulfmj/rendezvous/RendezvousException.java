package org.ulfmj.rendezvous;

/**
 * This process could not become part of its world. The message names the reason and says where to look for the cause.
 */
public final class RendezvousException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final OutReason reason;

    RendezvousException(OutReason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public OutReason reason() {
        return reason;
    }
}
