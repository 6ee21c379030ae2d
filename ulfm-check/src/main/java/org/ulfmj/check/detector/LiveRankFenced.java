package org.ulfmj.check.detector;

import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;

/** Not an invariant but a witness: notes that in this schedule a live process was fenced. */
public record LiveRankFenced(Simulation world) implements Invariant {
    /** The event's name in the coverage line. */
    public static final String EVENT = "a live rank fenced";

    @Override
    public void atEnd() {
        for (SimProcess<?, ?> process : world.processes()) {
            if (process.end() == SimProcess.End.FENCED) {
                world.cover(EVENT);
            }
        }
    }
}
