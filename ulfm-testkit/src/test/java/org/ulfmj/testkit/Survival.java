package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.UnaryOperator;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ProcFailedException;
import mpi.RevokedException;

/** How the programs of these tests recover: by hand, as users write it. */
final class Survival {
    /** What is to be done once by all that are left. */
    interface Attempt {
        void on(Intracomm comm);
    }

    private Survival() {}

    /** Works until all that are left have come to the end of it together; returns the communicator they did it on. */
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
     * A communicator that all survivors have made: creation may succeed at some only, an agreement makes it uniform.
     */
    static Intracomm madeByAll(Intracomm world, UnaryOperator<Intracomm> make) {
        Intracomm[] made = new Intracomm[1];
        untilDone(world, comm -> made[0] = make.apply(comm));
        return made[0];
    }

    /** Whether it is so at all; a failure that is not acknowledged is raised at all, and is a no. */
    static boolean agreed(Intracomm comm, boolean mine) {
        try {
            return comm.agree(mine ? 1 : 0) == 1;
        } catch (ProcFailedException raisedAtAll) {
            return false;
        }
    }

    /** Requires that this is an error that a failure of a member, or nothing but a revocation, leads to. */
    static void requireFailure(Intracomm comm, MPIException error) {
        assertThat(error.getErrorClass()).as(error.toString()).isIn(MPI.ERR_PROC_FAILED, MPI.ERR_REVOKED);
        if (error.getErrorClass() == MPI.ERR_PROC_FAILED) {
            assertThat(comm.getFailed().getSize()).as(error.toString()).isPositive();
        }
    }
}
