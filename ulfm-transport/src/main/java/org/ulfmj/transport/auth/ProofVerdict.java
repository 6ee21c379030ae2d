package org.ulfmj.transport.auth;

/** How an acceptor that has proved itself answers. */
public enum ProofVerdict {
    ACCEPTED,
    /** For a reason of the purpose's own, which the body tells. */
    REFUSED,
    /** The two speak different versions of the protocol; the body is a text. */
    OTHER_VERSION,
    /** The two were started with different options; the body is a text. */
    OTHER_OPTIONS;

    private static final ProofVerdict[] VALUES = values();

    static ProofVerdict ofWire(int number) {
        return number < VALUES.length ? VALUES[number] : null;
    }
}
