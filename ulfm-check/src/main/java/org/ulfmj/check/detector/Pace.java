package org.ulfmj.check.detector;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.sim.FaultPlan;
import org.ulfmj.sim.LinkDelays;
import org.ulfmj.sim.MessageTraits;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.VirtualNetwork;

/**
 * The speed of one schedule compared with the detector's timeout, which is the same in all schedules.
 *
 * @param unitNs usual time of a message, and the unit of the program's delays
 * @param thought how many units a rank's program waits before a call at most
 * @param faultWindowNs about the time within which faults begin
 */
public record Pace(long unitNs, int thought, long faultWindowNs) {
    public static final Timing TIMING = Timing.fromTimeout(1_000_000_000L);

    /** The longest travel time that is drawn for a message. A message that a cut holds may take longer. */
    public static final long LONGEST_DELAY_NS = TIMING.detectorTimeoutNs() / 10;

    public static final long SHORT_PAUSE_NS = TIMING.detectorTimeoutNs() / 5;

    /** The longest sum of pauses and healing cuts that must not make a process suspect: δ − η − τ. */
    public static final long LONGEST_UNNOTICED_NS =
            TIMING.detectorTimeoutNs() - TIMING.heartbeatPeriodNs() - LONGEST_DELAY_NS;

    /** The longest time until the messages of a dead process have been read. */
    public static final long LONGEST_DRAIN_NS = 30_000_000;

    public static final long LONG_PAUSE_NS = 3 * TIMING.detectorTimeoutNs();

    /** @param steps about how many calls the program makes; each takes a few messages */
    public static Pace draw(SeededRandom random, int steps) {
        long unitNs = random.chance(50) ? 200_000 : 4_000_000;
        int thought = random.chance(50) ? 2 : 10;
        long programNs = steps * (thought + 8) * unitNs;
        return new Pace(unitNs, thought, random.chance(70) ? programNs : 4 * programNs);
    }

    /** Returns the bounds for a world with this number of ranks; they are the same for every pace. */
    public static Bounds bounds(int ranks) {
        return new Bounds(TIMING, LONGEST_DELAY_NS, SimProcess.MAX_TIMER_LATENESS_NS, LONGEST_DRAIN_NS, ranks);
    }

    /** Draws how long the program of a rank waits before its next call. */
    public long drawThoughtNs(SeededRandom random) {
        return random.between(0, thought * unitNs);
    }

    /** Delays of links of this pace. */
    public LinkDelays delays(Simulation world) {
        return new LinkDelays(world, unitNs, LONGEST_DELAY_NS);
    }

    /** Returns the network of a world whose processes are never replaced. */
    public <M> VirtualNetwork<ProcessId, M> network(Simulation world, MessageTraits<M> traits) {
        return new VirtualNetwork<>(world, delays(world), traits, ProcessId::slot, ProcessId::of);
    }

    /**
     * Draws a plan that may have faults of every kind. Its crashes are of at most all processes but one. Besides these,
     * a process may crash after an injected suspicion.
     *
     * @param sorts how many sorts of messages there are
     */
    public static FaultPlan drawFaults(Simulation world, long windowNs, int suspicions, int sorts) {
        int size = world.ranks();
        FaultPlan.Limits limits = new FaultPlan.Limits(
                size - 1, suspicions, sorts, SHORT_PAUSE_NS, LONGEST_UNNOTICED_NS, LONG_PAUSE_NS, true);
        return FaultPlan.draw(world, size, windowNs, limits);
    }
}
