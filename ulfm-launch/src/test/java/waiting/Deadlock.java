package waiting;

import mpi.MPI;

/**
 * An MPI program that cannot go on: rank 0 and rank 1 receive from each other and neither sends. Rank 2 prints a line
 * and computes for ever. Rank 3 waits for rank 2 in a barrier of the communicator of these two. Made for four ranks.
 */
public final class Deadlock {
    private Deadlock() {}

    public static void main(String[] arguments) throws Exception {
        MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.getRank();
        mpi.Comm half = MPI.COMM_WORLD.split(rank / 2, rank);
        System.out.println("rank " + rank + " is pid " + ProcessHandle.current().pid() + ".");
        if (rank < 2) {
            MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, 1 - rank, 7);
        } else if (rank == 2) {
            compute();
        } else {
            half.barrier();
        }
    }

    /** Prints a line that says that rank 2 computes, and then computes until the process is killed. */
    private static void compute() {
        System.out.println("rank 2 computes");
        double sum = 0;
        for (long i = 1; sum >= 0; i++) {
            sum += 1.0 / i;
        }
        System.out.println(sum);
    }
}
