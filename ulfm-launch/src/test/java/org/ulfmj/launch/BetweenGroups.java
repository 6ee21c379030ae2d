package org.ulfmj.launch;

import java.nio.IntBuffer;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.ProcFailedException;
import mpi.RevokedException;

/**
 * An MPI program of two groups with an inter-communicator. Both groups sum up their ranks by allReduce, each for the
 * other, until rank 3 is killed in the second such operation; the others shrink the inter-communicator and go on.
 */
final class BetweenGroups {
    private static final int VICTIM = 3;

    private BetweenGroups() {}

    public static void main(String[] args) {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.getRank();
        Intracomm half = MPI.COMM_WORLD.split(rank % 2, rank);
        Intercomm inter = MPI.COMM_WORLD.createIntercomm(half, 0, 1 - rank % 2, 0);
        int all = sum(inter);
        awaitOthers(rank);
        String error = "none";
        try {
            sum(inter);
            inter.barrier(); // a rank whose group was quicker than the death learns of it here
        } catch (ProcFailedException | RevokedException e) {
            error = "raised";
            inter.revoke();
        }
        Intercomm left = inter.shrink();
        int sum = sum(left);
        IntBuffer later = IntBuffer.allocate(1);
        left.iAllReduce(IntBuffer.wrap(new int[] {1}), later, 1, MPI.INT, MPI.SUM)
                .waitFor();
        System.out.println("rank " + rank + ": " + all + ", " + error + ", " + sum + " of " + later.get(0));
        MPI.Finalize();
    }

    /**
     * The victim waits until all other ranks have left the first operation. Else they could find the death in that one
     * already.
     */
    private static void awaitOthers(int rank) {
        int[] nothing = {};
        if (rank != VICTIM) {
            MPI.COMM_WORLD.send(nothing, 0, MPI.INT, VICTIM, 0);
            return;
        }
        for (int other = 0; other < MPI.COMM_WORLD.getSize(); other++) {
            if (other != VICTIM) {
                MPI.COMM_WORLD.recv(nothing, 0, MPI.INT, other, 0);
            }
        }
    }

    private static int sum(Intercomm inter) {
        int[] result = new int[1];
        inter.allReduce(new int[] {MPI.COMM_WORLD.getRank()}, result, 1, MPI.INT, MPI.SUM);
        return result[0];
    }
}
