package org.ulfmj.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * An MPI program in which rank 2 stops itself for good; the others go on without it, or, with {@code replace}, with a
 * replacement. With {@code wait FILE} no rank stops, and all wait for that file. Each line that another rank prints
 * later tells how many milliseconds have passed since that rank left the barrier before the stop.
 */
final class SilentForGood {
    private SilentForGood() {}

    public static void main(String[] arguments) throws IOException {
        boolean doesReplace = arguments[0].equals("replace");
        MPI.Init(arguments);
        Intracomm world = MPI.COMM_WORLD;
        int rank = world.getRank();
        if (MPI.isReplacement()) {
            world.barrier();
            MPI.Finalize();
            return;
        }
        world.barrier();
        if (arguments[0].equals("wait")) {
            await(world, Path.of(arguments[1]));
            MPI.Finalize();
            return;
        }
        long stopNs = System.nanoTime();
        if (rank == 2) {
            System.out.println("2 stops");
            new ProcessBuilder(
                            "kill",
                            "-s",
                            "STOP",
                            Long.toString(ProcessHandle.current().pid()))
                    .start();
            while (true) {
                LockSupport.park();
            }
        }
        try {
            world.barrier();
            throw new IllegalStateException("a barrier without rank 2");
        } catch (MPIException failed) {
            tell(rank, "knows", stopNs);
        }
        Intracomm next = doesReplace ? world.replace() : world.shrink();
        tell(rank, "goes on with " + next.getSize(), stopNs);
        next.barrier();
        MPI.Finalize();
        tell(rank, "finalized", stopNs);
    }

    private static void await(Intracomm world, Path file) {
        int[] isThere = {0};
        System.out.println(world.getRank() + " waits");
        while (isThere[0] == 0) {
            if (world.getRank() == 0 && Files.exists(file)) {
                isThere[0] = 1;
            }
            world.bcast(isThere, 1, MPI.INT, 0);
        }
    }

    private static void tell(int rank, String what, long sinceNs) {
        System.out.println(rank + " " + what + " after " + (System.nanoTime() - sinceNs) / 1_000_000 + " ms");
    }
}
