package org.ulfmj.testkit.invariant;

import java.util.Map;
import java.util.TreeMap;
import mpi.MPI;

/**
 * Invariant: a non-blocking receive from any source that a failure holds up stays active; after the failure is
 * acknowledged it goes on until a message or a new failure comes.
 */
final class HeldUpReceivesGoOn extends ProgramInvariant {
    /**
     * For each slot: its last call that was held up. Acknowledged failures are counted per communicator, so counts are
     * compared only between calls on the same one.
     */
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
