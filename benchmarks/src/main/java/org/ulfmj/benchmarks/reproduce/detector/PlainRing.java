package org.ulfmj.benchmarks.reproduce.detector;

import org.ulfmj.benchmarks.reproduce.LogP;
import org.ulfmj.protocol.Timing;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.mutant.Mutant;
import org.ulfmj.sim.mutant.MutantLoader;

/**
 * The shipped ring without rule 6a: a rank whose emitter failed asks the nearest rank before it that it does not know
 * to be dead, and waits for that rank alone. The rule is left out of a copy of the source, which is compiled in memory.
 */
public final class PlainRing {
    private static final Mutant WITHOUT_PROBES = Mutant.of(
            "6a", "org.ulfmj.detector.RingDetector", "if (afterFailure) { // rule 6a", "if (false) { // rule 6a");

    private final MutantLoader loader = new MutantLoader(WITHOUT_PROBES);

    /**
     * Returns the time until all survivors know of all deaths, as {@link DetectionRun#of} measures it, on the ring
     * without rule 6a.
     */
    double knownByAllNs(int size, int[] dying, Timing timing, LogP costs, long seed) {
        double[] network = {costs.latencyNs(), costs.overheadNs(), costs.gapNs()};
        Object ns = loader.call(
                PlainRing.class.getName(), "measure", size, dying, timing.detectorTimeoutNs(), network, seed);
        return (Double) ns;
    }

    /** Is called by {@link #knownByAllNs}, in a copy of the project's classes whose ring lacks rule 6a. */
    public static Double measure(Integer size, int[] dying, Long timeoutNs, double[] costs, Long seed) {
        LogP network = new LogP(costs[0], costs[1], costs[2], 0);
        return DetectionRun.of(size, dying, Timing.fromTimeout(timeoutNs), network, new SeededRandom(seed))
                .knownByAllNs();
    }
}
