package org.ulfmj.transport;

import java.nio.ByteBuffer;

/**
 * A message's bytes where the program keeps them (an array, a direct buffer, a strided type): media copy from and to it
 * in pieces, so that nothing is staged twice.
 */
public interface Payload {
    /** Length of the whole message in bytes. */
    long lengthBytes();

    /**
     * The program's object that holds the bytes, if it may be one that was {@linkplain HostMemory#lend lent}; else
     * null.
     */
    default Object holder() {
        return null;
    }

    /** Where in the {@link #holder} the message begins, in bytes. */
    default int holderOffset() {
        return 0;
    }

    /**
     * Direct memory in which the whole message lies in one piece, for a medium that can send from there; null if it
     * lies elsewhere. Its position and limit are the program's and stay as they are.
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
