package org.ulfmj.runtime;

/** What a probe saw, for tests that compare it. */
record Envelope(int source, int tag, long lengthBytes) {
    private static Envelope of(Arrival found) {
        return new Envelope(found.source(), found.tag(), found.lengthBytes());
    }

    static Envelope probe(Communicator communicator, int source, int tag) {
        Arrival found = new Arrival();
        communicator.probe(source, tag, found);
        return of(found);
    }

    /** Returns what a look for a message finds now; null if there is none. */
    static Envelope tryProbe(Communicator communicator, int source, int tag) {
        Arrival found = new Arrival();
        return communicator.tryProbe(source, tag, found) ? of(found) : null;
    }
}
