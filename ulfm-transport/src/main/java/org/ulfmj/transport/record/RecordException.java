package org.ulfmj.transport.record;

import java.io.IOException;

/**
 * What has arrived is no record of the other end of this connection: bytes were changed, repeated, left out or moved on
 * their way. The connection is to be closed. Nothing of the record was handed over.
 */
public final class RecordException extends IOException {
    private static final long serialVersionUID = 1L;

    RecordException(String message) {
        super(message);
    }

    /** None: a process between two hosts must not be able to cost this one much work. */
    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
