package org.ulfmj.runtime.transfer;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.ulfmj.runtime.lent.LentPlace;
import org.ulfmj.transport.HostMemory;

/**
 * Receives that copy their message from the sender's lent memory, piece by piece, so that a thread that waits for the
 * engine lock gets it between two pieces.
 *
 * <p>A send that ends before its time gives its buffer back to the program while this rank may still be reading it. The
 * sender's rank counts each such case before its program can write, and an offer says what the count was. If this rank
 * finds another count after it has copied all, it does not count what it copied, and asks the sender to stream the
 * bytes. Under the engine lock.
 */
final class Pulls {
    /** How many pieces are copied at most in one turn of the engine; fewer if a thread waits for the lock. */
    private static final int PIECES_A_TURN = 4;
    /**
     * Each time that this many pieces of a message that is not divided are copied, the sender is told that the copy
     * goes on. Otherwise its wait might become a sleep, from which a wake-up takes long.
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

    /**
     * Whether there are pieces to copy for this rank. It is false if only a divided receive is left whose sender is
     * still writing.
     */
    boolean hasPieces() {
        return !running.isEmpty();
    }

    /**
     * Begins to copy a message from the sender's lent memory; {@link #advance} copies the pieces. Returns false if the
     * message cannot be copied from there.
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
     * Copies the next pieces of the oldest receive. Returns that receive if its whole message is copied, else null. It
     * returns null for a divided receive in any case: {@link Division#isOver} says when that one is copied.
     */
    ReceiveOperation advance() {
        ReceiveOperation receive = running.get(0);
        boolean isDivided = division.isOf(receive);
        for (int pieces = 0; pieces < PIECES_A_TURN && !isDone(receive); pieces++) {
            if (isDivided) {
                int piece = division.take();
                if (piece < 0) {
                    // The sender of the divided message may still be writing pieces that it has taken, so the receive
                    // does not end here.
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

    /**
     * Whether the copied bytes are the message for certain: the sender's count of lent memory that it took back is
     * still the one of the offer.
     */
    boolean isWhole(ReceiveOperation receive) {
        VarHandle.acquireFence();
        return memory.takenBack(receive.peer.id, receive.senderId) == receive.place.takenBack();
    }
}
