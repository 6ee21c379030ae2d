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
     * Copies bytes of the message, from number {@code skip} on, from memory to {@code target} until that is full or the
     * message ends. The target may be full inside a block.
     */
    abstract void copyOut(Memory from, long at, long skip, ByteBuffer target);

    /**
     * Copies bytes from {@code source} to the places in memory that hold the bytes of the message from number
     * {@code skip} on. The source may end inside a block.
     */
    abstract void copyIn(Memory into, long at, long skip, ByteBuffer source);

    /** Returns the shape of {@code count} shapes like this one, each {@code stride} bytes behind the one before. */
    final Shape repeated(long count, long stride) {
        if (count == 0 || sizeBytes == 0) {
            return EMPTY;
        }
        return count == 1 ? this : repeatedTwice(count, stride);
    }

    /** Does {@link #repeated} for a count of at least two and a shape that is not empty. */
    Shape repeatedTwice(long count, long stride) {
        return new Repetition(this, count, stride);
    }
}
