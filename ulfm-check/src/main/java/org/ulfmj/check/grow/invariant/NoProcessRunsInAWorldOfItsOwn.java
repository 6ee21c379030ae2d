package org.ulfmj.check.grow.invariant;

import org.ulfmj.check.grow.GrowProcess;
import org.ulfmj.check.grow.GrowWorld;
import org.ulfmj.sim.Invariant;

/**
 * At rest every member that the world of a running process lists runs in that world too, or the process has it marked
 * failed or departed. The world of a process that is leaving is not looked at.
 */
record NoProcessRunsInAWorldOfItsOwn(GrowWorld world) implements Invariant {
    @Override
    public String open() {
        for (GrowProcess process : world.members()) {
            if (!process.isWatching()) {
                continue;
            }
            for (int slot : process.seat().membership().slots().toArray()) {
                if (process.failures().isGone(process.seat().membership().process(slot))) {
                    continue;
                }
                GrowProcess other = world.of(process.seat().contactOf(slot));
                if (!other.isMember()
                        || other.seat().communicator() != process.seat().communicator()) {
                    return process + " is in a world with " + other + ", which is in another one or in none";
                }
            }
        }
        return null;
    }
}
