package examples;

import mpi.MPI;
import mpi.ProcFailedException;
import mpi.RevokedException;

/**
 * Adds up the ranks, round by round, and replaces dead ranks: the retry loop of {@code Resilient} with replace, written
 * out by hand.
 */
final class ReplacedByHand {
    private static final int ROUNDS = 20;

    private static final long[] STATE = new long[2];

    private ReplacedByHand() {}

    public static void main(String[] args) {
        MPI.Init(args);
        boolean comesIn = MPI.isReplacement();
        boolean everywhere = false;
        while (!everywhere) {
            boolean here = false;
            try {
                if (comesIn) {
                    shareState();
                }
                work();
                here = true;
            } catch (ProcFailedException | RevokedException e) {
                MPI.COMM_WORLD.revoke();
            }
            everywhere = isAgreed(here);
            if (!everywhere) {
                MPI.COMM_WORLD.replace();
                comesIn = true;
            }
        }
        if (MPI.COMM_WORLD.getRank() == 0) {
            System.out.println("sum of " + STATE[0] + " rounds on " + MPI.COMM_WORLD.getSize() + " ranks: " + STATE[1]);
        }
        MPI.Finalize();
    }

    private static boolean isAgreed(boolean here) {
        try {
            return MPI.COMM_WORLD.agree(here ? 1 : 0) == 1;
        } catch (ProcFailedException raisedAtAll) {
            return false;
        }
    }

    private static void work() {
        while (STATE[0] < ROUNDS) {
            MPI.pControl((int) STATE[0] + 1, null);
            long[] sum = {MPI.COMM_WORLD.getRank()};
            MPI.COMM_WORLD.allReduce(sum, 1, MPI.LONG, MPI.SUM);
            STATE[0]++;
            STATE[1] += sum[0];
        }
    }

    private static void shareState() {
        long[] furthest = {STATE[0], STATE[1]};
        MPI.COMM_WORLD.allReduce(furthest, 2, MPI.LONG, MPI.MAX);
        STATE[0] = furthest[0];
        STATE[1] = furthest[1];
    }
}
