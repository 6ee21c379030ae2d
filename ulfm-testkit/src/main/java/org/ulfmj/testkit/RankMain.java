package org.ulfmj.testkit;

/**
 * The program of every rank of a {@link LocalWorld}, as the {@code main} of an MPI program. Each rank runs it on
 * another thread.
 */
@FunctionalInterface
public interface RankMain {
    /** Runs the program. An exception ends the rank as it would end a process, and the other ranks see a failure. */
    void run() throws Exception;
}
