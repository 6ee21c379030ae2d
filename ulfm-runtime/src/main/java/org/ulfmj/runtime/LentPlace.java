package org.ulfmj.runtime;

import org.ulfmj.transport.Frame;

/** Where an offered message lies in its sender's lent memory, as the offer says, and whether it may come unasked. */
final class LentPlace {
    /** 0 if it lies in none. */
    long memoryId;

    int offset;
    /** How often the sender had taken something back when it made the offer. */
    long takenBack;

    /** The message may come whole although it was offered. */
    boolean mayComeWhole;

    void of(Frame offer) {
        boolean isLent = (offer.flags & Frame.LENT) != 0 && offer.payloadBytes == Long.BYTES;
        memoryId = isLent ? offer.peerId : 0;
        mayComeWhole = isLent || (offer.flags & Frame.AWAITS_CREDIT) != 0;
        offset = offer.sequence;
        takenBack = isLent ? offer.received.getLong(offer.received.position()) : 0;
    }

    void of(LentPlace other) {
        memoryId = other.memoryId;
        mayComeWhole = other.mayComeWhole;
        offset = other.offset;
        takenBack = other.takenBack;
    }
}
