package org.ulfmj.transport.local;

import java.util.Queue;
import org.jctools.queues.varhandle.SpscUnboundedVarHandleArrayQueue;
import org.jctools.queues.varhandle.SpscVarHandleArrayQueue;
import org.ulfmj.transport.Frame;

/**
 * One lane: records with frames travel to the receiver in one queue and come back empty in another. A bounded lane has
 * room while the records that have not come back stay below its limits; an unbounded lane always has room.
 *
 * <p>{@link #offer} is for the sender, {@link #next} and {@link #release} are for the receiver, each under its own
 * engine lock.
 */
final class LocalLane {
    static final int MAX_RECORDS = 1024;
    static final long MAX_BYTES = 1024 * 1024;
    private static final int CONTROL_CHUNK = 64;
    /**
     * An unbounded lane keeps a record that comes back for use again only while all its records, idle and in transit,
     * have no more bytes than this. Many obituaries at once leave far more records behind.
     */
    private static final long CONTROL_POOL_BYTES = 8 * 1024;

    private final boolean bounded;
    private final Queue<LocalRecord> forward;
    private final Queue<LocalRecord> back;
    private final RecordPool pool;
    private int recordsOut;
    private long bytesOut;

    LocalLane(boolean bounded) {
        this.bounded = bounded;
        this.pool = new RecordPool(bounded ? MAX_BYTES : CONTROL_POOL_BYTES);
        this.forward = newQueue();
        this.back = newQueue();
    }

    private Queue<LocalRecord> newQueue() {
        return bounded
                ? new SpscVarHandleArrayQueue<>(MAX_RECORDS)
                : new SpscUnboundedVarHandleArrayQueue<>(CONTROL_CHUNK);
    }

    boolean offer(Frame frame) {
        int sizeClass = RecordPool.classFor(frame.payloadBytes());
        if (bounded && !hasRoom(sizeClass)) {
            return false;
        }
        LocalRecord record = take(sizeClass);
        record.fill(frame);
        commit(record);
        return true;
    }

    /** Puts in a record that tells the receiver that the sender has marked it failed. */
    void offerExclusion() {
        LocalRecord record = take(0);
        record.exclusion = true;
        commit(record);
    }

    private boolean hasRoom(int sizeClass) {
        if (fits(sizeClass)) {
            return true;
        }
        reclaim();
        return fits(sizeClass);
    }

    private boolean fits(int sizeClass) {
        return recordsOut < MAX_RECORDS && (recordsOut == 0 || bytesOut + RecordPool.bytesOf(sizeClass) <= MAX_BYTES);
    }

    private LocalRecord take(int sizeClass) {
        LocalRecord record = pool.idle(sizeClass);
        if (record == null) {
            reclaim();
            record = pool.take(sizeClass);
        }
        return record;
    }

    private void reclaim() {
        for (LocalRecord record = back.poll(); record != null; record = back.poll()) {
            recordsOut--;
            bytesOut -= RecordPool.bytesOf(record.sizeClass);
            pool.giveBack(record);
        }
    }

    private void commit(LocalRecord record) {
        recordsOut++;
        bytesOut += RecordPool.bytesOf(record.sizeClass);
        if (!forward.offer(record)) {
            throw new IllegalStateException("lane refuses record " + recordsOut + " of " + MAX_RECORDS);
        }
    }

    /** Takes out the next record; null if there is none. The receiver gives the record back by {@link #release}. */
    LocalRecord next() {
        return forward.poll();
    }

    /** The next record, which stays; or null. */
    LocalRecord peek() {
        return forward.peek();
    }

    void release(LocalRecord record) {
        back.offer(record);
    }

    /** Whether no record waits to be read. Any thread. */
    boolean isEmpty() {
        return forward.isEmpty();
    }
}
