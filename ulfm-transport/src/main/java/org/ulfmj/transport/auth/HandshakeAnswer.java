package org.ulfmj.transport.auth;

import java.nio.charset.StandardCharsets;

/** The answer of an acceptor whose proof was checked. */
public record HandshakeAnswer(ProofVerdict verdict, byte[] body) {
    public boolean isAccepted() {
        return verdict == ProofVerdict.ACCEPTED;
    }

    /** The body as a text, for the verdicts whose body is a text. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }
}
