package mpi;

import java.nio.ByteBuffer;

/**
 * Which bytes of memory an item of a datatype takes, in the order in which a message has them. Places are in bytes from
 * the item's origin. A regular shape takes the same small space however many blocks it has. Immutable.
 */
abstract class Shape {
    static final Shape EMPTY = new Run(0, 0);

    /** Bytes in a message. */
    final long sizeBytes;

    Shape(long sizeBytes) {
        this.sizeBytes = sizeBytes;
    }

    /** Returns this shape, moved by a number of bytes. */
    abstract Shape movedBy(long bytes);

    /**
     * Appends the bytes from number {@code skip} of the message on to {@code target}, which may end anywhere, also
     * inside a block.
     */
    abstract void copyOut(Memory from, long at, long skip, ByteBuffer target);

    /** Takes the bytes from number {@code skip} of the message on from {@code source}, which may end anywhere. */
    abstract void copyIn(Memory into, long at, long skip, ByteBuffer source);

    /** Returns the shape of {@code count} shapes like this one, each {@code stride} bytes behind the one before. */
    final Shape repeated(long count, long stride) {
        if (count == 0 || sizeBytes == 0) {
            return EMPTY;
        }
        return count == 1 ? this : repeatedTwice(count, stride);
    }

    /** {@link #repeated} for two times and more of a shape that is not empty. */
    Shape repeatedTwice(long count, long stride) {
        return new Repetition(this, count, stride);
    }
}
