package org.ulfmj.runtime.transfer;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.ulfmj.runtime.lent.CopyBoard;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.HostMemory;

/**
 * Sends of which this rank writes the last pieces into the receiver's memory while the receiver copies the first
 * pieces: the sender's side of a {@link Division}. A piece is taken, written and counted at one time under the engine
 * lock, so a send that ends before its time leaves no piece half written.
 */
final class Contributions {
    /** How many pieces are written at most in one turn of the engine; fewer if a thread waits for the lock. */
    private static final int PIECES_A_TURN = 4;

    private final HostMemory memory;
    private final int pieceBytes;
    private final ReentrantLock lock;
    private final List<SendOperation> running = new ArrayList<>();

    /** @param memory null where ranks share none */
    Contributions(HostMemory memory, ReentrantLock lock) {
        this.memory = memory;
        this.pieceBytes = memory == null ? HostMemory.PIECE_BYTES : memory.pieceBytes();
        this.lock = lock;
    }

    boolean isEmpty() {
        return running.isEmpty();
    }

    /**
     * Begins to write the last pieces of a send into the receiver's memory that the frame names. If this rank cannot
     * map that memory or the board, or the message does not fit there, the receiver copies the whole message alone.
     */
    void begin(Peer receiver, SendOperation send, Frame divide) {
        ByteBuffer target = memory.borrowToWrite(receiver.id, divide.dividedMemoryId());
        CopyBoard board = target == null ? null : boardOf(receiver, divide.divisionBoardId());
        int offset = divide.dividedOffset();
        boolean hasRoom = board != null && offset >= 0 && offset + send.payload.lengthBytes() <= target.capacity();
        if (hasRoom) {
            send.board = board;
            send.division = divide.divisionNumber();
            send.target = target;
            send.targetOffset = offset;
            running.add(send);
        }
    }

    private CopyBoard boardOf(Peer receiver, long id) {
        if (receiver.board == null || receiver.board.id() != id) {
            ByteBuffer lent = memory.borrowToWrite(receiver.id, id);
            receiver.board = lent == null || lent.capacity() < CopyBoard.BYTES ? null : new CopyBoard(id, lent);
        }
        return receiver.board;
    }

    /**
     * Stops writing pieces of the send: the program has its buffer again, or the send has ended, or its bytes are
     * streamed as frames, or no piece is left to take.
     */
    void forget(SendOperation send) {
        if (send.board != null) {
            send.board = null;
            send.target = null;
            running.remove(send);
        }
    }

    /** Writes the next pieces of the oldest send. Returns how many pieces it wrote. */
    int advance() {
        SendOperation oldest = running.get(0);
        int pieces = Division.piecesOf(oldest.payload.lengthBytes(), pieceBytes);
        int written = 0;
        while (written < PIECES_A_TURN) {
            int piece = oldest.board.takeBack(oldest.division, pieces);
            if (piece < 0) {
                forget(oldest);
                break;
            }
            write(oldest, pieces - 1 - piece);
            oldest.board.written(oldest.division, piece + 1);
            written++;
            if (lock.hasQueuedThreads()) {
                break;
            }
        }
        return written;
    }

    private void write(SendOperation send, int piece) {
        int at = piece * pieceBytes;
        int bytes = (int) Math.min(pieceBytes, send.payload.lengthBytes() - at);
        int to = send.targetOffset + at;
        send.payload.copyOut(at, send.target.limit(to + bytes).position(to));
    }
}
