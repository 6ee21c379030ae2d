package org.ulfmj.testkit;

/**
 * The program of a rank of a {@link LocalWorld} or of a simulated world, as the {@code main} of an MPI program. Each
 * rank runs its program on another thread.
 */
@FunctionalInterface
public interface RankMain {
    /** Runs the program. An exception ends the rank as it would end a process, and the other ranks see a failure. */
    void run() throws Exception;
}
