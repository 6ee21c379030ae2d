package org.ulfmj.transport;

import java.nio.ByteBuffer;

/**
 * A message's bytes where the program keeps them (an array, a direct buffer, a strided type): media copy from and to it
 * in pieces, so that nothing is staged twice.
 */
public interface Payload {
    /** Length of the whole message in bytes. */
    long lengthBytes();

    /** Copies {@code target.remaining()} bytes from {@code offset} on into {@code target} and moves its position. */
    void copyOut(long offset, ByteBuffer target);

    /** Copies all remaining bytes of {@code source} to {@code offset} and moves the position of {@code source}. */
    void copyIn(long offset, ByteBuffer source);
}
