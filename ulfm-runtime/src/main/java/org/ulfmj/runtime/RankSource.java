package org.ulfmj.runtime;

/**
 * Gives {@code MPI.Init} the rank of the process: joins the job that the environment describes, or makes a job with one
 * rank if the environment describes none.
 *
 * <p>Implemented by the public class {@value #PROCESS} with a public constructor of no arguments, which is loaded by
 * name, since worlds of threads never need it.
 */
public interface RankSource {
    /** The implementation for ranks that are processes. */
    String PROCESS = "org.ulfmj.runtime.process.RankBootstrap";

    /**
     * Joins the job, and returns when all ranks with which the job begins have joined; at a newcomer, when it is
     * admitted.
     *
     * @throws IllegalStateException if that failed; the message says what was tried and why it failed
     */
    RankBinding join();
}
