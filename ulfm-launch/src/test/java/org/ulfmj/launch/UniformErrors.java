package org.ulfmj.launch;

import mpi.Info;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * Makes allReduces on a communicator with uniform errors, after its duplicate was made from one with such errors, until
 * an operation fails; prints in which round, and with what.
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
