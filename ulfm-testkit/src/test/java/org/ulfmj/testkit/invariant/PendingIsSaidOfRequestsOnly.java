package org.ulfmj.testkit.invariant;

import mpi.MPI;

/**
 * Invariant: PROC_FAILED_PENDING is raised only by a call that waits for a request, and never by a blocking receive,
 * send or probe or by a collective call.
 */
final class PendingIsSaidOfRequestsOnly extends ProgramInvariant {
    @Override
    void onRaise(Call call, Raised raised) {
        if (raised.error().getErrorClass() == MPI.ERR_PROC_FAILED_PENDING && !call.name.startsWith("wait")) {
            violated(call + ": " + raised.error());
        }
    }
}
