package org.ulfmj.transport.auth;

/**
 * The other end does not know the job's secret, or says something that is no handshake. The one right answer is to
 * close the connection and to tell it nothing.
 */
public final class HandshakeException extends Exception {
    private static final long serialVersionUID = 1L;

    HandshakeException(String message) {
        // No stack trace: a stranger must not be able to make us work.
        super(message, null, false, false);
    }
}
