package org.ulfmj.transport.local;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.LaneKind;

/**
 * The two lanes of an ordered pair of ranks. That for data is made when its first frame goes: neighbours on the graph
 * that never exchange any are many, and its queues are large.
 */
final class LocalPair {
    final ProcessId from;
    final LocalLane control = new LocalLane(false);
    /** The lane for data; null until the first frame. Written by the sender. */
    private volatile LocalLane data;

    /** The receiver reads no more. Written under its lock, read by its sleeper too. */
    private volatile boolean closed;

    LocalPair(ProcessId from) {
        this.from = from;
    }

    /** The lane to send by. The sender's. */
    LocalLane outbound(LaneKind kind) {
        if (kind == LaneKind.CONTROL) {
            return control;
        }
        if (data == null) {
            data = new LocalLane(true);
        }
        return data;
    }

    /** The next record, or null; to be given back by {@link #release}. The receiver's. */
    LocalRecord next(LaneKind kind) {
        LocalLane lane = kind == LaneKind.CONTROL ? control : data;
        return lane == null ? null : lane.next();
    }

    /** The receiver's. */
    void release(LaneKind kind, LocalRecord record) {
        (kind == LaneKind.CONTROL ? control : data).release(record);
    }

    void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    /** Whether there is nothing that the receiver would read. */
    boolean isEmpty() {
        LocalLane made = data;
        return closed || (control.isEmpty() && (made == null || made.isEmpty()));
    }
}
