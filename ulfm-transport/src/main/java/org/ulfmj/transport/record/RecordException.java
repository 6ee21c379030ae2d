package org.ulfmj.transport.record;

import java.io.IOException;

/**
 * The bytes that have arrived are no record of the other end of this connection: they were changed, repeated, left out
 * or moved on their way. The connection is to be closed. No byte of the record was handed over.
 */
public final class RecordException extends IOException {
    private static final long serialVersionUID = 1L;

    RecordException(String message) {
        super(message);
    }

    /** No stack trace is filled in: a process between two hosts must not be able to make this process do much work. */
    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
