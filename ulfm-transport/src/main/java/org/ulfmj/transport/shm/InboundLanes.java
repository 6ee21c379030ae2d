package org.ulfmj.transport.shm;

import java.util.Arrays;

/**
 * The lanes of one kind that this rank reads. Changed and read under the engine lock; a thread that sleeps asks
 * {@link #areEmpty} without the lock.
 */
final class InboundLanes {
    private static final InboundLane[] NONE = {};

    /** The array is replaced, never changed, so that it can be read without a lock. */
    private volatile InboundLane[] lanes = NONE;

    private int first;

    void add(InboundLane lane) {
        InboundLane[] more = Arrays.copyOf(lanes, lanes.length + 1);
        more[lanes.length] = lane;
        lanes = more;
    }

    void dropClosed() {
        int open = 0;
        for (InboundLane lane : lanes) {
            if (!lane.isClosed()) {
                open++;
            }
        }
        if (open == lanes.length) {
            return;
        }
        InboundLane[] rest = new InboundLane[open];
        int at = 0;
        for (InboundLane lane : lanes) {
            if (!lane.isClosed()) {
                rest[at++] = lane;
            }
        }
        lanes = rest;
    }

    /**
     * Reads at most {@code maxFrames} records of each lane that is not held. Each call begins with another lane, so
     * that a busy lane does not starve the others. Returns the number of records.
     */
    int read(int maxFrames, InboundLane.Sink sink) {
        InboundLane[] now = lanes;
        if (now.length == 0) {
            return 0;
        }
        first = first + 1 < now.length ? first + 1 : 0;
        int count = 0;
        for (int i = 0; i < now.length; i++) {
            int at = first + i < now.length ? first + i : first + i - now.length;
            InboundLane lane = now[at];
            if (!lane.isHeld()) {
                count += lane.read(maxFrames, sink);
            }
        }
        return count;
    }

    /** Whether no lane has a record to read now. Any thread. */
    boolean areEmpty() {
        for (InboundLane lane : lanes) {
            if (!lane.isEmpty()) {
                return false;
            }
        }
        return true;
    }
}
