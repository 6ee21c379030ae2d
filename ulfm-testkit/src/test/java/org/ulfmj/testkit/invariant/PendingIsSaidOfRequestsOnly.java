package org.ulfmj.testkit.invariant;

import mpi.MPI;

/**
 * Invariant: PROC_FAILED_PENDING is raised only for a request that may still complete, and never by a blocking or
 * collective call.
 */
final class PendingIsSaidOfRequestsOnly extends ProgramInvariant {
    @Override
    void onRaise(Call call, Raised raised) {
        if (raised.error().getErrorClass() == MPI.ERR_PROC_FAILED_PENDING && !call.name.startsWith("wait")) {
            violated(call + ": " + raised.error());
        }
    }
}
