package org.ulfmj.check.replace.invariant;

import org.ulfmj.check.replace.ReplaceRank;
import org.ulfmj.check.replace.ReplaceWorld;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/** Housekeeping: no live process still uses a communicator that another live process has forgotten. */
record NoRankForgetsWhatAnotherKeeps(ReplaceWorld world) implements Invariant {
    @Override
    public void afterStep(SimProcess<?, ?> process) {
        ReplaceRank rank = world.of(world.network().addressOf(process.node()));
        if (!rank.asides().hasForgottenAnew() || !world.isLive(rank)) {
            return;
        }
        for (long over : rank.asides().forgotten()) {
            for (ReplaceRank other : world.members()) {
                if (other.asides().registered().contains(over) && world.isLive(other)) {
                    throw new Violation(name() + ": " + rank + " has forgotten " + Long.toHexString(over) + ", which "
                            + other + " has in use");
                }
            }
        }
    }
}
