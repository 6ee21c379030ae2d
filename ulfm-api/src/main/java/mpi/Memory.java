package mpi;

import java.nio.Buffer;
import java.nio.ByteBuffer;

/**
 * An array or buffer of the program, as memory that is addressed by bytes. Reading and writing moves the position of
 * the other buffer, whose byte order does not count.
 */
abstract class Memory {
    /** Returns the memory of an array or buffer, which goes on to mean the same if the program moves its position. */
    static Memory of(Object buffer, Elements elements) {
        if (buffer instanceof ByteBuffer bytes) {
            return new RawMemory(bytes);
        }
        return new ElementMemory(
                elements, buffer instanceof Buffer nio ? nio.duplicate().clear() : buffer);
    }

    /** Appends {@code length} bytes from byte {@code at} on to {@code target}. */
    abstract void copyOut(long at, int length, ByteBuffer target);

    /** Takes {@code length} bytes from {@code source} to byte {@code at} on. */
    abstract void copyIn(long at, int length, ByteBuffer source);

    /** Appends whole blocks of {@code length} bytes, each {@code stride} bytes behind the one before. */
    abstract void copyOutBlocks(long at, int length, long stride, int count, ByteBuffer target);

    /** Takes whole blocks of {@code length} bytes, each to {@code stride} bytes behind the one before. */
    abstract void copyInBlocks(long at, int length, long stride, int count, ByteBuffer source);
}
