package org.ulfmj.runtime.host;

import org.ulfmj.transport.Segment;

/**
 * The offer of this rank in the setup of a {@link HostWindow}: its segment, which was made without the engine lock.
 * Under the engine lock once it was made.
 */
public final class WindowOffer {
    private final Segment segment;
    /** Whether a call has taken the offer over: each thread that begins a call may have made a separate offer. */
    private boolean isTaken;

    /** @param segment null if this rank could not make one */
    WindowOffer(Segment segment) {
        this.segment = segment;
    }

    /** The shared memory that this rank brings into a {@link HostWindow}; null if it could not be made. */
    public Segment segment() {
        return segment;
    }

    void take() {
        isTaken = true;
    }

    boolean isTaken() {
        return isTaken;
    }
}
