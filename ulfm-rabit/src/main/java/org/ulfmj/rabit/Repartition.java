package org.ulfmj.rabit;

/**
 * What a program does when the job goes on with fewer ranks because no process can be started for a failed one
 * ({@code ulfm.replace.policy=shrink}): the lost ranks' share of the input has to be dealt out anew. Called by the
 * program's thread at every rank that is left, inside the call that noticed the failure. Must not call {@link Rabit},
 * except for its queries.
 */
@FunctionalInterface
public interface Repartition {
    /**
     * @param oldRank number of this rank before
     * @param newRank number of this rank from now on
     * @param newSize number of ranks from now on
     */
    void repartition(int oldRank, int newRank, int newSize);
}
