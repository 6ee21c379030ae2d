package org.ulfmj.benchmarks.reproduce.detector;

import java.util.Locale;

/** The number of some samples, and the shortest and the longest of their times, in timeouts. */
final class Range {
    private int samples;
    private double shortest = Double.POSITIVE_INFINITY;
    private double longest = Double.NEGATIVE_INFINITY;

    void add(double time) {
        samples++;
        shortest = Math.min(shortest, time);
        longest = Math.max(longest, time);
    }

    boolean isEmpty() {
        return samples == 0;
    }

    /** Whether all samples are within the bounds; false if there are none, since nothing was measured then. */
    boolean isWithin(double low, double high) {
        return samples > 0 && shortest >= low && longest <= high;
    }

    @Override
    public String toString() {
        return samples == 0
                ? "none drawn, not judged"
                : String.format(Locale.ROOT, "%.3f to %.3f δ (%d)", shortest, longest, samples);
    }
}
