package org.ulfmj.launch;

import java.io.IOException;
import mpi.MPI;

/**
 * An MPI program whose processes are hard to end: rank 1 has a child in a separate session, rank 2 stops itself, and
 * all others, with rank 1, call barrier for ever. Rank 0 prints a line once rank 1 has its child.
 */
final class Lingerer {
    private Lingerer() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.getRank();
        if (rank == 1) {
            new ProcessBuilder("setsid", "sleep", "600").start();
        }
        MPI.COMM_WORLD.barrier();
        if (rank == 0) {
            System.out.println("running");
        }
        if (rank == 2) {
            String self = Long.toString(ProcessHandle.current().pid());
            new ProcessBuilder("kill", "-s", "STOP", self).start().waitFor();
        }
        while (true) {
            MPI.COMM_WORLD.barrier();
        }
    }
}
