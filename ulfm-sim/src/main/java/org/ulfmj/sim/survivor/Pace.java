package org.ulfmj.sim.survivor;

import org.ulfmj.protocol.Timing;
import org.ulfmj.sim.LinkDelays;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;

/**
 * How fast one schedule goes compared with the detector's timeout: fast links make faults fall between agreements, slow
 * ones into the middle of them.
 *
 * @param unitNs usual time of a message, and the grain of what the program does
 * @param faultWindowNs faults begin within it
 */
record Pace(long unitNs, long faultWindowNs) {
    static final Timing TIMING = Timing.fromTimeout(1_000_000_000L);

    /** No message travels longer, and no pause that long may make a process suspect. */
    static final long LONGEST_DELAY_NS = TIMING.detectorTimeoutNs() / 10;

    static final long SHORT_PAUSE_NS = TIMING.detectorTimeoutNs() / 5;
    static final long LONG_PAUSE_NS = 3 * TIMING.detectorTimeoutNs();

    /** @param units how many units the program of a schedule without faults takes, about */
    static Pace draw(SeededRandom random, int units) {
        long unitNs = random.chance(50) ? 200_000 : 4_000_000;
        long programNs = units * unitNs;
        return new Pace(unitNs, random.chance(70) ? programNs : 4 * programNs);
    }

    LinkDelays delays(Simulation world) {
        return new LinkDelays(world.random("delays"), unitNs, LONGEST_DELAY_NS);
    }
}
