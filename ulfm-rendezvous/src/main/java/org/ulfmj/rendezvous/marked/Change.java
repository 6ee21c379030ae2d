package org.ulfmj.rendezvous.marked;

/**
 * A change of one key, as a part of a transaction. The object may remember what the key was found to hold, so it serves
 * one call only.
 */
public interface Change {
    /** The key that is changed, and that is read if the transaction fails. */
    byte[] key();

    /**
     * Adds comparisons and writes to a transaction.
     *
     * @return the result that the client's marker keeps: the sum of an addition; else 0
     */
    long addTo(Txn txn);

    /**
     * Learns what the key holds, after a comparison failed.
     *
     * @param present what the key holds; null for nothing
     * @return whether the change is to be tried again from there
     */
    boolean isToTryAgain(Entry present);
}
