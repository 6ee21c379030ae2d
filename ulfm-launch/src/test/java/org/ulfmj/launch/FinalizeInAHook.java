package org.ulfmj.launch;

import mpi.MPI;

/**
 * An MPI program that leaves Finalize to a shutdown hook; one rank gets to the hook by {@code System.exit}, the others
 * by returning from main.
 */
final class FinalizeInAHook {
    private FinalizeInAHook() {}

    public static void main(String[] arguments) {
        MPI.Init(arguments);
        Runtime.getRuntime().addShutdownHook(new Thread(MPI::Finalize));
        MPI.COMM_WORLD.barrier();
        if (MPI.COMM_WORLD.getRank() == 0) {
            System.exit(0);
        }
    }
}
