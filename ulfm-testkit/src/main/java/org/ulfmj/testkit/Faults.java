package org.ulfmj.testkit;

/**
 * Faults that a program under test makes itself, at a moment of its choice, in the world of threads that it runs in.
 */
public final class Faults {
    private Faults() {}

    /** Kills the calling rank, as {@code kill -9} would. Never returns. */
    public static void die() {
        RunningRank.current().die();
    }

    /**
     * Kills the process that holds a rank of the world now, whatever it is doing. Its thread gets an error from its
     * current or next MPI call.
     */
    public static void kill(int rank) {
        RunningRank.current().kill(rank);
    }

    /**
     * Ends the process that holds a rank of the world now as SIGTERM would: its handler of {@link mpi.MPI#onPreemption}
     * runs, and then the process leaves. Without a handler it is killed. Returns at once. Not in simulated time.
     */
    public static void preempt(int rank) {
        RunningRank.current().preempt(rank);
    }

    /**
     * Ends the launcher of the world: no process is started any more in the place of a dead one, and the ranks are told
     * so. The ranks go on.
     */
    public static void endLauncher() {
        RunningRank.current().endLauncher();
    }

    /** Makes the calling rank declare another rank failed, which may well be alive, as after a long silence. */
    public static void suspect(int rank) {
        RunningRank.current().suspect(rank);
    }
}
