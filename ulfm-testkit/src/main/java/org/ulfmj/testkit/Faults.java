package org.ulfmj.testkit;

/** Faults that a program under test makes itself, at a moment of its choice, in the {@link LocalWorld} it runs in. */
public final class Faults {
    private Faults() {}

    /** Kills the calling rank, as {@code kill -9} would; never returns. */
    public static void die() {
        LocalRank self = LocalJob.currentRank();
        kill(self.slot());
        throw new RankKilledError("rank " + self.slot() + " killed itself");
    }

    /** Kills a rank of the world, wherever it is; its thread gets an error from its current or next MPI call. */
    public static void kill(int rank) {
        LocalRank self = LocalJob.currentRank();
        self.job().die(self.job().rank(rank), new RankOutcome(RankEnd.KILLED, null, "killed by rank " + self.slot()));
    }

    /** The calling rank declares another one failed that may well be alive, as after a long silence. */
    public static void suspect(int rank) {
        LocalRank self = LocalJob.currentRank();
        self.job().suspect(self, self.job().rank(rank).slot());
    }
}
