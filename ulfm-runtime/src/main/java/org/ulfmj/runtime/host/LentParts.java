package org.ulfmj.runtime.host;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.reduction.VectorFold;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.Payload;

/**
 * The exchange of parts that all ranks have in lent memory ({@link HostMemory#lend}), in a blocking allgather or
 * all-to-all. Each rank copies the parts that it gets from where they lie, and no rank goes on before all ranks have
 * copied theirs.
 *
 * <p>Three things can prevent that. Not all ranks have their parts in lent memory: then no rank reads any. A rank
 * cannot read the memory of another: then it says so in the second wave, and all ranks see that. A rank leaves with an
 * error and gives its memory back to the program while others still read it: it counts that before the program can
 * write, and shows the count together with the place of its parts. A rank that finds another count when all is copied
 * says that it could not read. In each case the operation begins anew through the segments, at all ranks alike. There a
 * rank that has left is missed, and the operation fails as it would have.
 *
 * <p>A rank that cannot read another's memory now may never be able to: the next operations are not tried this way at
 * all, at all ranks alike, since all have seen the same and count operations alike.
 */
final class LentParts {
    /**
     * The length from which on a part is read in lent memory. Shorter parts are copied into the segment and out of it.
     */
    static final int LEAST_BYTES = 16 * 1024;

    // Where the fields that name a rank's lent parts lie, within the bytes that the rank shows in the operation.
    private static final int ID = 0;
    private static final int OFFSET = 8;
    private static final int TAKEN_BACK = 16;
    private static final int PLACE_BYTES = 24;

    /**
     * How many operations of the group go through segments only, after one whose parts not all ranks could read; twice
     * as many after each further one in a row, up to {@link #LONGEST_PAUSE}.
     */
    private static final int SHORTEST_PAUSE = 16;

    private static final int LONGEST_PAUSE = 1 << 16;

    private static final int READ = 0;
    private static final int NOT_READ = 1;

    private final HostGroup group;
    private final HostMemory memory;
    /** How many bytes of another rank's part are copied before the engine lock is released for other threads. */
    private final int pieceBytes;

    private int pause = SHORTEST_PAUSE;
    private long notBefore;

    private final ByteBuffer own =
            ByteBuffer.allocateDirect(VectorFold.CHUNK_BYTES).order(ByteOrder.nativeOrder());

    LentParts(HostGroup group, HostMemory memory) {
        this.group = group;
        this.memory = memory;
        this.pieceBytes = memory.pieceBytes();
    }

    /**
     * Exchanges parts through lent memory, if all ranks can.
     *
     * @param id the lent memory in which this rank's parts for others lie, from {@code offset} on
     * @param skipped how far behind the offset that another rank shows that rank's part for this rank begins, in bytes
     * @param mine where this rank's part for itself lies, from {@code mineAt} on; null if that part is in its place in
     *     {@code all}
     * @param all gets the parts by rank
     * @return true if the parts were exchanged; false if this operation is to begin anew through segments
     */
    boolean exchange(long call, long id, long offset, long skipped, Payload mine, long mineAt, int part, Payload all) {
        long number = group.operations() + 1;
        int place = group.place(PLACE_BYTES);
        ByteBuffer told = group.write(place, PLACE_BYTES);
        told.putLong(place + ID, id);
        told.putLong(place + OFFSET, offset);
        told.putLong(place + TAKEN_BACK, memory.takenBack(group.process(group.rank()), number));
        boolean isOver = false;
        try {
            group.publish(call, ~place);
            if (mine != null) {
                copyOwn(mine, mineAt, part, all);
            }
            group.awaitAll(number);
            group.requireSame(number, call);
            boolean isShared = ranksIn(number) == group.size();
            boolean isDone = isShared && readAll(number, call, skipped, part, all);
            isOver = true;
            return isDone;
        } finally {
            if (!isOver) {
                memory.takeBack(number);
            }
        }
    }

    /** Whether the next operation is to be tried through lent memory; the same at all ranks. */
    boolean isWorthIt() {
        return group.operations() >= notBefore;
    }

    /** Whether at least one rank has its parts of the operation in lent memory. */
    boolean isInAny(long operation) {
        return ranksIn(operation) > 0;
    }

    private int ranksIn(long operation) {
        int ranks = 0;
        for (int rank = 0; rank < group.size(); rank++) {
            ranks += group.placeOf(operation, rank) < 0 ? 1 : 0;
        }
        return ranks;
    }

    private boolean readAll(long operation, long call, long skipped, int part, Payload all) {
        boolean isRead = true;
        for (int step = 1; step < group.size() && isRead; step++) {
            int other = (group.rank() + step) % group.size();
            isRead = read(operation, other, skipped, part, all);
        }
        group.placeNothing();
        long over = group.publish(call, isRead ? READ : NOT_READ);
        group.awaitAll(over);
        group.requireSame(over, call);
        for (int rank = 0; rank < group.size(); rank++) {
            isRead &= group.placeOf(over, rank) == READ;
        }
        if (isRead) {
            pause = SHORTEST_PAUSE;
        } else {
            notBefore = over + pause;
            pause = Math.min(2 * pause, LONGEST_PAUSE);
        }
        return isRead;
    }

    private boolean read(long operation, int other, long skipped, int part, Payload all) {
        int place = ~group.placeOf(operation, other);
        ByteBuffer told = group.read(other, place, PLACE_BYTES);
        long id = told.getLong(place + ID);
        long from = told.getLong(place + OFFSET) + skipped;
        long takenBack = told.getLong(place + TAKEN_BACK);
        ProcessId owner = group.process(other);
        for (int done = 0; done < part; done += pieceBytes) {
            // The memory is borrowed anew for each piece: between two pieces other operations may have used the
            // mapping, or its owner may have ended it.
            ByteBuffer source = memory.borrow(owner, id);
            if (source == null || from < 0 || from > source.capacity() - part) {
                return false;
            }
            int at = (int) from + done;
            int bytes = Math.min(pieceBytes, part - done);
            all.copyIn((long) other * part + done, source.limit(at + bytes).position(at));
            group.letOthersIn();
        }
        VarHandle.acquireFence();
        return memory.takenBack(owner, operation) == takenBack;
    }

    private void copyOwn(Payload mine, long at, int part, Payload all) {
        long into = (long) group.rank() * part;
        for (int done = 0; done < part; done += VectorFold.CHUNK_BYTES) {
            if (done > 0 && done % HostMemory.PIECE_BYTES == 0) {
                group.letOthersIn();
            }
            int bytes = Math.min(VectorFold.CHUNK_BYTES, part - done);
            mine.copyOut(at + done, own.clear().limit(bytes));
            all.copyIn(into + done, own.flip());
        }
    }
}
