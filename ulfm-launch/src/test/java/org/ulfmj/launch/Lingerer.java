package org.ulfmj.launch;

import java.io.IOException;
import mpi.MPI;

/**
 * An MPI program that is hard to get rid of: rank 1 has a child in a separate session, rank 2 is stopped, the others
 * call barrier until the end of time. Rank 0 prints a line once all of them are in these states.
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
