package org.ulfmj.sim;

/**
 * The only source of chance in a simulation: SplitMix64. The same seed gives the same numbers in every JVM.
 *
 * <p>Each concern (network, faults, program) draws from a separate source ({@link #of}), so that one more draw in one
 * of them does not change the others.
 */
public final class SeededRandom {
    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    private long state;

    public SeededRandom(long seed) {
        this.state = mix(seed);
    }

    /** Mixes bits, as SplitMix64 does: neighbouring inputs give unrelated outputs. */
    public static long mix(long value) {
        long z = value + GAMMA;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    public long nextLong() {
        state += GAMMA;
        return mix(state);
    }

    /** Draws a number from 0 to {@code bound} − 1, each about as likely as any other. */
    public int below(int bound) {
        if (bound <= 0) {
            throw new IllegalArgumentException("bound " + bound + " must be positive");
        }
        return (int) ((nextLong() >>> 33) % bound);
    }

    /** Draws a number from {@code low} to {@code high}, both included, each about as likely as any other. */
    public long between(long low, long high) {
        if (low > high) {
            throw new IllegalArgumentException("low " + low + " is above high " + high);
        }
        return low + (nextLong() >>> 1) % (high - low + 1);
    }

    /** Draws true with a probability of {@code percent} in a hundred, else false. */
    public boolean chance(int percent) {
        return below(100) < percent;
    }

    /**
     * Draws a power of two, from 2 to the first one above {@code high}, and then a number from 1 to that power; returns
     * {@code high} instead of a larger number. Returns 1 if {@code high} is not above 1.
     */
    public long anyMagnitude(long high) {
        if (high <= 1) {
            return 1;
        }
        int bits = Long.SIZE - Long.numberOfLeadingZeros(high);
        return Math.min(high, between(1, 1L << between(1, Math.min(bits, Long.SIZE - 2))));
    }

    /** Draws one of the given values, each about as likely as any other. */
    public long pick(long... values) {
        return values[below(values.length)];
    }

    /**
     * Makes an independent source that depends on the given seed and name only, not on what other sources have drawn.
     */
    public static SeededRandom of(long seed, String name) {
        return new SeededRandom(mix(seed) ^ name.hashCode());
    }
}
