package org.ulfmj.testkit;

/** What every rank of a {@link LocalWorld} runs, on its own thread: the {@code main} of an MPI program. */
@FunctionalInterface
public interface RankMain {
    /** An exception ends the rank as it would end a process, and the others see a failure. */
    void run() throws Exception;
}
