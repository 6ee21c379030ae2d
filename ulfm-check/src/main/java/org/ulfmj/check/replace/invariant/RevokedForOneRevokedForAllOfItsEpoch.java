package org.ulfmj.check.replace.invariant;

import org.ulfmj.check.replace.ReplaceRank;
import org.ulfmj.check.replace.ReplaceWorld;
import org.ulfmj.sim.Invariant;

/**
 * At rest, if a communicator is revoked at one running process, it is revoked at all processes that use it, run in a
 * world and are not leaving, in any epoch of the communicator and of the processes.
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
