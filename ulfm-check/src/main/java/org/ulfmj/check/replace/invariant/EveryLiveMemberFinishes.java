package org.ulfmj.check.replace.invariant;

import org.ulfmj.check.replace.ReplaceRank;
import org.ulfmj.check.replace.ReplaceWorld;
import org.ulfmj.sim.Invariant;

/**
 * Termination: at rest, every process that runs and is in a world has come to the end of its program and of its calls
 * besides.
 */
record EveryLiveMemberFinishes(ReplaceWorld world) implements Invariant {
    @Override
    public String open() {
        for (ReplaceRank rank : world.members()) {
            if (!rank.hasFinished()) {
                return rank + " waits for " + rank.waitsFor();
            }
        }
        return null;
    }
}
