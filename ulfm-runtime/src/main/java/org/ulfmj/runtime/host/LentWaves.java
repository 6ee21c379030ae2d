package org.ulfmj.runtime.host;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.runtime.lent.Lending;
import org.ulfmj.runtime.lent.LentBuffer;
import org.ulfmj.runtime.reduction.VectorFold;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.Payload;

/**
 * A long operation whose ranks read each other's buffers where they lie, in lent memory ({@link HostMemory#lend}), by
 * rules W11 to W14. A rank shows each wave of flags when it has done this:
 *
 * <ol start="0">
 *   <li>it has written into its slot where its buffers lie;
 *   <li>it has read the others' contributions: it has combined its block of a vector into its own result, or has copied
 *       the parts that it gets;
 *   <li>in a reduction: it has copied the other blocks of the result from the ranks that combined them.
 * </ol>
 *
 * <p>From wave 1 on a rank says in its slot whether it could read. If one rank could not, or only some ranks offer lent
 * memory, the operation begins anew through stages in the segments: the contributions are unchanged. So a reduction in
 * one buffer, which overwrites its contribution, never goes through lent memory.
 */
final class LentWaves implements Waves {
    private static final int PIECE_BYTES = 256 * 1024;

    // What a rank shows in its slot.
    private static final int SEND_ID = 0;
    private static final int SEND_OFFSET = 8;
    private static final int RECEIVE_ID = 16;
    private static final int RECEIVE_OFFSET = 24;
    private static final int TAKEN_BACK = 32;
    /** By wave, from wave 1 on. */
    private static final int OUTCOMES = 40;

    private static final int LENGTH = OUTCOMES + 2 * Long.BYTES;

    private static final long READ = 1;
    private static final long NOT_READ = 2;

    private final HostWindow window;
    private final HostWindow.View view;
    private final VectorFold fold;
    private final HostArguments arguments;
    private final HostMemory memory;
    private final Lending lending;
    private final long number;
    private final int ranks;
    private final int own;
    private final int bytes;
    private final boolean isReduction;

    /** By rank, the lent memory that this rank reads in the present wave. */
    private final ByteBuffer[] sources;
    /** By rank, at which byte of that memory the rank's contribution, or result, begins. */
    private final int[] offsets;
    /** How many pieces of the wave's work belong to each rank that is read. */
    private int piecesPerRank;

    private boolean isRead = true;

    /**
     * @param number the number of the operation in the window
     * @param fold combines the vectors; null unless the operation is a reduction
     */
    LentWaves(
            HostWindow window,
            HostWindow.View view,
            HostMemory memory,
            Lending lending,
            HostArguments arguments,
            long number,
            VectorFold fold) {
        this.window = window;
        this.view = view;
        this.fold = fold;
        this.arguments = arguments;
        this.memory = memory;
        this.lending = lending;
        this.number = number;
        this.ranks = window.size();
        this.own = window.rank();
        this.bytes = (int) arguments.bytes(ranks);
        this.isReduction = arguments.reduction() != null;
        this.sources = new ByteBuffer[ranks];
        this.offsets = new int[ranks];
    }

    /** Whether operations of this kind may go through lent memory. */
    static boolean mayCarry(HostArguments arguments) {
        int kind = arguments.kind();
        return kind == HostCall.ALL_REDUCE || kind == HostCall.ALL_GATHER || kind == HostCall.ALL_TO_ALL;
    }

    // Wave 0.

    /**
     * Writes into this rank's slot where its buffers lie. Returns false if others are not to read its contribution: the
     * contribution, or the result of a reduction, does not lie in lent memory, or a contribution that is given apart
     * from the result lies in the same lent buffer as the result.
     */
    boolean offer() {
        Payload send = arguments.send();
        Payload receive = arguments.receive();
        long sendId = 0;
        long sendAt = 0;
        LentBuffer received = lending.bufferOf(receive);
        long receiveId = received == null ? 0 : received.id();
        long receiveAt = received == null ? 0 : received.offsetOf(receive);
        if (send == null) {
            sendId = receiveId;
            sendAt = receiveAt + (long) own * bytes;
        } else if (!isReduction || receiveId != 0) {
            LentBuffer sent = lending.bufferOf(send);
            sendId = sent == null ? 0 : sent.id();
            sendAt = sent == null ? 0 : sent.offsetOf(send);
            if (sendId == receiveId) {
                sendId = 0; // a part of it may be overwritten while others read
            }
        }
        int at = window.inlineAt(number);
        ByteBuffer slot = view.write(at, LENGTH);
        slot.putLong(at + SEND_ID, sendId);
        slot.putLong(at + SEND_OFFSET, sendAt);
        slot.putLong(at + RECEIVE_ID, receiveId);
        slot.putLong(at + RECEIVE_OFFSET, receiveAt);
        slot.putLong(at + TAKEN_BACK, memory.takenBack(window.process(own), number));
        return sendId != 0;
    }

    private long shownBy(int rank, int field) {
        int at = window.inlineAt(number);
        return view.read(rank, at, LENGTH).getLong(at + field);
    }

    /** Whether any rank has its buffers in lent memory. To be asked when all ranks have shown wave 0. */
    boolean isOfferedByAny() {
        for (int rank = 0; rank < ranks; rank++) {
            if (shownBy(rank, SEND_ID) != 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether the operation succeeds through lent memory as far as this wave, and so needs no new beginning through
     * stages. To be asked only once all ranks have shown the wave. True for wave 0 if all ranks have their buffers in
     * lent memory, and for a later wave if all ranks could read in it.
     */
    boolean areAllDone(int wave) {
        for (int rank = 0; rank < ranks; rank++) {
            if (wave == 0 ? shownBy(rank, SEND_ID) == 0 : shownBy(rank, outcome(wave)) != READ) {
                return false;
            }
        }
        return true;
    }

    // The waves in which a rank reads.

    /** Looks up the lent memory that this rank reads in the wave. Under the engine lock. */
    void prepare(int wave) {
        if (wave == 0 || wave > lastWave()) {
            return;
        }
        boolean isOfResults = wave == 2;
        for (int rank = 0; rank < ranks; rank++) {
            isRead &= rank == own || find(rank, isOfResults);
        }
        int most = isReduction ? (bytes / arguments.width() / ranks + 1) * arguments.width() : bytes;
        piecesPerRank = (most - 1) / PIECE_BYTES + 1;
    }

    private boolean find(int rank, boolean isOfResults) {
        long id = shownBy(rank, isOfResults ? RECEIVE_ID : SEND_ID);
        long from = shownBy(rank, isOfResults ? RECEIVE_OFFSET : SEND_OFFSET);
        long length = bytes;
        if (arguments.kind() == HostCall.ALL_TO_ALL) {
            from += (long) own * bytes;
        }
        ByteBuffer there = memory.borrow(window.process(rank), id);
        if (there == null || from < 0 || from > there.capacity() - length) {
            return false;
        }
        // A separate view of the memory: the pieces are read without the engine lock. The view keeps the memory mapped.
        sources[rank] = there.duplicate().order(ByteOrder.nativeOrder());
        offsets[rank] = (int) from;
        return true;
    }

    @Override
    public int lastWave() {
        return isReduction ? 2 : 1;
    }

    @Override
    public int pieces(int wave) {
        if (wave == 0 || wave > lastWave() || !isRead) {
            return 0;
        }
        return isCombining(wave) ? piecesPerRank : ranks * piecesPerRank;
    }

    private boolean isCombining(int wave) {
        return isReduction && wave == 1;
    }

    @Override
    public boolean isEmpty(int wave, int piece) {
        if (isCombining(wave)) {
            return beginOf(own, piece) >= endOf(own, piece);
        }
        int rank = rankOf(piece);
        boolean isInPlace = rank == own && (isReduction || arguments.send() == null);
        return isInPlace || beginOf(rank, piece % piecesPerRank) >= endOf(rank, piece % piecesPerRank);
    }

    @Override
    public void run(int wave, int piece) {
        if (isCombining(wave)) {
            combine(beginOf(own, piece), endOf(own, piece));
            return;
        }
        int rank = rankOf(piece);
        int begin = beginOf(rank, piece % piecesPerRank);
        int end = endOf(rank, piece % piecesPerRank);
        long into = isReduction ? begin : (long) rank * bytes + begin;
        if (rank == own) {
            copyOwn(begin, end, into);
        } else {
            arguments.receive().copyIn(into, source(rank, begin, end - begin));
        }
    }

    /**
     * Returns the rank that a piece is read from. Each rank begins with itself and goes on with the next rank, so that
     * not all ranks read from one rank at a time.
     */
    private int rankOf(int piece) {
        return (own + piece / piecesPerRank) % ranks;
    }

    /** Returns at which byte a piece begins: of the vector in a reduction, else of the rank's part. */
    private int beginOf(int rank, int piece) {
        return (isReduction ? blockAt(rank) : 0) + piece * PIECE_BYTES;
    }

    private int endOf(int rank, int piece) {
        return Math.min(beginOf(rank, piece) + PIECE_BYTES, isReduction ? blockAt(rank + 1) : bytes);
    }

    private int blockAt(int rank) {
        return (int) ((long) (bytes / arguments.width()) * rank / ranks) * arguments.width();
    }

    private ByteBuffer source(int rank, int at, int length) {
        int from = offsets[rank] + at;
        return sources[rank].clear().limit(from + length).position(from);
    }

    private void combine(int begin, int end) {
        boolean inArrays = VectorFold.isForArrays(arguments.reduction(), end - begin);
        for (int at = begin; at < end; at += VectorFold.CHUNK_BYTES) {
            int chunk = Math.min(VectorFold.CHUNK_BYTES, end - at);
            for (int rank = 0; rank < ranks; rank++) {
                if (rank != own) {
                    fold.source(inArrays, rank, source(rank, at, chunk));
                }
            }
            fold.own(inArrays, own, arguments.send(), at, chunk);
            fold.foldTo(inArrays, arguments.reduction(), arguments.width(), chunk, arguments.receive(), at);
        }
    }

    /** Copies this rank's part for itself, through the stage in its segment, which no rank reads. */
    private void copyOwn(int begin, int end, long into) {
        int from = arguments.kind() == HostCall.ALL_TO_ALL ? own * bytes : 0;
        int stage = window.placeAt(number);
        for (int at = begin; at < end; at += VectorFold.CHUNK_BYTES) {
            int chunk = Math.min(VectorFold.CHUNK_BYTES, end - at);
            arguments.send().copyOut(from + at, view.write(stage, chunk));
            arguments.receive().copyIn(into + at - begin, view.write(stage, chunk));
        }
    }

    /**
     * Says in the slot whether this rank has read all that it wanted in the wave: it could, and no owner has taken its
     * memory back meanwhile. Under the engine lock.
     */
    void sayWhetherRead(int wave) {
        if (wave == 0) {
            return;
        }
        if (isCombining(wave)) {
            fold.forget(); // it outlives the operation, and others' memory is mapped as long as a buffer refers to it
        }
        VarHandle.acquireFence();
        for (int rank = 0; rank < ranks; rank++) {
            isRead &= rank == own || memory.takenBack(window.process(rank), number) == shownBy(rank, TAKEN_BACK);
        }
        int at = window.inlineAt(number);
        view.write(at, LENGTH).putLong(at + outcome(wave), isRead ? READ : NOT_READ);
    }

    private static int outcome(int wave) {
        return OUTCOMES + (wave - 1) * Long.BYTES;
    }

    /**
     * Counts that the lent memory is taken back: the operation ends with an error, and the program may write to its
     * buffers from now on. Under the engine lock.
     */
    void takeBack() {
        memory.takeBack(number);
    }
}
