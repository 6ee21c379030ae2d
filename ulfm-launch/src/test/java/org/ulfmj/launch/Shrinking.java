package org.ulfmj.launch;

import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;

/**
 * An MPI program of three ranks in which rank 1 ends as soon as it has got a message from each other rank. The others
 * revoke the world, shrink it and finish.
 */
final class Shrinking {
    private Shrinking() {}

    public static void main(String[] arguments) {
        MPI.Init(arguments);
        if (MPI.COMM_WORLD.getRank() == 1) {
            MPI.COMM_WORLD.recv(new byte[1], 1, MPI.BYTE, 0, 0);
            MPI.COMM_WORLD.recv(new byte[1], 1, MPI.BYTE, 2, 0);
            Runtime.getRuntime().halt(9);
        }
        try {
            MPI.COMM_WORLD.send(new byte[1], 1, MPI.BYTE, 1, 0);
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
