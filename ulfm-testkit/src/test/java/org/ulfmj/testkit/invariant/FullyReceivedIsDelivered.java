package org.ulfmj.testkit.invariant;

import mpi.MPI;

/**
 * Invariant: a message that has arrived whole can be received even if its sender is dead, unless the communicator is
 * revoked.
 */
final class FullyReceivedIsDelivered extends ProgramInvariant {
    @Override
    void onRaise(Call call, Raised raised) {
        if (call.name.equals("recv of what was shown") && raised.error().getErrorClass() == MPI.ERR_PROC_FAILED) {
            violated(call + ": " + raised.error());
        }
    }
}
