package org.ulfmj.rabit;

/**
 * What a program does when the job goes on with fewer ranks because no rank can be started for a failed one
 * ({@code ulfm.replace.policy=shrink}): the lost ranks' share of the input has to be dealt out anew. Called at every
 * rank that is left, inside of the call that noticed, by the program's thread; must not call {@link Rabit} but for its
 * queries.
 */
@FunctionalInterface
public interface Repartition {
    /**
     * @param oldRank this rank before
     * @param newRank this rank from now on
     * @param newSize ranks from now on
     */
    void repartition(int oldRank, int newRank, int newSize);
}
