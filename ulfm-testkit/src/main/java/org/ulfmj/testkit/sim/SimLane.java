package org.ulfmj.testkit.sim;

import java.util.ArrayDeque;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.LaneKind;

/**
 * One lane of an ordered pair of ranks: the records that are under way, in order. Each event of the lane is for the
 * record that is the first one then, so the order is kept even if an arrival is delayed.
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
    /** How many arrivals were put off since the last {@link #takeHeld}, because the sender is not known there yet. */
    private int held;
    /** Whether the sender found no room, and is to look again when there is room. */
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

    /** Puts a record on its way. Returns the time at which the record arrives. */
    long send(SimRecord record, long arrivalNs) {
        underWay.addLast(record);
        bytes += record.frame.payloadBytes();
        lastArrivalNs = Math.max(lastArrivalNs + 1, arrivalNs);
        return lastArrivalNs;
    }

    /** Notes that the arrival of a record is put off: the record stays under way. */
    void hold() {
        held++;
    }

    /** Returns how many arrivals have been held since the last call. The count begins again at 0. */
    int takeHeld() {
        int count = held;
        held = 0;
        return count;
    }

    /**
     * Returns the time at which the last record that was sent arrives, or would have arrived if it was not lost; 0 if
     * no record is under way.
     */
    long lastArrivalNs() {
        return underWay.isEmpty() ? 0 : lastArrivalNs;
    }

    /** Takes the first record that is under way; null if none is, as when it was lost. */
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

    /**
     * Returns the number of the first record that is under way.
     *
     * @param otherwise returned if no record is under way
     */
    long firstNumber(long otherwise) {
        return underWay.isEmpty() ? otherwise : underWay.peekFirst().number;
    }

    /** Drops the records from this number on: they never arrive. */
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
