package org.ulfmj.transport;

import java.nio.ByteBuffer;
import org.ulfmj.protocol.ProcessId;

/**
 * Memory that the ranks of one host share beside the lanes of their {@link Fabric}: segments and lent memory. Under the
 * engine lock, except for the methods of {@link SleepWatch} and those that say otherwise.
 *
 * <p>A lack of shared memory is an answer: a rank without a segment uses messages instead.
 */
public interface HostMemory {
    /**
     * The length in bytes of the pieces in which a rank copies lent memory. Other work under the engine lock waits
     * while a piece is copied.
     */
    int PIECE_BYTES = 64 * 1024;
    /**
     * The length of the first segment of a communicator. Each larger segment that replaces one is
     * 2^{@link #SEGMENT_STEP_BITS} times as long, but no longer than {@link #segmentBytes(int)}.
     */
    int FIRST_SEGMENT_BYTES = 16 * 1024;

    int SEGMENT_STEP_BITS = 6;

    /**
     * The largest length in bytes of a segment that this many ranks read. Each of these ranks computes the same length.
     */
    int segmentBytes(int ranks);

    /**
     * The length in bytes of the segment of a communicator after its segment was replaced by a larger one {@code step}
     * times. The first segment is small, because most communicators are used little, and short-lived ones would fill
     * the memory of the host.
     */
    default int segmentBytes(int ranks, int step) {
        long bytes = (long) FIRST_SEGMENT_BYTES << Math.min(step * SEGMENT_STEP_BITS, Integer.SIZE - 1);
        return (int) Math.min(bytes, segmentBytes(ranks));
    }

    /** Whether the rank is on this host; true for this rank itself. */
    boolean reaches(ProcessId rank);

    /**
     * A new segment of this rank, filled with zeros, all its memory reserved; null if there is no room. Any thread,
     * without the lock: the call may take long, and wait for the garbage collector.
     */
    Segment create(int lengthBytes);

    /** The segment that {@code maker} created under this id; null if it cannot be opened. */
    Segment open(ProcessId maker, long id);

    /**
     * Removes the name of a segment of this rank. To be called once all ranks that may read the segment have it open:
     * no process needs the name any more, and the name would remain if this process were killed.
     */
    void unlink(Segment own);

    /** Gives up a segment, made by this rank or by another, that this rank does not use any more. */
    void discard(Segment segment);

    /**
     * Asks for a garbage collection soon, so that memory that was given up becomes free. For when some rank lacked
     * room.
     */
    default void collectLater() {}

    /**
     * New lent memory for the program, filled with zeros; null if there is no room. Other ranks of this host may read
     * the parts that this rank tells them of. The memory lasts as long as its buffer is reachable. Any thread, without
     * the lock.
     */
    default Lent lend(int lengthBytes) {
        return null;
    }

    /**
     * The memory that {@code maker} lends under this id, to be read only; null if it cannot be mapped. Several calls
     * may return the same buffer: the caller may change its position and limit while it holds the lock.
     */
    default ByteBuffer borrow(ProcessId maker, long id) {
        return null;
    }

    /**
     * The memory that {@code maker} lends under this id, to be written to, and only where and as long as the maker
     * allows it; null if it cannot be mapped. Several calls may return the same buffer, as with {@link #borrow}.
     */
    default ByteBuffer borrowToWrite(ProcessId maker, long id) {
        return null;
    }

    /** The rank as a writer into memory that this rank lends; null if the rank is not allowed to write there. */
    default Writer writer(ProcessId rank) {
        return null;
    }

    /**
     * Takes back a part of lent memory that other ranks were told of under {@code number}: the program may write to it
     * again. A rank that is copying the part at this moment finds {@link #takenBack} changed after its copy.
     */
    default void takeBack(long number) {}

    /**
     * A count of {@code maker}, which may be this rank itself. It changes with every {@link #takeBack} of
     * {@code number} by that rank, and may change at other times too. The answer is −1 if the count cannot be read:
     * then the memory counts as taken back. A rank that has copied lent memory asks after an acquire fence behind its
     * copy.
     */
    default long takenBack(ProcessId maker, long number) {
        return 0;
    }

    /** The length in bytes of the pieces in which this rank copies lent memory; {@link #PIECE_BYTES} by default. */
    default int pieceBytes() {
        return PIECE_BYTES;
    }

    /**
     * Wakes the rank if it sleeps. To be called after a full fence, or a volatile store, behind the stores that the
     * rank is to see.
     */
    void ring(ProcessId rank);

    /** Sets the watch that each sleep of this rank asks beside the lanes. Called once. */
    void watch(SleepWatch watch);
}
