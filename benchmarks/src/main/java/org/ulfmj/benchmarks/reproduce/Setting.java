package org.ulfmj.benchmarks.reproduce;

import org.ulfmj.sim.SeededRandom;

/**
 * How thoroughly to measure.
 *
 * @param seed from which every random choice of an experiment follows
 * @param quick small worlds and few samples: seconds in all, for tests of the experiments themselves
 */
public record Setting(long seed, boolean quick) {
    /** The published size, or a small one where it must be quick. */
    public int size(int published, int small) {
        return quick ? small : published;
    }

    /** Chance for one concern of an experiment. */
    public SeededRandom random(String concern) {
        return SeededRandom.of(seed, concern);
    }
}
