package org.ulfmj.rabit;

import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListSet;
import mpi.MPI;
import org.ulfmj.testkit.sim.Seeds;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * A wrong program in simulated time: at some version one rank makes a checkpoint while the others make an operation, or
 * the other way round. All ranks must get a {@link DesyncException}. Public, since the world of a mutant calls it.
 */
public final class MeetingStory {
    private static final int RANKS = 3;
    private static final int MOST_VERSIONS = 4;
    private static final int MOST_LOOKS = 10_000;

    private final int wrongVersion;
    private final int oddRank;
    private final boolean oddCommits;
    private final Set<Integer> told = new ConcurrentSkipListSet<>();

    private MeetingStory(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        wrongVersion = random.nextInt(MOST_VERSIONS);
        oddRank = random.nextInt(RANKS);
        oddCommits = random.nextBoolean();
    }

    /**
     * Runs jobs with the seeds of a range, and stops soon after ten have failed. Returns what was wrong with one that
     * failed, or an empty text if none did.
     */
    public static String run(Long first, Long last) {
        MeetingStory[] story = new MeetingStory[1];
        Seeds seeds = SimWorld.of(RANKS)
                .runSeeds(
                        first,
                        last,
                        1,
                        seed -> {
                            story[0] = new MeetingStory(seed);
                            return story[0]::main;
                        },
                        result -> story[0].requireAllTold());
        return seeds.failures().isEmpty()
                ? ""
                : "seed " + seeds.failures().get(0).seed() + ": "
                        + seeds.failures().get(0).thrown();
    }

    private void requireAllTold() {
        if (told.size() < RANKS) {
            throw new AssertionError("only ranks " + told + " were told that they are in different calls");
        }
    }

    private void main() {
        Rabit.init();
        Rabit.loadCheckpoint();
        int rank = Rabit.rank();
        try {
            for (int version = 0; version <= wrongVersion; version++) {
                Rabit.allreduce(new int[1], MPI.SUM);
                if (version < wrongVersion || (rank == oddRank) == oddCommits) {
                    Rabit.checkpoint(new byte[1]);
                } else {
                    Rabit.allreduce(new int[1], MPI.SUM);
                }
            }
        } catch (DesyncException wrongProgram) {
            told.add(rank);
            // A rank that ends now ends the job, so each looks for messages until all others were told, or long enough.
            for (int looks = 0; looks < MOST_LOOKS && told.size() < RANKS; looks++) {
                MPI.COMM_WORLD.iProbe(MPI.ANY_SOURCE, 0);
            }
        }
    }
}
