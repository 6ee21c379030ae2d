package org.ulfmj.transport.shm;

import java.util.Arrays;

/** The lanes of one kind that are read. Changed and read under the engine lock, looked through by a sleeper without. */
final class InboundLanes {
    private static final InboundLane[] NONE = {};

    /** Replaced, never changed. */
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

    /** Reads them all, beginning with another one each time, so that a chatty one does not starve the rest. */
    int read(int maxFrames, InboundLane.Sink sink) {
        InboundLane[] now = lanes;
        if (now.length == 0) {
            return 0;
        }
        first = first + 1 < now.length ? first + 1 : 0;
        int count = 0;
        for (int i = 0; i < now.length; i++) {
            int at = first + i < now.length ? first + i : first + i - now.length;
            count += now[at].read(maxFrames, sink);
        }
        return count;
    }

    /** Whether nothing would be read now. Any thread. */
    boolean areEmpty() {
        for (InboundLane lane : lanes) {
            if (!lane.isEmpty()) {
                return false;
            }
        }
        return true;
    }
}
