package org.ulfmj.testkit;

import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;

/** Makes an inter-communicator whose groups are the even and the odd ranks of the world. */
final class Groups {
    private Groups() {}

    /** Returns the caller's half of the world: the ranks with even rank, or those with odd rank. */
    static Intracomm half() {
        int rank = MPI.COMM_WORLD.getRank();
        return MPI.COMM_WORLD.split(rank % 2, rank);
    }

    /** Returns the inter-communicator of the even and the odd ranks of the world, with the lowest ones as leaders. */
    static Intercomm evenAndOdd() {
        return evenAndOdd(half());
    }

    static Intercomm evenAndOdd(Intracomm half) {
        int remoteLeader = 1 - MPI.COMM_WORLD.getRank() % 2;
        return MPI.COMM_WORLD.createIntercomm(half, 0, remoteLeader, 7);
    }
}
