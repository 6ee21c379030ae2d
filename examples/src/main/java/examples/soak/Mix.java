package examples.soak;

/**
 * Numbers that look random and are a function of other numbers: every rank can compute them, and a wrong message hardly
 * has them by accident.
 */
final class Mix {
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private Mix() {}

    /** Spreads the bits of a number over all 64. */
    static long of(long value) {
        long z = value + STEP;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    static long of(long first, long second) {
        return of(of(first) + second);
    }

    static long of(long first, long second, long third) {
        return of(of(first, second) + third);
    }
}
