package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.UnaryOperator;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ProcFailedException;
import mpi.RevokedException;

/** How programs of these tests recover by hand, without a retry loop of the library: by revoke, agree and shrink. */
final class Survival {
    /** The work that all survivors are to finish together. */
    interface Attempt {
        void on(Intracomm comm);
    }

    private Survival() {}

    /**
     * Makes attempts until all survivors have finished one together; returns the communicator of that attempt. An
     * agreement ends each attempt, and a shrink follows if it failed. A rank whose attempt failed revokes first.
     */
    static Intracomm untilDone(Intracomm world, Attempt attempt) {
        Intracomm comm = world;
        while (true) {
            boolean done = false;
            try {
                attempt.on(comm);
                done = true;
            } catch (ProcFailedException | RevokedException failure) {
                comm.revoke();
            }
            if (agreed(comm, done)) {
                return comm;
            }
            comm = comm.shrink();
        }
    }

    /**
     * Returns a communicator that all survivors have made. A creation may succeed at some ranks only, so an agreement
     * decides whether all of them have it; if not, they shrink and try again.
     */
    static Intracomm madeByAll(Intracomm world, UnaryOperator<Intracomm> make) {
        Intracomm[] made = new Intracomm[1];
        untilDone(world, comm -> made[0] = make.apply(comm));
        return made[0];
    }

    /**
     * Whether {@code mine} is true at all members, by an agreement. An unacknowledged failure makes agree raise
     * PROC_FAILED at all members, which counts as false.
     */
    static boolean agreed(Intracomm comm, boolean mine) {
        try {
            return comm.agree(mine ? 1 : 0) == 1;
        } catch (ProcFailedException raisedAtAll) {
            return false;
        }
    }

    /**
     * Requires that the error class is PROC_FAILED or REVOKED, and, if it is PROC_FAILED, that the caller knows a
     * failed member of the communicator.
     */
    static void requireFailure(Intracomm comm, MPIException error) {
        assertThat(error.getErrorClass()).as(error.toString()).isIn(MPI.ERR_PROC_FAILED, MPI.ERR_REVOKED);
        if (error.getErrorClass() == MPI.ERR_PROC_FAILED) {
            assertThat(comm.getFailed().getSize()).as(error.toString()).isPositive();
        }
    }
}
