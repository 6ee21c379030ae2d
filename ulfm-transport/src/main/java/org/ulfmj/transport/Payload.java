package org.ulfmj.transport;

import java.nio.ByteBuffer;

/**
 * The bytes of a message where the program keeps them: an array, a direct buffer, a strided type. Media copy out of and
 * into a payload in pieces, so no copy of the whole message is needed in between.
 */
public interface Payload {
    /** Length of the whole message in bytes. */
    long lengthBytes();

    /**
     * The program's object, an array or a buffer, that holds the bytes; null if the object cannot be memory that was
     * {@linkplain HostMemory#lend lent}.
     */
    default Object holder() {
        return null;
    }

    /** Where in the {@link #holder} the message begins, in bytes. */
    default int holderOffset() {
        return 0;
    }

    /**
     * The direct memory in which the whole message lies in one piece, for a medium that can send from there or read
     * into it; null if the message does not lie in such memory. Position and limit of the buffer belong to the program
     * and must not be changed.
     */
    default ByteBuffer memory() {
        return null;
    }

    /** Where in the {@link #memory} the message begins. */
    default int memoryOffset() {
        return 0;
    }

    /** Copies {@code target.remaining()} bytes from {@code offset} on into {@code target} and moves its position. */
    void copyOut(long offset, ByteBuffer target);

    /** Copies all remaining bytes of {@code source} to {@code offset} and moves the position of {@code source}. */
    void copyIn(long offset, ByteBuffer source);
}
