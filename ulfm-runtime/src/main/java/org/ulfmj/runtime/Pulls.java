package org.ulfmj.runtime;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.ulfmj.transport.HostMemory;

/**
 * Receives that copy their message from the sender's own memory. Piece by piece, so that whoever waits for the lock gets it
 * between two.
 *
 * <p>A send that ends before its time gives its memory back to the program while it may still be read here. Its rank counts
 * that before the program can write, and the offer says what the count was: who finds another one when all is copied has
 * copied nothing, and asks for the bytes as for those of any other offer. Under the engine lock.
 */
final class Pulls {
    /** Pieces between two turns of everything else, if nobody waits for the lock. */
    private static final int PIECES_A_TURN = 4;
    /** So often the sender hears that it goes on: else its wait would become a sleep, and a wake-up takes long. */
    private static final int PIECES_A_NOTICE = 8;

    private final HostMemory memory;
    private final int pieceBytes;
    private final Outbound outbound;
    private final ReentrantLock lock;
    private final List<ReceiveOperation> running = new ArrayList<>();

    /** @param memory null where ranks share none */
    Pulls(HostMemory memory, Outbound outbound, ReentrantLock lock) {
        this.lock = lock;
        this.memory = memory;
        this.pieceBytes = memory == null ? HostMemory.PIECE_BYTES : memory.pieceBytes();
        this.outbound = outbound;
    }

    boolean isEmpty() {
        return running.isEmpty();
    }

    /** Whether the message can be copied from where it lies; then {@link #advance} does so. */
    boolean begin(ReceiveOperation receive) {
        LentPlace place = receive.place;
        ByteBuffer source = memory == null ? null : memory.borrow(receive.peer.id, place.memoryId);
        if (source == null || place.offset < 0 || place.offset + receive.messageBytes > source.capacity()) {
            return false;
        }
        receive.lent = source;
        running.add(receive);
        return true;
    }

    void forget(ReceiveOperation receive) {
        if (receive.lent != null) {
            receive.lent = null;
            running.remove(receive);
        }
    }

    /** The next pieces of the oldest; the receive of which all is copied, or null. */
    ReceiveOperation advance() {
        ReceiveOperation receive = running.get(0);
        for (int pieces = 0; pieces < PIECES_A_TURN && !isDone(receive); pieces++) {
            copyPiece(receive);
            if (lock.hasQueuedThreads()) {
                break;
            }
        }
        if (isDone(receive)) {
            forget(receive);
            return receive;
        }
        return null;
    }

    private static boolean isDone(ReceiveOperation receive) {
        return receive.arrivedBytes >= receive.messageBytes;
    }

    private void copyPiece(ReceiveOperation receive) {
        long at = receive.arrivedBytes;
        int bytes = (int) Math.min(receive.messageBytes - at, pieceBytes);
        int from = receive.place.offset + (int) at;
        Matching.copy(receive.lent.limit(from + bytes).position(from), receive.payload, at);
        receive.arrivedBytes += bytes;
        if (receive.arrivedBytes % (PIECES_A_NOTICE * pieceBytes) == 0 && !isDone(receive)) {
            outbound.sendCopied(receive.peer, receive.senderId, receive.arrivedBytes);
        }
    }

    /** Whether what was copied is what was sent. */
    boolean isWhole(ReceiveOperation receive) {
        VarHandle.acquireFence();
        return memory.takenBack(receive.peer.id, receive.senderId) == receive.place.takenBack;
    }
}
