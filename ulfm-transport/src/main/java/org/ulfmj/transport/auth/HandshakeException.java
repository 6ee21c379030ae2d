package org.ulfmj.transport.auth;

/**
 * The other end of a connection does not know the job's secret, or sent bytes that are no valid message of a handshake.
 * The connection is to be closed without an answer.
 */
public final class HandshakeException extends Exception {
    private static final long serialVersionUID = 1L;

    HandshakeException(String message) {
        // No stack trace: an unknown process must not be able to make this process do much work.
        super(message, null, false, false);
    }
}
