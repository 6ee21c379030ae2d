package org.ulfmj.check.replace.invariant;

import org.ulfmj.check.replace.Launcher;
import org.ulfmj.check.replace.ReplaceRank;
import org.ulfmj.check.replace.ReplaceWorld;
import org.ulfmj.sim.Invariant;

/**
 * P8: once a member has finalized, each process that still waits for the world is sent away, as long as there is a
 * launcher.
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
