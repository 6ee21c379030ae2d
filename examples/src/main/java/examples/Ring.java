package examples;

import mpi.Comm;
import mpi.MPI;

/**
 * A token goes once around: each rank adds its number and passes it on to its right neighbour. Rank 0 checks that it
 * comes back with the sum of the numbers of all ranks.
 */
public final class Ring {
    private static final int TOKEN = 1;

    private Ring() {}

    public static void main(String[] args) {
        MPI.Init(args);
        Comm world = MPI.COMM_WORLD;
        int rank = world.getRank();
        int size = world.getSize();
        int right = (rank + 1) % size;
        int left = (rank + size - 1) % size;
        long[] token = new long[1];

        if (rank == 0) {
            world.sendRecvReplace(token, 1, MPI.LONG, right, TOKEN, left, TOKEN);
            long expected = (long) size * (size - 1) / 2;
            Print.line("The token came back from %d ranks with %d, expected %d", size, token[0], expected);
            if (token[0] != expected) {
                world.abort(1);
            }
        } else {
            world.recv(token, 1, MPI.LONG, left, TOKEN);
            token[0] += rank;
            world.send(token, 1, MPI.LONG, right, TOKEN);
        }
        MPI.Finalize();
    }
}
