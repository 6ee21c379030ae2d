package org.ulfmj.benchmarks.program;

import java.io.IOException;
import mpi.MPI;
import mpi.MPIException;

/** The least that an MPI program does; with the argument {@code memory} each rank prints its resident memory at the end. */
public final class Hello {
    private Hello() {}

    public static void main(String[] args) throws MPIException, IOException {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        if (rank == 0) {
            System.out.println("hello from " + MPI.COMM_WORLD.getSize());
        }
        MPI.Finalize();
        if (args.length > 0 && args[0].equals("memory")) {
            Resident.print();
        }
    }
}
