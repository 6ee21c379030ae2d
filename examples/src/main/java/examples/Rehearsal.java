package examples;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import mpi.MPI;

/**
 * The arguments of the elastic examples: how many iterations to make, and before which iterations to wait until the job
 * has a given number of ranks. So an example run does not depend on how fast a machine is.
 */
final class Rehearsal {
    private static final long PAUSE_NS = 1_000_000;

    final int iterations;
    private final SortedMap<Integer, Integer> ranksBefore = new TreeMap<>();
    /** The iteration before which the job waits and for which this process has printed that; 0 if none. */
    private int toldBefore;

    /** @param arguments {@code [ITERATIONS [RANKS@ITERATION...]]} */
    Rehearsal(String... arguments) {
        iterations = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 300;
        for (int i = 1; i < arguments.length; i++) {
            String[] place = arguments[i].split("@");
            if (place.length != 2) {
                throw new IllegalArgumentException("'" + arguments[i] + "' must be RANKS@ITERATION, as 4@100");
            }
            ranksBefore.put(Integer.parseInt(place[1]), Integer.parseInt(place[0]));
        }
    }

    /** Prints at rank 0 how many ranks there are, and the iteration from which they begin or go on. */
    void tellStart(int rank, int ranks, int iteration) {
        toldBefore = 0;
        if (rank == 0) {
            Print.line("%3d %-6s from iteration %d on", ranks, Survivors.ranks(ranks), iteration);
        }
    }

    /**
     * Whether the job has to wait before this iteration, because it does not have the planned number of ranks. If so,
     * prints that at rank 0 if it has not yet, and pauses for a moment before it returns.
     */
    boolean waitsBefore(int iteration, int rank, int ranks) {
        int awaited = ranksBefore.getOrDefault(iteration, ranks);
        if (awaited == ranks) {
            return false;
        }
        if (rank == 0 && toldBefore != iteration) {
            toldBefore = iteration;
            Print.line("%3d %-6s wait before iteration %d to be %d", ranks, Survivors.ranks(ranks), iteration, awaited);
        }
        LockSupport.parkNanos(PAUSE_NS);
        return true;
    }

    /** Prints, if this process is a newcomer, that it has come into a running job. */
    static void tellNewcomer() {
        if (MPI.isNewcomer()) {
            Print.line(
                    "  rank %d   comes in, pid %d",
                    MPI.COMM_WORLD.getRank(), ProcessHandle.current().pid());
        }
    }

    /** Says what was learnt. */
    void report(SoftmaxModel model, int ranks) {
        int recognised = model.countRecognised(DigitImages.test());
        Print.line(
                "finished   %d iterations on %d %s, test accuracy %.1f %%, checksum %08x",
                iterations,
                ranks,
                Survivors.ranks(ranks),
                100.0 * recognised / DigitImages.TEST_COUNT,
                model.checksum());
    }
}
