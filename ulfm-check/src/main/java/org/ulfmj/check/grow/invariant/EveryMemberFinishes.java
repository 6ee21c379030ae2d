package org.ulfmj.check.grow.invariant;

import org.ulfmj.check.grow.GrowProcess;
import org.ulfmj.check.grow.GrowWorld;
import org.ulfmj.sim.Invariant;

/** Termination: at rest, every process that runs and is in a world has come to the end of its program. */
record EveryMemberFinishes(GrowWorld world) implements Invariant {
    @Override
    public String open() {
        for (GrowProcess process : world.members()) {
            if (!process.seat().hasFinished()) {
                return process + " waits for " + process.seat().waitsFor();
            }
        }
        return null;
    }
}
