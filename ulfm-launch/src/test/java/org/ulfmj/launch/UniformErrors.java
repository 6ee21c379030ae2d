package org.ulfmj.launch;

import mpi.Info;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * An MPI program that asks for uniform errors on COMM_WORLD, duplicates it, and calls allReduce on the duplicate until
 * an operation fails; it prints in which round, and with which error class. The duplication is round 0.
 */
final class UniformErrors {
    private UniformErrors() {}

    public static void main(String[] arguments) {
        MPI.Init(arguments);
        Info info = new Info();
        info.set("mpi_error_uniform", "coll");
        Intracomm comm = null;
        int round = -1;
        int met = MPI.SUCCESS;
        int[] sum = new int[1];
        while (met == MPI.SUCCESS) {
            try {
                round++;
                if (comm == null) {
                    MPI.COMM_WORLD.setInfo(info);
                    comm = MPI.COMM_WORLD.dup();
                } else {
                    sum[0] = 1;
                    comm.allReduce(sum, 1, MPI.INT, MPI.SUM);
                }
            } catch (MPIException e) {
                met = e.getErrorClass();
            }
        }
        System.out.println("round " + round + ": " + met);
        MPI.Finalize();
    }
}
