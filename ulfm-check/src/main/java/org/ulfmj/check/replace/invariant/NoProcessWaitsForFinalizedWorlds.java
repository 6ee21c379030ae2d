package org.ulfmj.check.replace.invariant;

import org.ulfmj.check.replace.Launcher;
import org.ulfmj.check.replace.ReplaceRank;
import org.ulfmj.check.replace.ReplaceWorld;
import org.ulfmj.sim.Invariant;

/**
 * P8: at rest, once the launcher has given the job up or knows that a member has finalized, and as long as the launcher
 * lives, no process waits to be admitted.
 */
record NoProcessWaitsForFinalizedWorlds(ReplaceWorld world, Launcher launcher) implements Invariant {
    @Override
    public String open() {
        for (ReplaceRank rank : world.all()) {
            if (launcher.knowsThatAllIsOver() && rank.isRunning() && rank.isPending()) {
                return rank + " waits";
            }
        }
        return null;
    }
}
