package org.ulfmj.testkit.invariant;

/**
 * Invariant: no live rank of {@link ChainInDuplicates} waits for ever in a send or receive, because the communicator
 * that was made inside the recovery loop is revoked together with the loop's communicator.
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
