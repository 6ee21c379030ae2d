package org.ulfmj.testkit.invariant;

import mpi.MPI;

/**
 * Invariant: a call raises PROC_FAILED only if a member of its communicator has failed, and a call that names a peer
 * only if that peer has failed.
 */
final class NoErrorWithoutADeadMember extends ProgramInvariant {
    @Override
    void onRaise(Call call, Raised raised) {
        if (raised.error().getErrorClass() != MPI.ERR_PROC_FAILED) {
            return;
        }
        if (raised.failed().isEmpty()) {
            violated(call + ": no member has failed, and yet: " + raised.error());
        }
        if (call.kind == Call.Kind.NAMED && !raised.failed().contains(call.peer)) {
            violated(call + " failed, though not that rank but " + raised.failed() + " has: " + raised.error());
        }
    }
}
