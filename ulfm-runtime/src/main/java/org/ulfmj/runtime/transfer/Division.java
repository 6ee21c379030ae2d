package org.ulfmj.runtime.transfer;

import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.lent.CopyBoard;
import org.ulfmj.runtime.lent.Lending;
import org.ulfmj.runtime.lent.LentBuffer;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.runtime.progress.Clock;
import org.ulfmj.transport.HostMemory;
import org.ulfmj.transport.Lent;
import org.ulfmj.transport.Writer;

/**
 * The one receive of this rank whose message both sides copy at the same time: this rank copies from the sender's lent
 * memory, and the sender writes into this rank's lent memory. Where each of the two has its own core, that takes half
 * the time.
 *
 * <p>The one rule: <em>the receive does not end, well or badly, while its sender may still write into its buffer.</em>
 * If the receive must end before its time, the board is closed and no rank takes another piece. The receive then ends
 * when the pieces that the sender had taken are written, or when the sender's process has ended. If the sender is
 * marked failed but its process still exists, this rank kills that process. So a sender may write only if this rank
 * could kill the sender's process and see that it has ended. Under the engine lock.
 */
final class Division {
    /**
     * The least number of pieces of a divided message. One rank alone copies a shorter message in the time that two
     * ranks take to agree on a division.
     */
    private static final int FEWEST_PIECES = 4;
    /** The time between two checks whether the sender's process has ended. */
    private static final long LOOK_NS = 1_000_000;

    private final HostMemory memory;
    private final int pieceBytes;
    /**
     * The least length in bytes of a message that is divided. It is longer than the eager limit: a shorter message that
     * was offered may still be sent whole, and its sender would not wait for the copy.
     */
    private final long smallestBytes;

    private final Lending lending;
    private final Notices notices;
    private final Clock clock;
    private CopyBoard board;
    /**
     * Whether messages are never divided, because ranks exceed cores, there is no shared memory or no board could be
     * lent.
     */
    private boolean isOff;

    private int number;
    /** The receive that is divided; null if there is none. */
    private ReceiveOperation receive;

    private Writer sender;
    private int pieces;
    private int copied;
    /**
     * Whether the board is closed, so that no rank takes another piece. From then on {@link #taken} is the number of
     * pieces that the sender has taken.
     */
    private boolean isClosed;

    private int taken;
    /** The error with which the receive ends once the sender does not write any more; null if the receive ends well. */
    private ErrorClass ending;

    private long lookedNs;

    /** @param memory null where ranks share none */
    Division(HostMemory memory, Lending lending, Notices notices, Clock clock, RankSettings settings) {
        this.memory = memory;
        this.pieceBytes = memory == null ? HostMemory.PIECE_BYTES : memory.pieceBytes();
        this.smallestBytes = Math.max(FEWEST_PIECES * pieceBytes, settings.eagerLimitBytes() + 1L);
        this.lending = lending;
        this.notices = notices;
        this.clock = clock;
        this.isOff = memory == null || settings.crowded();
    }

    boolean isIdle() {
        return receive == null;
    }

    boolean isOf(ReceiveOperation other) {
        return receive == other;
    }

    /**
     * Lets the sender of a message that is about to be copied write the last pieces of it, if that is possible and pays
     * off.
     */
    void begin(ReceiveOperation newReceive) {
        long bytes = newReceive.messageBytes;
        if (isOff || receive != null || newReceive.run != null || bytes < smallestBytes) {
            return;
        }
        int count = piecesOf(bytes, pieceBytes);
        LentBuffer target = newReceive.payload.lengthBytes() < bytes ? null : lending.bufferOf(newReceive.payload);
        Writer writer = target == null || count > CopyBoard.MOST_PIECES ? null : memory.writer(newReceive.peer.id);
        if (writer == null || !hasBoard()) {
            return;
        }
        number++;
        if (number == 0) {
            number++;
        }
        receive = newReceive;
        sender = writer;
        pieces = count;
        copied = 0;
        isClosed = false;
        ending = null;
        board.open(number);
        int offset = target.offsetOf(newReceive.payload);
        notices.sendDivide(newReceive.peer, newReceive.senderId, board.id(), number, target.id(), offset);
    }

    static int piecesOf(long bytes, int pieceBytes) {
        return (int) Math.min(Integer.MAX_VALUE, (bytes + pieceBytes - 1) / pieceBytes);
    }

    private boolean hasBoard() {
        if (board == null) {
            Lent lent = memory.lend(CopyBoard.BYTES);
            isOff = lent == null;
            board = isOff ? null : new CopyBoard(lent.id(), lent.memory());
        }
        return board != null;
    }

    /**
     * Takes the next piece that this rank copies, and returns its number. Returns −1, and closes the board, if all
     * pieces are taken or none may be taken any more.
     */
    int take() {
        if (!isClosed && board.takeFront(pieces)) {
            return copied++;
        }
        close();
        return -1;
    }

    /** Closes the board: from now on no rank takes a piece. */
    void close() {
        if (!isClosed) {
            isClosed = true;
            taken = board.close();
        }
    }

    /**
     * Whether a receive that must end before its time has to wait for pieces that its sender may still be writing. If
     * so, the receive ends later, when {@link #isOver} returns true.
     */
    boolean delays(ReceiveOperation ended, ErrorClass error) {
        if (receive != ended) {
            return false;
        }
        if (board.isWritten(number, taken)) {
            receive = null;
            return false;
        }
        if (ending == null) {
            ending = error;
            lookedNs = clock.nowNs();
        }
        return true;
    }

    /**
     * Whether the divided receive may end: all pieces are copied, or the board was closed early and the sender does not
     * write into the buffer any more.
     */
    boolean isOver() {
        return receive != null
                && isClosed
                && (board.isWritten(number, taken) || ending != null && hasSenderEnded(clock.nowNs()));
    }

    private boolean hasSenderEnded(long nowNs) {
        if (nowNs - lookedNs < LOOK_NS) {
            return false;
        }
        lookedNs = nowNs;
        if (sender.hasEnded()) {
            return true;
        }
        if (receive.peer.failed) {
            sender.end();
        }
        return false;
    }

    /** Returns the error with which the receive ends that {@link #isOver} found; null if it has all its bytes. */
    ErrorClass ending() {
        return ending;
    }

    /** Removes and returns the receive that {@link #isOver} found. From now on another receive may be divided. */
    ReceiveOperation takeOver() {
        ReceiveOperation over = receive;
        receive = null;
        sender = null;
        return over;
    }
}
