package org.ulfmj.transport.auth;

/** Two ends of a handshake with fixed nonces, so that each message always has the same bytes. */
final class HandshakePair {
    private static final byte[] BODY = {1, 2, 3, 4, 5};

    private final Handshake shared = new Handshake(JobSecret.of(new byte[JobSecret.LENGTH_BYTES]), Purpose.LINK, 42);

    AcceptorHandshake acceptor() {
        return shared.accept(new byte[Handshake.NONCE_BYTES]);
    }

    DialerHandshake dialer() {
        return shared.dial(new byte[Handshake.NONCE_BYTES]);
    }

    byte[] challenge() {
        return acceptor().challenge();
    }

    byte[] hello() {
        try {
            return dialer().hello(challenge(), BODY);
        } catch (HandshakeException e) {
            throw new IllegalStateException(e);
        }
    }

    byte[] answer() {
        AcceptorHandshake acceptor = acceptor();
        try {
            acceptor.read(hello());
        } catch (HandshakeException e) {
            throw new IllegalStateException(e);
        }
        return acceptor.accept(BODY);
    }
}
