package org.ulfmj.check.replace;

import org.ulfmj.check.detector.Pace;
import org.ulfmj.check.survivor.ControlTraits;
import org.ulfmj.sim.FaultPlan;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;

/**
 * The fate of one process that is started during the job, in place of another or as a joiner.
 *
 * @param startsNs how long it takes from the launcher's decision until the process has joined
 * @param endsNs how long after joining it dies, or begins to count the messages after which it dies; {@link #NEVER} if
 *     it does neither
 * @param afterSends as in {@link FaultPlan.Crash}
 * @param sort as in {@link FaultPlan.Crash}
 */
public record Fate(long startsNs, long endsNs, int afterSends, int sort) {
    public static final long NEVER = -1;

    public static Fate draw(SeededRandom random, Simulation simulation, Pace pace, String who) {
        long startsNs = random.chance(60)
                ? random.between(0, 20 * pace.unitNs())
                : random.between(0, 2 * Pace.TIMING.detectorTimeoutNs());
        long endsNs = random.between(0, random.chance(50) ? 30 * pace.unitNs() : Pace.LONG_PAUSE_NS);
        int afterSends = random.chance(40) ? FaultPlan.NEVER : random.below(6);
        int sort = random.chance(50) ? FaultPlan.ANY : random.below(ControlTraits.SORTS_WITH_WELCOME);
        boolean ends = random.chance(25) && simulation.plans("end of " + who);
        return new Fate(startsNs, ends ? endsNs : NEVER, afterSends, sort);
    }
}
