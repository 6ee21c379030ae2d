package org.ulfmj.transport.auth;

import java.util.Arrays;

/**
 * The two keys of a connection that carries encrypted records: one per direction, so that a record is never taken for
 * one of the other direction.
 *
 * @param sending {@link #LENGTH_BYTES} bytes, for what this end sends
 * @param receiving {@link #LENGTH_BYTES} bytes, for what this end receives
 */
public record RecordKeys(byte[] sending, byte[] receiving) {
    public static final int LENGTH_BYTES = 16;

    static RecordKeys of(byte[] sendingCode, byte[] receivingCode) {
        return new RecordKeys(Arrays.copyOf(sendingCode, LENGTH_BYTES), Arrays.copyOf(receivingCode, LENGTH_BYTES));
    }

    /** A text without the keys. */
    @Override
    public String toString() {
        return "record keys";
    }
}
