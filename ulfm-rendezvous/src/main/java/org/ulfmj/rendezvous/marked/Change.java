package org.ulfmj.rendezvous.marked;

/** A change of one key, as a part of a transaction. It remembers what it has learnt, so one object serves one call. */
public interface Change {
    /** The key that is changed, and read if the transaction does not succeed. */
    byte[] key();

    /**
     * Adds comparisons and writes to a transaction.
     *
     * @return the answer that the marker keeps: the sum, for an addition; else 0
     */
    long addTo(Txn txn);

    /**
     * Learns what the key holds instead of what was compared.
     *
     * @param present null for nothing
     * @return whether the change is to be tried again with that
     */
    boolean isToTryAgain(Entry present);
}
