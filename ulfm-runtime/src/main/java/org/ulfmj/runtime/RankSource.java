package org.ulfmj.runtime;

/**
 * Where {@code MPI.Init} gets the rank of a process from, found by {@link java.util.ServiceLoader}: it joins the job that
 * the environment describes, or makes a job of one where there is none.
 */
public interface RankSource {
    /**
     * Joins and returns when all ranks have.
     *
     * @throws IllegalStateException if that failed; the message says what was tried and why it failed
     */
    RankBinding join();
}
