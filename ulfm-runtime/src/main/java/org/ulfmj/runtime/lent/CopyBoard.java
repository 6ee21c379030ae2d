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
 * <p>It is the receiver's, which has one division at a time, each with its own number; 0 is none. A piece is taken by
 * changing the first word from what was read, which fails if anything happened meanwhile: so a sender that was stopped
 * for long takes no piece of a division that is over, and once the receiver has {@linkplain #close closed} a division
 * it knows which pieces the sender may still be writing: those that it took and did not count in the second word.
 */
public final class CopyBoard {
    public static final int BYTES = 256;
    /** The largest number of pieces that can be counted. */
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
     * @param id of the lent memory that it is in
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

    /** Begins a division; the last one is closed, and the sender writes nothing of it any more. */
    public void open(int division) {
        WORD.setRelease(memory, WRITTEN, named(division));
        WORD.setRelease(memory, CLAIMS, named(division));
    }

    /** Whether the next piece from the front is the receiver's; if not, all are taken. */
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

    /** No rank takes a piece any more; returns how many the sender has taken. */
    public int close() {
        while (true) {
            long claims = claims();
            if (WORD.compareAndSet(memory, CLAIMS, claims, 0L)) {
                return back(claims);
            }
        }
    }

    /** Whether the sender has written this many pieces, and what it wrote is seen. */
    public boolean isWritten(int division, int pieces) {
        return (long) WORD.getAcquire(memory, WRITTEN) == named(division) + pieces;
    }

    // The sender's.

    /** Takes the next piece from the back; returns which it is, counted from there, or −1 if there is none. */
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

    /** All that was taken is written, this many pieces. */
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
