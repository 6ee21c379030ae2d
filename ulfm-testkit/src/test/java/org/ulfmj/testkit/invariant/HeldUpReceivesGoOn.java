package org.ulfmj.testkit.invariant;

import java.util.Map;
import java.util.TreeMap;
import mpi.MPI;

/** A receive from any source that a failure holds up stays a request: acknowledging lets it go on, to a message or a new failure. */
final class HeldUpReceivesGoOn extends ProgramInvariant {
    private final Map<Integer, Integer> acknowledgedWhenHeldUp = new TreeMap<>();

    @Override
    void onRaise(Call call, Raised raised) {
        if (raised.error().getErrorClass() != MPI.ERR_PROC_FAILED_PENDING) {
            return;
        }
        if (raised.failed().size() == call.acknowledged) {
            violated(call + " is held up, though all " + call.acknowledged + " failures are acknowledged");
        }
        Integer before = acknowledgedWhenHeldUp.put(call.slot, call.acknowledged);
        if (before != null && call.acknowledged < before) {
            violated(call + ": " + before + " failures were acknowledged, and now " + call.acknowledged + " are");
        }
    }

    @Override
    void onResult(Call call, boolean isRight, String what) {
        if (!isRight && what.contains("held up")) {
            violated(call + ": " + what);
        }
    }
}
