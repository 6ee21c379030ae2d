package org.ulfmj.benchmarks.program;

import java.io.IOException;
import mpi.MPI;
import mpi.MPIException;

/**
 * The smallest MPI program. With the argument {@code memory} each rank prints its resident memory at the end, with
 * {@code threads} the processor time of its threads.
 */
public final class Hello {
    private Hello() {}

    public static void main(String[] args) throws MPIException, IOException {
        String wanted = args.length > 0 ? args[0] : "";
        long beforeNs = wanted.equals("threads") ? Used.ns() : 0;
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        if (rank == 0) {
            System.out.println("hello from " + MPI.COMM_WORLD.getSize());
        }
        MPI.Finalize();
        if (wanted.equals("memory")) {
            Resident.print();
        } else if (wanted.equals("threads")) {
            Used.print(beforeNs);
        }
    }
}
