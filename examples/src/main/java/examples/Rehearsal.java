package examples;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import mpi.MPI;

/**
 * What the elastic examples are told: how many iterations to make, and before which of them to wait until the job has
 * how many ranks. So a rehearsal does not depend on how fast a machine is.
 */
final class Rehearsal {
    private static final long PAUSE_NS = 1_000_000;

    final int iterations;
    private final SortedMap<Integer, Integer> ranksBefore = new TreeMap<>();
    /** The iteration before which this process waits and has said so; 0 if none. */
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

    /** Says where this process begins or goes on. */
    void tellStart(int rank, int ranks, int iteration) {
        toldBefore = 0;
        if (rank == 0) {
            Print.line("%3d %-6s from iteration %d on", ranks, Survivors.ranks(ranks), iteration);
        }
    }

    /** Whether the job has to wait before this iteration, as it has so many ranks. Pauses if it has to. */
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

    /** Says that this process has come into a job that runs. */
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
