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
 * The one receive of this rank whose message both sides copy at once: this rank from the sender's lent memory, the
 * sender into this rank's. Where each has its own core that takes half the time.
 *
 * <p>The one rule: <em>the receive does not end, well or badly, while its sender may still write into its buffer.</em>
 * Once the receive is to end before its time, no rank takes a piece any more. The receive ends when the pieces that the
 * sender had taken are written, or when the sender's process has ended. A sender that is marked failed and merely
 * stopped is ended for that. So a sender may write only if this rank could end the sender's process and see that end.
 * Under the engine lock.
 */
final class Division {
    /** The fewest pieces of a divided message. One rank copies a shorter message in the time that two take to agree. */
    private static final int FEWEST_PIECES = 4;
    /** The time between two questions to the system whether the sender's process has ended. */
    private static final long LOOK_NS = 1_000_000;

    private final HostMemory memory;
    private final int pieceBytes;
    /**
     * The shortest message that is divided. It is longer than the eager limit: a shorter message that was offered may
     * come whole after all, and its sender would not wait for the copy.
     */
    private final long smallestBytes;

    private final Lending lending;
    private final Notices notices;
    private final Clock clock;
    private CopyBoard board;
    /** Whether no message is ever divided: ranks share cores, or memory cannot be had. */
    private boolean isOff;

    private int number;
    /** The receive that is divided; null if there is none. */
    private ReceiveOperation receive;

    private Writer sender;
    private int pieces;
    private int copied;
    /**
     * Whether no rank takes a piece any more. From then on {@link #taken} says how many pieces the sender has taken.
     */
    private boolean isClosed;

    private int taken;
    /** The error with which the receive is to end once it may end; null if it is to end well. */
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
     * Lets the sender of a message that is about to be copied write its last pieces, if that is possible and worth it.
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
     * Takes the next piece that this rank is to copy. Returns −1 if all pieces are taken, or none may be taken any
     * more.
     */
    int take() {
        if (!isClosed && board.takeFront(pieces)) {
            return copied++;
        }
        close();
        return -1;
    }

    /** Closes the board: no rank takes a piece any more. */
    void close() {
        if (!isClosed) {
            isClosed = true;
            taken = board.close();
        }
    }

    /**
     * Whether a receive that is to end before its time has to wait for pieces that its sender may still be writing.
     * Then the receive ends later, when {@link #isOver} says so.
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

    /** Whether the receive may end: all is copied, or it was to end and no rank writes to its buffer any more. */
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

    /** Returns the error with which the receive ends that is over; null if it has all its bytes. */
    ErrorClass ending() {
        return ending;
    }

    /** Takes out the receive that is over and returns it. From now on another receive may be divided. */
    ReceiveOperation takeOver() {
        ReceiveOperation over = receive;
        receive = null;
        sender = null;
        return over;
    }
}
