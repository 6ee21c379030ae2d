package org.ulfmj.runtime.lent;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Divides the pieces of a message that two ranks both copy: the receiver takes them from the front, the sender from the
 * back, until they meet.
 *
 * <pre>
 *     0  claims:  division (32)   taken from the back (16)   taken from the front (16)
 *   128  written: division (32)   pieces that the sender has written (32)
 * </pre>
 *
 * <p>The board belongs to the receiver, which has one division at a time. Each division has a number; 0 means none. A
 * rank takes a piece by a compare-and-set of the first word, which fails if the word has changed meanwhile. So a sender
 * that was stopped for long takes no piece of a division that is over. Once the receiver has {@linkplain #close closed}
 * a division, it knows which pieces the sender may still be writing: those that the sender took and did not count in
 * the second word.
 */
public final class CopyBoard {
    public static final int BYTES = 256;
    /** The largest number of pieces into which a message may be divided. */
    public static final int MOST_PIECES = 0xffff;

    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final int CLAIMS = 0;
    private static final int WRITTEN = 128;
    private static final long FRONT = 1;
    private static final long BACK = 1 << 16;
    private static final long MASK = 0xffff;

    private final long id;
    private final ByteBuffer memory;

    /**
     * @param id the id of the lent memory that the board is in
     * @param memory direct, aligned to 8 bytes
     */
    public CopyBoard(long id, ByteBuffer memory) {
        this.id = id;
        this.memory = memory;
    }

    public long id() {
        return id;
    }

    // The receiver's.

    /**
     * Begins a division of a message. The division before must be closed, and its sender must write nothing any more.
     */
    public void open(int division) {
        WORD.setRelease(memory, WRITTEN, named(division));
        WORD.setRelease(memory, CLAIMS, named(division));
    }

    /** Takes the next piece from the front for the receiver. Returns false if all pieces are taken. */
    public boolean takeFront(int pieces) {
        while (true) {
            long claims = claims();
            if (front(claims) + back(claims) >= pieces) {
                return false;
            }
            if (WORD.compareAndSet(memory, CLAIMS, claims, claims + FRONT)) {
                return true;
            }
        }
    }

    /** Closes the division, so that no rank takes a piece any more. Returns how many pieces the sender has taken. */
    public int close() {
        while (true) {
            long claims = claims();
            if (WORD.compareAndSet(memory, CLAIMS, claims, 0L)) {
                return back(claims);
            }
        }
    }

    /** Whether the sender has written this many pieces. If so, the receiver also sees what the sender wrote. */
    public boolean isWritten(int division, int pieces) {
        return (long) WORD.getAcquire(memory, WRITTEN) == named(division) + pieces;
    }

    // The sender's.

    /**
     * Takes the next piece from the back for the sender. Returns its number, counted from the back; −1 if all pieces
     * are taken or the division is over.
     */
    public int takeBack(int division, int pieces) {
        while (true) {
            long claims = claims();
            if (claims >>> Integer.SIZE != named(division) >>> Integer.SIZE || front(claims) + back(claims) >= pieces) {
                return -1;
            }
            if (WORD.compareAndSet(memory, CLAIMS, claims, claims + BACK)) {
                return back(claims);
            }
        }
    }

    /**
     * Notes, for the sender, that it has written all pieces that it has taken so far.
     *
     * @param pieces how many these are
     */
    public void written(int division, int pieces) {
        WORD.setRelease(memory, WRITTEN, named(division) + pieces);
    }

    private long claims() {
        return (long) WORD.getAcquire(memory, CLAIMS);
    }

    private static long named(int division) {
        return (long) division << Integer.SIZE;
    }

    private static int front(long claims) {
        return (int) (claims & MASK);
    }

    private static int back(long claims) {
        return (int) (claims >>> 16 & MASK);
    }
}
