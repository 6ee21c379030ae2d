package org.ulfmj.testkit.invariant;

import static org.ulfmj.testkit.invariant.Call.Kind.NAMED;

import mpi.Intracomm;
import mpi.MPI;
import mpi.Resilient;

/**
 * A recovery loop in which each rank but the first waits for the one before it: odd ranks on the loop's communicator,
 * even ranks on a duplicate of it. A rank that notices a death on one of them leaves, and other ranks wait on the other
 * one until both are revoked.
 */
final class ChainInDuplicates {
    static final String INSIDE = "inside: ";
    private static final int ROUNDS = 4;

    private final Watch watch;

    ChainInDuplicates(Watch watch) {
        this.watch = watch;
    }

    void run() {
        MPI.Init(new String[0]);
        Resilient.run(MPI.COMM_WORLD, comm -> {
            Intracomm inner = comm.dup();
            int rank = comm.getRank();
            int before = rank == 0 ? MPI.PROC_NULL : rank - 1;
            int next = rank == comm.getSize() - 1 ? MPI.PROC_NULL : rank + 1;
            for (int round = 0; round < ROUNDS; round++) {
                receive(rank % 2 == 0 ? inner : comm, before, round);
                send(rank % 2 == 0 ? comm : inner, next, round);
            }
        });
        MPI.Finalize();
    }

    private void receive(Intracomm comm, int before, int tag) {
        watch.call(INSIDE + "recv", NAMED, comm, before, () -> comm.recv(new int[1], 1, MPI.INT, before, tag));
    }

    private void send(Intracomm comm, int next, int tag) {
        watch.call(INSIDE + "sSend", NAMED, comm, next, () -> comm.sSend(new int[1], 1, MPI.INT, next, tag));
    }
}
