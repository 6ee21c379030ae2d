package examples;

import mpi.Intracomm;
import mpi.MPI;
import mpi.Resilient;

/**
 * Half of the ranks are killed at once, and the others go on:
 *
 * <pre>
 *   bin/mpiexec -n 64 --inject 'kill:rank=32-63@iter=1' examples HalfKilled
 * </pre>
 *
 * Every rank adds one to a sum, so the sum says how many there are.
 */
public final class HalfKilled {
    private HalfKilled() {}

    public static void main(String[] args) {
        MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        int[] sum = new int[1];
        count(world, sum);
        if (world.getRank() == 0) {
            Print.line("started    %d ranks", sum[0]);
        }
        MPI.pControl(1, null);
        // Whoever meets a death revokes the communicator; all that are left shrink it and count again.
        Intracomm left = Resilient.run(world, comm -> count(comm, sum));
        if (left.getRank() == 0) {
            Print.line("finished   %d ranks are left", sum[0]);
        }
        MPI.Finalize();
    }

    private static void count(Intracomm comm, int... sum) {
        sum[0] = 1;
        comm.allReduce(sum, 1, MPI.INT, MPI.SUM);
    }
}
