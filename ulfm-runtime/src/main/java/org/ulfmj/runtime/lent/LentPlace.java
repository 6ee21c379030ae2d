package org.ulfmj.runtime.lent;

import org.ulfmj.transport.Frame;

/**
 * Where an offered message lies in its sender's lent memory, as the offer says, and whether the message may come whole
 * without being called for.
 */
public final class LentPlace {
    /** The id of the lent memory in which the message lies; 0 if it lies in none. */
    private long memoryId;

    private int offset;
    /** The count of the sender at the time of the offer that changes when it takes the lent memory back. */
    private long takenBack;

    /** Whether the sender may still send the message whole although it has offered it. */
    private boolean mayComeWhole;

    public void of(Frame offer) {
        boolean isLent = offer.isLent();
        memoryId = isLent ? offer.lentMemoryId() : 0;
        mayComeWhole = isLent || offer.awaitsCredit();
        offset = offer.lentOffset();
        takenBack = isLent ? offer.takenBack() : 0;
    }

    /** Sets the place of a message that lies in lent memory and does not come whole. */
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
