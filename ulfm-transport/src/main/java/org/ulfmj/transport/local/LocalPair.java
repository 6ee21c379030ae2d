package org.ulfmj.transport.local;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.LaneKind;

/**
 * The two lanes of an ordered pair of ranks. The lane for data is made when its first frame is sent: its queues are
 * large, and many pairs of neighbours on the overlay never exchange data.
 */
final class LocalPair {
    final ProcessId from;
    final LocalLane control = new LocalLane(false);
    /** The lane for data; null until the first frame. Written by the sender. */
    private volatile LocalLane data;

    /**
     * Whether the receiver reads nothing more of this pair. Written under the receiver's lock, read also by a thread
     * that sleeps for the receiver.
     */
    private volatile boolean closed;

    /**
     * Whether polls leave the data lane unread, for a receive that waits by the short path. Used by the receiver only.
     */
    boolean isHeld;

    LocalPair(ProcessId from) {
        this.from = from;
    }

    /** The lane of this kind, which is made if there is none yet. For the sender. */
    LocalLane outbound(LaneKind kind) {
        if (kind == LaneKind.CONTROL) {
            return control;
        }
        if (data == null) {
            data = new LocalLane(true);
        }
        return data;
    }

    /** The next record of a kind; null if there is none. Given back by {@link #release}. For the receiver. */
    LocalRecord next(LaneKind kind) {
        LocalLane lane = kind == LaneKind.CONTROL ? control : data;
        return lane == null ? null : lane.next();
    }

    /** As {@link #next}, but the record stays. */
    LocalRecord peek(LaneKind kind) {
        LocalLane lane = kind == LaneKind.CONTROL ? control : data;
        return lane == null ? null : lane.peek();
    }

    /** Gives a record back to the sender. For the receiver. */
    void release(LaneKind kind, LocalRecord record) {
        (kind == LaneKind.CONTROL ? control : data).release(record);
    }

    void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    /** Whether the receiver would find no record: the pair is closed, or both lanes are empty. */
    boolean isEmpty() {
        LocalLane made = data;
        return closed || (control.isEmpty() && (made == null || made.isEmpty()));
    }
}
