package org.ulfmj.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ProcFailedException;
import mpi.RevokedException;

/**
 * An MPI program in which rank 1 dies once the first file exists. The other ranks ask for a replacement, go on without
 * it if none comes, and write into the second file which of the two happened.
 */
final class Replacing {
    private static final int VICTIM = 1;
    private static final long PAUSE_NS = 1_000_000;

    private Replacing() {}

    public static void main(String[] args) throws IOException {
        Outliving.endWith(Path.of(args[0]).getParent());
        MPI.Init(args);
        Intracomm world = MPI.COMM_WORLD;
        System.out.println(world.getRank() + " goes on");
        if (world.getRank() == VICTIM) {
            while (!Files.exists(Path.of(args[0]))) {
                LockSupport.parkNanos(PAUSE_NS);
            }
            Runtime.getRuntime().halt(VICTIM);
        }
        try {
            world.barrier();
        } catch (ProcFailedException | RevokedException e) {
            world.revoke();
        }
        Intracomm left = MPI.COMM_WORLD;
        String how = "replaced";
        try {
            world.replace();
        } catch (MPIException e) {
            how = e.getErrorClass() == MPI.ERR_SPAWN ? e.getMessage() : e.toString();
            left = world.shrink();
        }
        int[] one = {1};
        left.allReduce(one, 1, MPI.INT, MPI.SUM);
        MPI.Finalize();
        write(Path.of(args[1]), one[0] + " ranks, " + how);
    }

    private static void write(Path file, String line) throws IOException {
        Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
