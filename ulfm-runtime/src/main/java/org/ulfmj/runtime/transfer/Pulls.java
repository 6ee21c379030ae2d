package org.ulfmj.runtime.transfer;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.ulfmj.runtime.lent.LentPlace;
import org.ulfmj.transport.HostMemory;

/**
 * Receives that copy their message from the sender's lent memory. They do so piece by piece: a thread that waits for
 * the lock gets it between two pieces.
 *
 * <p>A send that ends before its time gives its memory back to the program while it may still be read here. The
 * sender's rank counts that before its program can write, and the offer says what the count was. A receive that finds
 * another count when all is copied drops what it copied, and asks for the bytes as for those of any other offer. Under
 * the engine lock.
 */
final class Pulls {
    /** Pieces that are copied in one turn of the engine, if no thread waits for the lock. */
    private static final int PIECES_A_TURN = 4;
    /**
     * After so many pieces the sender hears that the copy goes on. Else its wait would become a sleep, and a wake-up
     * takes long.
     */
    private static final int PIECES_A_NOTICE = 8;

    private final HostMemory memory;
    private final int pieceBytes;
    private final Division division;
    private final Notices notices;
    private final ReentrantLock lock;
    private final List<ReceiveOperation> running = new ArrayList<>();

    /** @param memory null where ranks share none */
    Pulls(HostMemory memory, Division division, Notices notices, ReentrantLock lock) {
        this.division = division;
        this.lock = lock;
        this.memory = memory;
        this.pieceBytes = memory == null ? HostMemory.PIECE_BYTES : memory.pieceBytes();
        this.notices = notices;
    }

    boolean isEmpty() {
        return running.isEmpty() && division.isIdle();
    }

    /** Whether there is something to copy, and not only a division whose sender is still writing. */
    boolean hasPieces() {
        return !running.isEmpty();
    }

    /**
     * Begins to copy a message from where it lies; {@link #advance} goes on with that. Returns false if the message
     * cannot be copied from there.
     */
    boolean begin(ReceiveOperation receive) {
        LentPlace place = receive.place;
        ByteBuffer source = memory == null ? null : memory.borrow(receive.peer.id, place.memoryId());
        if (source == null || place.offset() < 0 || receive.messageBytes > source.capacity() - place.offset()) {
            return false;
        }
        receive.lent = source;
        running.add(receive);
        division.begin(receive);
        return true;
    }

    void forget(ReceiveOperation receive) {
        if (receive.lent != null) {
            receive.lent = null;
            running.remove(receive);
            if (division.isOf(receive)) {
                division.close();
            }
        }
    }

    /**
     * Copies the next pieces of the oldest receive. Returns that receive if its message is copied, else null. Null for
     * a divided one too: {@link Division#isOver} says when it is copied.
     */
    ReceiveOperation advance() {
        ReceiveOperation receive = running.get(0);
        boolean isDivided = division.isOf(receive);
        for (int pieces = 0; pieces < PIECES_A_TURN && !isDone(receive); pieces++) {
            if (isDivided) {
                int piece = division.take();
                if (piece < 0) {
                    // Of a divided message the sender may still be writing pieces that it has taken.
                    forget(receive);
                    return null;
                }
                copy(receive, (long) piece * pieceBytes);
            } else {
                copyNext(receive);
            }
            if (lock.hasQueuedThreads()) {
                break;
            }
        }
        if (!isDivided && isDone(receive)) {
            forget(receive);
            return receive;
        }
        return null;
    }

    private static boolean isDone(ReceiveOperation receive) {
        return receive.arrivedBytes >= receive.messageBytes;
    }

    private void copyNext(ReceiveOperation receive) {
        receive.arrivedBytes += copy(receive, receive.arrivedBytes);
        if (receive.arrivedBytes % (PIECES_A_NOTICE * pieceBytes) == 0 && !isDone(receive)) {
            notices.sendCopied(receive.peer, receive.senderId, receive.arrivedBytes);
        }
    }

    /** Copies one piece. Returns its length. */
    private int copy(ReceiveOperation receive, long at) {
        int bytes = (int) Math.min(receive.messageBytes - at, pieceBytes);
        int from = receive.place.offset() + (int) at;
        Matching.copy(receive.lent.limit(from + bytes).position(from), receive.payload, at);
        return bytes;
    }

    /** Whether the copied bytes are the message: its sender has not taken its memory back meanwhile. */
    boolean isWhole(ReceiveOperation receive) {
        VarHandle.acquireFence();
        return memory.takenBack(receive.peer.id, receive.senderId) == receive.place.takenBack();
    }
}
