package examples.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.ulfmj.runtime.options.RankSettings;

/**
 * The plan of one run over ranks as threads, which follows from its seed.
 *
 * @param seed the seed of the run
 * @param ranks the size of the world
 * @param lastSteps how many steps the survivors do after the last death
 * @param inFinalize whether victims are struck in Finalize
 * @param eagerLimitBytes the eager limit: longer messages are announced and streamed
 * @param eagerCreditBytes the eager credit; even half of it is more than the messages of one step that floods a
 *     receiver
 * @param strikes the planned deaths, in their order
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
     * One planned death.
     *
     * @param victim the rank that dies
     * @param call number of the victim's call after whose beginning the death comes; not used in a plan that strikes in
     *     Finalize
     * @param delayNs the time between that beginning, or that of Finalize, and the death
     * @param isFalse whether the victim lives on and is only declared failed
     */
    record Strike(int victim, long call, long delayNs, boolean isFalse) {}

    static LocalPlan of(long seed) {
        SplittableRandom random = new SplittableRandom(Mix.of(seed));
        int ranks = 2 + random.nextInt(MOST_RANKS - 1);
        boolean inFinalize = random.nextInt(4) == 0;
        List<Integer> living = new ArrayList<>();
        // Rank 0 is never a victim, because a thread of rank 0 carries out the deaths.
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

    /** One bit is set per victim, at the place of its rank. */
    long victims() {
        long bits = 0;
        for (Strike strike : strikes) {
            bits |= 1L << strike.victim();
        }
        return bits;
    }
}
