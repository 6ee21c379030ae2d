package org.ulfmj.transport.local;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.LaneKind;

/** The two lanes of an ordered pair of ranks. */
final class LocalPair {
    final ProcessId from;
    final LocalLane control = new LocalLane(false);
    final LocalLane data = new LocalLane(true);

    /** The receiver reads no more. Written under its lock, read by its sleeper too. */
    private volatile boolean closed;

    LocalPair(ProcessId from) {
        this.from = from;
    }

    LocalLane lane(LaneKind kind) {
        return kind == LaneKind.CONTROL ? control : data;
    }

    void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    /** Nothing that the receiver would read. */
    boolean isEmpty() {
        return closed || (control.isEmpty() && data.isEmpty());
    }
}
