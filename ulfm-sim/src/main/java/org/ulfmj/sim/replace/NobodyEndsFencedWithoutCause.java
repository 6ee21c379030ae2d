package org.ulfmj.sim.replace;

import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/**
 * Where nobody is suspected, no process holds itself for failed: so no decision comes to one that has not called, and no
 * newcomer is told of two worlds.
 */
record NobodyEndsFencedWithoutCause(ReplaceWorld world) implements Invariant {
    @Override
    public void afterStep(SimProcess<?, ?> process) {
        if (process.end() == SimProcess.End.FENCED && !world.worlds().wasAnybodySuspectedWrongly()) {
            throw new Violation(name() + ": " + process + ", and nobody was suspected wrongly");
        }
    }
}
