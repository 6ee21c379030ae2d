package org.ulfmj.rabit;

/**
 * What a program does when the job goes on with other ranks: without a failed one whose place no process takes
 * ({@code ulfm.replace.policy=shrink}, or an elastic job), or with processes that have joined an elastic job. The input
 * has to be dealt out anew. Called by the program's thread at every rank that was there before, inside the call in
 * which the rank recovers. Must not call {@link Rabit}, except for its queries.
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
