package org.ulfmj.launch;

import java.util.concurrent.locks.LockSupport;
import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;

/**
 * An MPI program: rank 0 sends a message to rank 1 and waits for a late answer, then rank 2 is killed in a barrier, and
 * the others revoke and shrink.
 */
final class Awaited {
    private static final int TAG = 7;
    private static final long LATE_NS = 500_000_000;

    private Awaited() {}

    public static void main(String[] args) {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        int[] message = new int[1];
        if (rank == 1) {
            MPI.COMM_WORLD.recv(message, 1, MPI.INT, 0, TAG);
            LockSupport.parkNanos(LATE_NS);
            MPI.COMM_WORLD.send(message, 1, MPI.INT, 0, TAG);
        } else if (rank == 0) {
            MPI.COMM_WORLD.send(message, 1, MPI.INT, 1, TAG);
            MPI.COMM_WORLD.recv(message, 1, MPI.INT, 1, TAG);
        }
        try {
            MPI.COMM_WORLD.barrier();
            // A rank that is still in the first barrier when rank 2 dies in the second one may fail in the first.
            MPI.COMM_WORLD.barrier();
        } catch (MPIException e) {
            MPI.COMM_WORLD.revoke();
            Comm left = MPI.COMM_WORLD.shrink();
            System.out.println("rank " + rank + ": " + left.getSize() + " left");
        }
        MPI.Finalize();
    }
}
