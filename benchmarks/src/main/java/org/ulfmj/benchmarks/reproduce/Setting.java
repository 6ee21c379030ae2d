package org.ulfmj.benchmarks.reproduce;

import org.ulfmj.sim.SeededRandom;

/**
 * How thorough the measurements are.
 *
 * @param seed from which every random choice of an experiment follows
 * @param quick whether worlds are small and samples few: seconds in all, for tests of the experiments themselves
 */
public record Setting(long seed, boolean quick) {
    /** The published size, or the small one if {@link #quick}. */
    public int size(int published, int small) {
        return quick ? small : published;
    }

    /** The random numbers for one part of an experiment. */
    public SeededRandom random(String concern) {
        return SeededRandom.of(seed, concern);
    }
}
