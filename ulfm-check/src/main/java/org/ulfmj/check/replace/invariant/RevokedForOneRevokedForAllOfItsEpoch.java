package org.ulfmj.check.replace.invariant;

import org.ulfmj.check.replace.ReplaceRank;
import org.ulfmj.check.replace.ReplaceWorld;
import org.ulfmj.sim.Invariant;

/**
 * If one running process has a communicator revoked, so have all running processes that have it, no matter in which
 * epoch it was made and they are.
 */
record RevokedForOneRevokedForAllOfItsEpoch(ReplaceWorld world) implements Invariant {
    @Override
    public String open() {
        for (ReplaceRank told : world.all()) {
            if (!told.isRunning()) {
                continue;
            }
            for (long communicator : told.asides().revoked()) {
                for (ReplaceRank other : world.watching()) {
                    if (other.asides().registered().contains(communicator)
                            && !other.asides().revoked().contains(communicator)) {
                        return other + " does not know that " + Long.toHexString(communicator) + " is revoked, as "
                                + told + " does";
                    }
                }
            }
        }
        return null;
    }
}
