package org.ulfmj.transport.auth;

/** The verdict of an acceptor on a dialer that has proved that it knows the secret. */
public enum ProofVerdict {
    ACCEPTED,
    /** Refused for a reason that depends on the purpose of the connection; the body may tell the reason. */
    REFUSED,
    /** Acceptor and dialer use different versions of the protocol; the body is a text. */
    OTHER_VERSION,
    /** Acceptor and dialer were started with different options; the body is a text. */
    OTHER_OPTIONS,
    /** The acceptor demands encrypted records and the dialer offers none; the body is a text. */
    NO_RECORDS;

    private static final ProofVerdict[] VALUES = values();

    static ProofVerdict ofWire(int number) {
        return number < VALUES.length ? VALUES[number] : null;
    }
}
