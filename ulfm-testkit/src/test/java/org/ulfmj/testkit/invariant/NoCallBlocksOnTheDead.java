package org.ulfmj.testkit.invariant;

/** Invariant: no call of a live rank that names one peer waits for ever when that peer is dead. */
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
