package mpi;

import java.time.Duration;

/** What a program does before its process is ended from outside: {@link MPI#onPreemption}. */
@FunctionalInterface
public interface PreemptionHandler {
    /**
     * Runs once, on a separate thread, while the rank's other threads go on. When it returns the rank leaves.
     *
     * @param left how long this may take, until the rank leaves all the same
     * @throws Exception if what had to be done cannot be done; its stack is printed, and the rank leaves
     */
    void handle(Duration left) throws Exception;
}
