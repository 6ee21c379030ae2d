package org.ulfmj.transport.auth;

import java.nio.charset.StandardCharsets;

/** What a proven acceptor answered. */
public record HandshakeAnswer(Verdict verdict, byte[] body) {
    public boolean isAccepted() {
        return verdict == Verdict.ACCEPTED;
    }

    /** The body as a text, for {@link Verdict#OTHER_VERSION} and {@link Verdict#OTHER_OPTIONS}. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }
}
