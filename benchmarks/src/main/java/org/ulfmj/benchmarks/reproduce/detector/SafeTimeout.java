package org.ulfmj.benchmarks.reproduce.detector;

/**
 * The longest timeout δ of the detector with which failures are still handled faster than they come.
 *
 * <p>The plain ring is proven to recover from f failures that overlap, as long as f ≤ ⌊log₂ n⌋ − 1: they cannot stop a
 * broadcast. Where k processes in a row are lost, each new emitter is given twice the timeout, so that the ring is
 * closed after 2kδ and k broadcasts; at worst that happens for k = 1, 2, … f in turn. The window is then T(f) = f(f+1)δ
 * + fτ + f(f+1)/2·B(n), τ being a message's time and B(n) = 8τ·log₂ n a broadcast's. If nodes fail independently, once
 * in their mean time between failures μ, the failures in a window follow Poisson's law with mean n·T/μ. The timeout is
 * safe if the probability of more than f of them is at most one in a thousand million.
 *
 * @param nodes n
 * @param meanTimeNs μ of one node
 * @param messageNs τ
 */
record SafeTimeout(int nodes, double meanTimeNs, double messageNs) {
    private static final double RISK = 1e-9;

    /** The largest δ up to μ that is safe; 0 if none is. */
    double largestNs() {
        double low = 0;
        double high = meanTimeNs;
        for (int i = 0; i < 100; i++) {
            double middle = (low + high) / 2;
            if (risk(middle) <= RISK) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The number f of failures that may overlap. */
    int tolerated() {
        return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(nodes) - 1;
    }

    /** The window T(f). */
    double windowNs(double timeoutNs) {
        int f = tolerated();
        double broadcastNs = 8 * messageNs * Math.log(nodes) / Math.log(2);
        return f * (f + 1.0) * timeoutNs + f * messageNs + f * (f + 1.0) / 2 * broadcastNs;
    }

    /** The probability of more than f failures in the window of a timeout; taken as 1 if over 100 are expected. */
    double risk(double timeoutNs) {
        double mean = nodes * windowNs(timeoutNs) / meanTimeNs;
        int f = tolerated();
        double term = Math.exp(-mean);
        for (int k = 1; k <= f; k++) {
            term *= mean / k;
        }
        double sum = 0;
        for (int k = f + 1; k < f + 1_000; k++) {
            term *= mean / k;
            sum += term;
        }
        // With more than 100 failures to expect, more than f are taken for certain: with many hundreds, the terms of
        // the sum would be too small to be represented.
        return mean > 100 ? 1 : sum;
    }
}
