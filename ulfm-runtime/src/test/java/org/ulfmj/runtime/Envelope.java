package org.ulfmj.runtime;

/** The result of a probe, as a value that tests can compare. */
record Envelope(int source, int tag, long lengthBytes) {
    private static Envelope of(Arrival found) {
        return new Envelope(found.source(), found.tag(), found.lengthBytes());
    }

    static Envelope probe(Communicator communicator, int source, int tag) {
        Arrival found = new Arrival();
        communicator.probe(source, tag, found);
        return of(found);
    }

    /** Returns what a non-blocking probe finds now; null if there is no message. */
    static Envelope tryProbe(Communicator communicator, int source, int tag) {
        Arrival found = new Arrival();
        return communicator.tryProbe(source, tag, found) ? of(found) : null;
    }
}
