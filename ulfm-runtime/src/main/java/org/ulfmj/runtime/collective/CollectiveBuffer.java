package org.ulfmj.runtime.collective;

import java.nio.ByteBuffer;
import org.ulfmj.transport.Payload;

/**
 * One buffer argument of a collective call, as the program gave it. An operation in shared memory copies from and to
 * its {@link #payload}; one that goes by messages works on its {@link #packed} elements, which are made only then.
 */
public interface CollectiveBuffer {
    /** The program's buffer itself: equal parts of all ranks, or one part; null if the parts may be unequal. */
    Payload payload();

    /**
     * The elements of all parts, as the direct buffer that schedules work on, from position to limit in native order.
     * Its content is unspecified before {@link #pack}, unless it is the program's own memory.
     */
    ByteBuffer packed();

    /** Where in {@link #packed} the parts of the ranks lie. */
    Blocks blocks();

    /** Makes {@link #packed} hold what the program's buffer holds. */
    void pack();

    /** How many bytes of {@link #packed} are to be brought to the program's buffer; 0 if they are there already. */
    default int bytesToUnpack() {
        throw new UnsupportedOperationException(getClass() + " is for blocking calls");
    }

    /**
     * Brings a piece of {@link #packed} to the program's buffer: whole elements, at least one.
     *
     * @param from the byte of {@link #packed} at which the piece begins
     * @param mostBytes about the length of the piece
     * @return the byte at which the next piece begins
     */
    default int unpackPiece(int from, int mostBytes) {
        throw new UnsupportedOperationException(getClass() + " is for blocking calls");
    }

    /** Lets go of the memory that this argument needs only during an operation, after one that succeeded. */
    default void release() {}

    /** Forgets the program's buffer after a started operation that failed. No call uses this object again. */
    default void forget() {}

    /** Makes {@link #packed} hold the part of one rank only, as it is in the program's buffer. */
    void packPart(int rank);

    /** Brings {@link #packed} to the program's buffer. */
    void unpack();

    /**
     * Makes {@link #packed} hold the same elements as another argument of equal length, which may be this object
     * itself.
     */
    default void packFrom(CollectiveBuffer other) {
        if (other == this) {
            pack();
        } else {
            ByteBuffer target = packed();
            int start = target.position();
            other.payload().copyOut(0, target);
            target.position(start);
        }
    }
}
