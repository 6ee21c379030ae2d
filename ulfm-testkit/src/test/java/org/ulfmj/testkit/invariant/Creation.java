package org.ulfmj.testkit.invariant;

import static org.ulfmj.testkit.invariant.Call.Kind.COLLECTIVE;

import mpi.Intracomm;
import mpi.MPI;

/**
 * Makes a communicator and uses it. The creation may succeed at some ranks only; the agreement at the end of an attempt
 * tells whether it did at all ranks.
 */
final class Creation {
    private final Watch watch;
    private final Intracomm comm;
    private final int kind;
    private final int parts;

    /** @param parts the number of colours of a split */
    Creation(Watch watch, Intracomm comm, int kind, int parts) {
        this.watch = watch;
        this.comm = comm;
        this.kind = kind;
        this.parts = parts;
    }

    Intracomm madeAndUsed() {
        Intracomm made = watch.call("creation", COLLECTIVE, comm, -1, () -> switch (kind) {
            case 0 -> comm.dup();
            case 1 -> comm.split(comm.getRank() % parts, -comm.getRank());
            default -> comm.create(comm.getGroup());
        });
        int[] count = new int[1];
        watch.call("allReduce", COLLECTIVE, made, -1, () -> made.allReduce(new int[] {1}, count, 1, MPI.INT, MPI.SUM));
        watch.result(count[0] == made.getSize(), () -> "there are " + count[0] + " members");
        return made;
    }
}
