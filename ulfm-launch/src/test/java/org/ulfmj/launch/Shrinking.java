package org.ulfmj.launch;

import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;

/** Rank 1 ends, and the others revoke the world, shrink it and finish. */
final class Shrinking {
    private Shrinking() {}

    public static void main(String[] arguments) {
        MPI.Init(arguments);
        MPI.COMM_WORLD.barrier();
        if (MPI.COMM_WORLD.getRank() == 1) {
            Runtime.getRuntime().halt(9);
        }
        try {
            while (true) {
                MPI.COMM_WORLD.barrier();
            }
        } catch (MPIException failed) {
            MPI.COMM_WORLD.revoke();
        }
        Comm rest = MPI.COMM_WORLD.shrink();
        rest.free();
        MPI.Finalize();
    }
}
