package org.ulfmj.transport;

import java.nio.ByteBuffer;
import org.ulfmj.protocol.ProcessId;

/**
 * Segments that ranks of one host show one another, beside the lanes of their {@link Fabric}. Under the engine lock,
 * but for what {@link SleepWatch} says.
 *
 * <p>A failure is an answer and never an error: who can have no segment does without.
 */
public interface HostMemory {
    /** What is copied of lent memory in about the time that everything else of a rank may wait. */
    int PIECE_BYTES = 64 * 1024;
    /** What a segment has at first, and by how many bits it grows: 16 KiB, 1 MiB, and then the largest. */
    int FIRST_SEGMENT_BYTES = 16 * 1024;

    int SEGMENT_STEP_BITS = 6;

    /** How many bytes a segment should have at most that this many ranks read; the same at each of them. */
    int segmentBytes(int ranks);

    /**
     * The same of a segment that was replaced by a larger one this many times: it begins small, because most
     * communicators are used little, and short-lived ones would fill the memory of the host.
     */
    default int segmentBytes(int ranks, int step) {
        long bytes = (long) FIRST_SEGMENT_BYTES << Math.min(step * SEGMENT_STEP_BITS, Integer.SIZE - 1);
        return (int) Math.min(bytes, segmentBytes(ranks));
    }

    /** Whether the rank is on our host; true of ourselves. */
    boolean reaches(ProcessId rank);

    /**
     * A segment of our own, of zeros, all of it reserved; null if there is no room. Any thread, without the lock: it
     * may take long, and wait for the garbage collector.
     */
    Segment create(int lengthBytes);

    /** What {@code maker} created under this id; null if it cannot be had. */
    Segment open(ProcessId maker, long id);

    /**
     * All who may read our segment have it open: its name is of use to no process, and would outlive us if we were
     * killed.
     */
    void unlink(Segment own);

    /** We are done with a segment, our own or another's. */
    void discard(Segment segment);

    /** Some rank lacked room: what was given up and is not collected yet is to be, soon. */
    default void collectLater() {}

    /**
     * Memory of zeros for the program, of which ranks of our host may read what they are told of; null if there is no
     * room. It lasts as long as its buffer is reachable. Any thread, without the lock.
     */
    default Lent lend(int lengthBytes) {
        return null;
    }

    /**
     * What {@code maker} lends under this id, to be read only; null if it cannot be had. The same buffer each time:
     * position and limit are the caller's for as long as it holds the lock.
     */
    default ByteBuffer borrow(ProcessId maker, long id) {
        return null;
    }

    /**
     * What {@code maker} lends under this id, to be written to, and only where and as long as the maker lets us; null
     * if it cannot be had. The same buffer each time, as of {@link #borrow}.
     */
    default ByteBuffer borrowToWrite(ProcessId maker, long id) {
        return null;
    }

    /** The rank as one that may be let write into what we lend; null if it must not be. */
    default Writer writer(ProcessId rank) {
        return null;
    }

    /**
     * A part of what we lend, of which others were told under a number of ours, may be written to again: any process
     * that copies it in this moment finds {@link #takenBack} changed when it is done.
     */
    default void takeBack(long number) {}

    /**
     * Changes with every {@link #takeBack} of this number by the rank, which may be ourselves, and sometimes without
     * one. To be asked after an acquire fence behind what was copied.
     */
    default long takenBack(ProcessId maker, long number) {
        return 0;
    }

    /** How much of what others lend is copied before everything else has its turn again, if a process waits for it. */
    default int pieceBytes() {
        return PIECE_BYTES;
    }

    /** Wakes the rank if it sleeps. After a full fence behind what it is to see. */
    void ring(ProcessId rank);

    /** What each sleep of this rank looks at too. Set once. */
    void watch(SleepWatch watch);
}
