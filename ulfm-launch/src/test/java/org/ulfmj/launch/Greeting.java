package org.ulfmj.launch;

import mpi.MPI;

/** An MPI program that prints its argument, its rank and the number of ranks, which it counts by allReduce. */
final class Greeting {
    private Greeting() {}

    public static void main(String[] arguments) {
        MPI.Init(arguments);
        int[] count = {1};
        MPI.COMM_WORLD.allReduce(count, 1, MPI.INT, MPI.SUM);
        System.out.println(arguments[0] + " " + MPI.COMM_WORLD.getRank() + "/" + count[0]);
        MPI.Finalize();
    }
}
