package org.ulfmj.testkit.invariant;

import mpi.MPI;

/** A receive from any source is refused exactly while a known failure is not acknowledged and no message is there. */
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

    /** One that waits for ever though a failure is known that its rank has not acknowledged. */
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
