package org.ulfmj.testkit.invariant;

/**
 * No rank waits for ever in a communicator made inside of a recovery loop: it is revoked with the one it was made from.
 */
final class WhatIsMadeInsideIsRevokedToo extends ProgramInvariant {
    @Override
    void atEnd(Run run) {
        for (Call call : run.calls()) {
            if (run.result().hang().isPresent()
                    && call.isOpen()
                    && call.name.startsWith(ChainInDuplicates.INSIDE)
                    && !run.dead().contains(call.slot)) {
                violated(call + " never ends: " + run.result().hang().get());
            }
        }
    }
}
