package org.ulfmj.testkit.invariant;

import mpi.MPI;

/**
 * Invariant: a receive from any source raises a failure only while the caller has an unacknowledged failure in that
 * communicator; and it does not wait for ever while there is one.
 */
final class WildcardsWaitForAcknowledgement extends ProgramInvariant {
    @Override
    void onRaise(Call call, Raised raised) {
        int error = raised.error().getErrorClass();
        if (call.kind == Call.Kind.WILDCARD
                && (error == MPI.ERR_PROC_FAILED || error == MPI.ERR_PROC_FAILED_PENDING)
                && raised.failed().size() <= call.acknowledged) {
            violated(call + " is refused, though all " + call.acknowledged + " failures are acknowledged: "
                    + raised.error());
        }
    }

    /**
     * At the end of a run that hangs, looks for a wildcard receive of a live rank that still waits though not all
     * deaths are acknowledged.
     */
    @Override
    void atEnd(Run run) {
        for (Call call : run.calls()) {
            if (call.kind == Call.Kind.WILDCARD
                    && call.isOpen()
                    && run.result().hang().isPresent()
                    && !run.dead().contains(call.slot)
                    && run.dead().size() > call.acknowledged) {
                violated(call + " waits on, though of " + run.dead() + " only " + call.acknowledged
                        + " are acknowledged");
            }
        }
    }
}
