package org.ulfmj.benchmarks.reproduce;

import org.ulfmj.agree.message.Kind;

/**
 * A model of the machine of the published measurements: LogP costs between any two ranks. Two parameters are fitted to
 * the published latencies of an agreement: the scale, so that 2,048 ranks take as long as published, and the
 * proportions L : o : g = 6 : 1 : 1, since 4 : 1 : 1, the first choice, fell short by 5.7 % in small worlds.
 *
 * <p>A byte adds 0.1 ns at any scale, as in a network of 10 GB/s. That number is our choice.
 */
public final class Darter {
    /** The published fit: 6.7 µs times the logarithm of the number of ranks, to the base of the mean branching. */
    static final double FIT_MICROS = 6.7;

    static final double MEAN_BRANCHING = 2.125;

    /** The number of ranks at which model and publication are made equal. */
    static final int CALIBRATED_AT = 2_048;

    private static final int LATENCY_TO_OVERHEAD = 6;

    /** The proportions L : o : g, which were fitted. */
    static final String PROPORTIONS = LATENCY_TO_OVERHEAD + " : 1 : 1";

    private static final double PER_BYTE_NS = 0.1;

    private Darter() {}

    /** The published latency of an agreement, 6.7·log₂.₁₂₅(n) µs, in nanoseconds. */
    static double publishedNs(int ranks) {
        return FIT_MICROS * 1e3 * Math.log(ranks) / Math.log(MEAN_BRANCHING);
    }

    /** The calibrated costs. */
    public static LogP costs() {
        return calibrated(LATENCY_TO_OVERHEAD);
    }

    /** Costs that are calibrated with other proportions, L : o : g = {@code latency} : 1 : 1. */
    static LogP calibrated(double latency) {
        LogP unit = new LogP(1_000 * latency, 1_000, 1_000, 0);
        double modelNs = latencyNs(unit);
        // The time of the bytes is not scaled, so it is subtracted from the time that is to be explained.
        double bytesNs = latencyNs(withBytes(unit)) - modelNs;
        return withBytes(unit.times((publishedNs(CALIBRATED_AT) - bytesNs) / modelNs));
    }

    private static double latencyNs(LogP costs) {
        return new LogPSurvivors(CALIBRATED_AT, Network.uniform(costs)).call(Kind.AGREE);
    }

    private static LogP withBytes(LogP costs) {
        return new LogP(costs.latencyNs(), costs.overheadNs(), costs.gapNs(), PER_BYTE_NS);
    }
}
