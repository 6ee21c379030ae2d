package org.ulfmj.launch;

import java.util.concurrent.locks.LockSupport;
import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;

/** Rank 1 ends as soon as it has heard from the others, which revoke the world, shrink it and finish. */
final class Shrinking {
    private static final long PAUSE_NS = 1_000_000;

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
        awaitLines();
    }

    /** Waits until the library's thread has written what it tells of events; a process that ends would not. */
    private static void awaitLines() {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            while (thread.getName().equals("ulfm-told-events") && thread.getState() != Thread.State.WAITING) {
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
    }
}
