package examples.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.ulfmj.runtime.options.RankSettings;

/**
 * What happens in one schedule over ranks as threads: a function of its seed.
 *
 * @param seed of it
 * @param ranks of the world
 * @param lastSteps of the survivors after the last death
 * @param inFinalize whether victims are struck there
 * @param eagerLimitBytes longer messages are offered and streamed
 * @param eagerCreditBytes more than a flood, with the half that may not have been granted again
 * @param strikes in their order
 */
record LocalPlan(
        long seed,
        int ranks,
        int lastSteps,
        boolean inFinalize,
        int eagerLimitBytes,
        long eagerCreditBytes,
        List<Strike> strikes) {
    private static final int MOST_RANKS = 6;
    private static final int MOST_CALLS = 200;
    private static final int MOST_STEPS = 20;
    private static final int MOST_DELAY_NS = 100_000;
    private static final int LEAST_EAGER_BYTES = 4096;
    private static final long LEAST_CREDIT_BYTES = 1 << 20;

    /**
     * One death.
     *
     * @param victim its rank
     * @param call of the victim after whose beginning it comes
     * @param delayNs so much later
     * @param isFalse whether the victim is only said to be dead
     */
    record Strike(int victim, long call, long delayNs, boolean isFalse) {}

    static LocalPlan of(long seed) {
        SplittableRandom random = new SplittableRandom(Mix.of(seed));
        int ranks = 2 + random.nextInt(MOST_RANKS - 1);
        boolean inFinalize = random.nextInt(4) == 0;
        List<Integer> living = new ArrayList<>();
        // Rank 0 is never struck, because the strikes are carried out by a thread that belongs to it.
        for (int rank = 1; rank < ranks; rank++) {
            living.add(rank);
        }
        List<Strike> strikes = new ArrayList<>();
        for (int left = random.nextInt(Math.min(4, ranks)); left > 0; left--) {
            strikes.add(new Strike(
                    living.remove(random.nextInt(living.size())),
                    1 + random.nextInt(MOST_CALLS),
                    random.nextInt(MOST_DELAY_NS),
                    !inFinalize && random.nextInt(4) == 0));
        }
        return new LocalPlan(
                seed,
                ranks,
                random.nextInt(MOST_STEPS),
                inFinalize,
                random.nextBoolean() ? LEAST_EAGER_BYTES : RankSettings.DEFAULT_EAGER_LIMIT_BYTES,
                random.nextBoolean() ? LEAST_CREDIT_BYTES : RankSettings.DEFAULT_EAGER_CREDIT_BYTES,
                List.copyOf(strikes));
    }

    int deathsBeforeFinalize() {
        return inFinalize ? 0 : strikes.size();
    }

    boolean isVictim(int rank) {
        return (victims() >> rank & 1) == 1;
    }

    /** One bit a victim. */
    long victims() {
        long bits = 0;
        for (Strike strike : strikes) {
            bits |= 1L << strike.victim();
        }
        return bits;
    }
}
