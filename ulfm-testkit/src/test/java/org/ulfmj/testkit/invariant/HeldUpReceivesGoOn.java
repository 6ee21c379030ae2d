package org.ulfmj.testkit.invariant;

import java.util.Map;
import java.util.TreeMap;
import mpi.MPI;

/**
 * A receive from any source that a failure holds up stays a request: acknowledging lets it go on, to a message or a new
 * failure.
 */
final class HeldUpReceivesGoOn extends ProgramInvariant {
    /** By slot. Failures are counted per communicator: one made since then begins at none. */
    private final Map<Integer, Call> lastHeldUp = new TreeMap<>();

    @Override
    void onRaise(Call call, Raised raised) {
        if (raised.error().getErrorClass() != MPI.ERR_PROC_FAILED_PENDING) {
            return;
        }
        if (raised.failed().size() == call.acknowledged) {
            violated(call + " is held up, though all " + call.acknowledged + " failures are acknowledged");
        }
        Call before = lastHeldUp.put(call.slot, call);
        if (before != null && before.comm == call.comm && call.acknowledged < before.acknowledged) {
            violated(call + ": " + before.acknowledged + " failures were acknowledged, and now " + call.acknowledged
                    + " are");
        }
    }

    @Override
    void onResult(Call call, boolean isRight, String what) {
        if (!isRight && what.contains("held up")) {
            violated(call + ": " + what);
        }
    }
}
