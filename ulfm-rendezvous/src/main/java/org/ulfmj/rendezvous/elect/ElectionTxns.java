package org.ulfmj.rendezvous.elect;

import org.ulfmj.rendezvous.marked.Txn;

/**
 * C3, C4: the transactions of an election, each with the comparisons that make it safe when it comes late or twice. The
 * writes of a coordinator compare its term, which is the revision in which the key of its office was created.
 */
record ElectionTxns(ElectionKeys keys) {
    /** A revision that no key has: the comparison always fails, so that the transaction only reads. */
    private static final long NEVER = -1;

    private static final byte[] NO_ADDRESS = {};

    /** Reads which process has the office, and whether a launcher wants it. */
    Txn look() {
        return new Txn().ifCreated(keys.office(), NEVER).elseGet(keys.office()).elseGet(keys.wanted());
    }

    /** Takes the office if no process has it and, unless {@code isPreferred}, if no launcher wants it. */
    Txn campaign(long lease, boolean isPreferred) {
        Txn txn = new Txn().ifCreated(keys.office(), 0);
        if (!isPreferred) {
            txn.ifCreated(keys.wanted(), 0);
        }
        return txn.thenPut(keys.office(), NO_ADDRESS, lease).elseGet(keys.office());
    }

    Txn want(long lease) {
        return new Txn().ifCreated(keys.wanted(), 0).thenPut(keys.wanted(), NO_ADDRESS, lease);
    }

    /** Reads which process has the office, and the state. */
    Txn read() {
        return new Txn().ifCreated(keys.office(), NEVER).elseGet(keys.office()).elseGet(keys.state());
    }

    private Txn inTerm(long term) {
        return new Txn().ifCreated(keys.office(), term);
    }

    Txn announce(long term, byte[] address, long lease) {
        return inTerm(term).thenPut(keys.office(), address, lease).elseGet(keys.office());
    }

    /**
     * Writes the state, if this coordinator is in office and the last write of the state is that of {@code modified}.
     *
     * @param modified the revision of the last write of the state that this coordinator knows; 0 if there was none
     */
    Txn write(long term, long modified, byte[] image) {
        return inTerm(term)
                .ifModified(keys.state(), modified)
                .thenPut(keys.state(), image, 0)
                .elseGet(keys.office())
                .elseGet(keys.state());
    }

    /** Deletes all keys of the election, if this coordinator is in office. */
    Txn end(long term) {
        return inTerm(term)
                .thenDelete(keys.state())
                .thenDelete(keys.wanted())
                .thenDelete(keys.place())
                .thenDelete(keys.office())
                .elseGet(keys.office())
                .elseGet(keys.state());
    }
}
