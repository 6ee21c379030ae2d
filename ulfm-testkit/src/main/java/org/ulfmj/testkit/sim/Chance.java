package org.ulfmj.testkit.sim;

import java.util.SplittableRandom;

/**
 * All chance of one run, from its seed: a source a concern, so that one more draw in one does not change the others.
 */
final class Chance {
    private final SplittableRandom random;

    private Chance(SplittableRandom random) {
        this.random = random;
    }

    static Chance of(long seed, String concern) {
        return new Chance(new SplittableRandom(seed * 0x9E3779B97F4A7C15L ^ concern.hashCode()));
    }

    /** True in {@code percent} of 100 draws. */
    boolean percent(int percent) {
        return random.nextInt(100) < percent;
    }

    /** From 0 to {@code bound} − 1. */
    int below(int bound) {
        return random.nextInt(bound);
    }

    /** From {@code low} to {@code high}, both included. */
    long between(long low, long high) {
        return random.nextLong(low, high + 1);
    }

    /** From 1 to {@code high}, each order of magnitude as likely as any other. */
    long anyMagnitude(long high) {
        if (high <= 1) {
            return 1;
        }
        int bits = Long.SIZE - Long.numberOfLeadingZeros(high);
        long drawn = random.nextLong(1L << random.nextInt(1, bits + 1));
        return Math.min(high, drawn + 1);
    }

    long pick(long... values) {
        return values[random.nextInt(values.length)];
    }
}
