package org.ulfmj.rendezvous.marked;

import java.util.List;

/**
 * The outcome of a transaction.
 *
 * @param fate whether it was carried out
 * @param revision of the store after the transaction: that of its changes, if it succeeded and made any; 0 if its lease
 *     had ended
 * @param read what {@link Txn#elseGet} found, in order, null for a key that does not exist; empty unless a comparison
 *     failed
 * @param mayHaveRun whether an earlier attempt of the same transaction, which got no answer, may have been carried out
 */
public record TxnAnswer(Fate fate, long revision, List<Entry> read, boolean mayHaveRun) {
    /** Whether a transaction was carried out. */
    public enum Fate {
        SUCCEEDED,
        /** A comparison did not hold. */
        FAILED,
        /** The transaction writes a key with a lease that has ended: nothing was done. */
        NO_LEASE
    }

    public boolean succeeded() {
        return fate == Fate.SUCCEEDED;
    }
}
