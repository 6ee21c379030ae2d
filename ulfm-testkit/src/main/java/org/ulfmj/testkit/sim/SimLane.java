package org.ulfmj.testkit.sim;

import java.util.ArrayDeque;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.LaneKind;

/**
 * One lane of an ordered pair of ranks: what is under way in it, in order. Each event of the lane hands over what is
 * first, so order is kept no matter what delays an arrival.
 */
final class SimLane implements Runnable {
    private static final long MAX_BYTES = 1024 * 1024;
    private static final int MAX_IDLE = 64;

    final SimFabric from;
    final SimFabric to;
    final LaneKind kind;
    private final int maxRecords;
    private final ArrayDeque<SimRecord> underWay = new ArrayDeque<>();
    private final ArrayDeque<SimRecord> idle = new ArrayDeque<>();
    private long bytes;
    private long lastArrivalNs;
    /** Arrivals at a receiver that does not know the sender yet. */
    private int held;
    /** The sender found no room, and is to look again when there is. */
    boolean refused;

    SimLane(SimFabric from, SimFabric to, LaneKind kind, int maxRecords) {
        this.from = from;
        this.to = to;
        this.kind = kind;
        this.maxRecords = maxRecords;
    }

    boolean hasRoom(Frame frame) {
        return underWay.isEmpty() || underWay.size() < maxRecords && bytes + frame.payloadBytes() <= MAX_BYTES;
    }

    boolean isEmpty() {
        return underWay.isEmpty();
    }

    SimRecord newRecord() {
        SimRecord record = idle.pollLast();
        return record == null ? new SimRecord() : record;
    }

    /** Puts a record on its way; returns when it arrives. */
    long send(SimRecord record, long arrivalNs) {
        underWay.addLast(record);
        bytes += record.frame.payloadBytes();
        lastArrivalNs = Math.max(lastArrivalNs + 1, arrivalNs);
        return lastArrivalNs;
    }

    /** Something arrives and is not taken: it stays under way. */
    void hold() {
        held++;
    }

    /** How many arrivals there were of which nothing was taken. */
    int takeHeld() {
        int count = held;
        held = 0;
        return count;
    }

    /** When the last record arrives that is under way. */
    long lastArrivalNs() {
        return underWay.isEmpty() ? 0 : lastArrivalNs;
    }

    /** The first record under way, or null if it was lost. */
    SimRecord arrive() {
        SimRecord record = underWay.pollFirst();
        if (record != null) {
            bytes -= record.frame.payloadBytes();
        }
        return record;
    }

    void release(SimRecord record) {
        if (idle.size() < MAX_IDLE && !record.isLarge()) {
            idle.addLast(record);
        }
    }

    /** Number of the first record under way, or of the next to be sent. */
    long firstNumber(long otherwise) {
        return underWay.isEmpty() ? otherwise : underWay.peekFirst().number;
    }

    /** What was sent from this number on never arrives. */
    void lose(long fromNumber) {
        while (!underWay.isEmpty() && underWay.peekLast().number >= fromNumber) {
            bytes -= underWay.pollLast().frame.payloadBytes();
        }
    }

    @Override
    public void run() {
        to.onArrival(this);
    }
}
