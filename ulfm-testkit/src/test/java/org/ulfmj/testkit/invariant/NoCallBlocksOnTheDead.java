package org.ulfmj.testkit.invariant;

/**
 * A call that depends on one peer ends soon after that peer's death is told, and so does one of a communicator with a
 * dead.
 */
final class NoCallBlocksOnTheDead extends ProgramInvariant {
    @Override
    void atEnd(Run run) {
        if (run.result().hang().isEmpty()) {
            return;
        }
        for (Call call : run.calls()) {
            if (call.isOpen() && !run.dead().contains(call.slot) && run.dead().contains(call.peer)) {
                violated(call + ", which is dead, never ends");
            }
        }
    }
}
