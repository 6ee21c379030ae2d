package org.ulfmj.check.rendezvous.elected;

import java.util.Map;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.Violation;

/**
 * Invariant: no program that has finished is begun again. Once a process has noted that it has finalized, no process
 * runs in a round later than that of the first, whether or not a coordinator has received the goodbyes.
 */
record WhatIsFinishedIsOver(Simulation world, Map<Integer, Newcomer> newcomers) implements Invariant {
    @Override
    public void afterStep(SimProcess<?, ?> process) {
        Newcomer stepped = newcomers.get(process.node());
        if (stepped == null || !stepped.isRunning()) {
            return;
        }
        for (Newcomer one : newcomers.values()) {
            if (one.hasFinalized() && stepped.round() > one.round()) {
                throw new Violation("no program that has finished is begun again: " + process + " runs in round "
                        + stepped.round() + ", and " + one.process() + " has finalized in round " + one.round());
            }
        }
    }

    @Override
    public String open() {
        return null;
    }

    @Override
    public void atEnd() {
        boolean isAnyHeard = newcomers.values().stream().anyMatch(Newcomer::isGoodbyeHeard);
        for (Newcomer one : newcomers.values()) {
            if (one.hasFinalized() && !isAnyHeard) {
                world.cover("finalized, and no goodbye was heard");
            }
            if (one.hasFinalized() && one.process().end() == SimProcess.End.CRASHED) {
                world.cover("finalized, and was killed");
            }
        }
    }
}
