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
 * Every rank adds one to a sum, so the sum is the number of ranks.
 */
public final class HalfKilled {
    private HalfKilled() {}

    public static void main(String[] args) {
        MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        int[] sum = new int[1];
        count(world, sum);
        meet(world);
        if (world.getRank() == 0) {
            Print.line("started    %d ranks", sum[0]);
        }
        MPI.pControl(1, null);
        // A rank that meets a death revokes the communicator. All ranks that are left shrink it and count again.
        Intracomm left = Resilient.run(world, comm -> count(comm, sum));
        if (left.getRank() == 0) {
            Print.line("finished   %d ranks are left", sum[0]);
        }
        MPI.Finalize();
    }

    /**
     * A barrier that is not disturbed by a death after it: rank 0 waits for a message of each other rank, and then
     * sends one to each. In a collective barrier one rank may return before another, and be dead while the other is
     * still in it. The messages have a communicator to themselves, since a rank that has left the barrier may revoke
     * the other communicator before the last rank has left it.
     */
    private static void meet(Intracomm world) {
        Intracomm meeting = world.clone();
        byte[] nothing = {};
        if (meeting.getRank() > 0) {
            meeting.send(nothing, 0, MPI.BYTE, 0, 0);
            meeting.recv(nothing, 0, MPI.BYTE, 0, 0);
            return;
        }
        for (int rank = 1; rank < meeting.getSize(); rank++) {
            meeting.recv(nothing, 0, MPI.BYTE, rank, 0);
        }
        for (int rank = 1; rank < meeting.getSize(); rank++) {
            meeting.send(nothing, 0, MPI.BYTE, rank, 0);
        }
    }

    private static void count(Intracomm comm, int... sum) {
        sum[0] = 1;
        comm.allReduce(sum, 1, MPI.INT, MPI.SUM);
    }
}
