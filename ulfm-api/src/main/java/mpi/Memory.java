package mpi;

import java.nio.Buffer;
import java.nio.ByteBuffer;

/**
 * An array or buffer of the program, as memory that is addressed by bytes. Copying to or from another buffer moves the
 * position of that other buffer, whose byte order does not count.
 */
abstract class Memory {
    /**
     * Returns the memory of an array or of a whole buffer. It stays the same memory if the program then moves the
     * buffer's position.
     */
    static Memory of(Object buffer, Elements elements) {
        if (buffer instanceof ByteBuffer bytes) {
            return new RawMemory(bytes);
        }
        return new ElementMemory(
                elements, buffer instanceof Buffer nio ? nio.duplicate().clear() : buffer);
    }

    /** Copies {@code length} bytes from byte {@code at} of this memory on to the position of {@code target}. */
    abstract void copyOut(long at, int length, ByteBuffer target);

    /**
     * Copies {@code length} bytes from the position of {@code source} to byte {@code at} of this memory and the bytes
     * after it.
     */
    abstract void copyIn(long at, int length, ByteBuffer source);

    /**
     * Copies whole blocks of {@code length} bytes, each {@code stride} bytes behind the one before in this memory, to
     * the position of a target.
     */
    abstract void copyOutBlocks(long at, int length, long stride, int count, ByteBuffer target);

    /**
     * Copies whole blocks of {@code length} bytes from the position of a source into this memory, each {@code stride}
     * bytes behind the one before.
     */
    abstract void copyInBlocks(long at, int length, long stride, int count, ByteBuffer source);
}
