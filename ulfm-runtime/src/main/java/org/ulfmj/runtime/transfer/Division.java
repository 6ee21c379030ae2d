package org.ulfmj.runtime.transfer;

import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.lent.CopyBoard;
import org.ulfmj.runtime.lent.Lending;
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
 * When it is to end before its time, no rank takes a piece any more, and it ends when the pieces that the sender had
 * taken are written, or the sender's process has ended. A sender that was declared failed and is merely stopped is
 * ended for that. So no rank is let write whose end could not be brought about and seen. Under the engine lock.
 */
final class Division {
    /** Shorter messages are copied by one in the time in which two come to terms. */
    private static final int FEWEST_PIECES = 4;
    /** Between two questions to the system whether the sender has ended. */
    private static final long LOOK_NS = 1_000_000;

    private final HostMemory memory;
    private final int pieceBytes;
    /** Longer than what may be sent whole after all, for which its sender would not wait. */
    private final long smallestBytes;

    private final Lending lending;
    private final Notices notices;
    private final Clock clock;
    private CopyBoard board;
    /** Ranks share cores, or memory cannot be had. */
    private boolean isOff;

    private int number;
    /** The receive that is divided; null if there is none. */
    private ReceiveOperation receive;

    private Writer sender;
    private int pieces;
    private int copied;
    /** No piece is taken any more; then it is known how many the sender has taken. */
    private boolean isClosed;

    private int taken;
    /** How the receive is to end once it may; null if it goes well. */
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
        long target = newReceive.payload.lengthBytes() < bytes ? 0 : lending.idOf(newReceive.payload);
        Writer writer = target == 0 || count > CopyBoard.MOST_PIECES ? null : memory.writer(newReceive.peer.id);
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
        int offset = newReceive.payload.holderOffset();
        notices.sendDivide(newReceive.peer, newReceive.senderId, board.id(), number, target, offset);
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

    /** The next piece that this rank is to copy, or −1: then all are taken. */
    int take() {
        if (!isClosed && board.takeFront(pieces)) {
            return copied++;
        }
        close();
        return -1;
    }

    /** No rank takes a piece any more. */
    void close() {
        if (!isClosed) {
            isClosed = true;
            taken = board.close();
        }
    }

    /** A receive ends before its time: whether that has to wait, for {@link #takeOver} to say so. */
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

    /** How the receive that is over ends; null if it has all its bytes. */
    ErrorClass ending() {
        return ending;
    }

    /** The receive that is over; the next one may begin. */
    ReceiveOperation takeOver() {
        ReceiveOperation over = receive;
        receive = null;
        sender = null;
        return over;
    }
}
