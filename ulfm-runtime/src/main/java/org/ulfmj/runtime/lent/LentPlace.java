package org.ulfmj.runtime.lent;

import org.ulfmj.transport.Frame;

/** Where an offered message lies in its sender's lent memory, as the offer says, and whether it may come unasked. */
public final class LentPlace {
    /** The id of the lent memory in which the message lies; 0 if it lies in none. */
    private long memoryId;

    private int offset;
    /** How often the sender had taken lent memory back when it made the offer. */
    private long takenBack;

    /** Whether the message may come whole although it was offered. */
    private boolean mayComeWhole;

    public void of(Frame offer) {
        boolean isLent = offer.isLent();
        memoryId = isLent ? offer.lentMemoryId() : 0;
        mayComeWhole = isLent || offer.awaitsCredit();
        offset = offer.lentOffset();
        takenBack = isLent ? offer.takenBack() : 0;
    }

    /** Sets the place of a message that lies there and does not come whole. */
    public void of(long newMemoryId, int newOffset, long newTakenBack) {
        memoryId = newMemoryId;
        offset = newOffset;
        takenBack = newTakenBack;
        mayComeWhole = false;
    }

    public void of(LentPlace other) {
        memoryId = other.memoryId;
        mayComeWhole = other.mayComeWhole;
        offset = other.offset;
        takenBack = other.takenBack;
    }

    public boolean isLent() {
        return memoryId != 0;
    }

    public long memoryId() {
        return memoryId;
    }

    public int offset() {
        return offset;
    }

    public long takenBack() {
        return takenBack;
    }

    public boolean mayComeWhole() {
        return mayComeWhole;
    }
}
