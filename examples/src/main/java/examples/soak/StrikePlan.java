package examples.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The ranks that are struck, and the moments: a function of the options and the seed. */
final class StrikePlan {
    /** Stands for the call of Finalize, which has no number, as it comes last. */
    static final long FINALIZE = Long.MAX_VALUE;

    private static final long MOST_DELAY_NS = 1_000_000;
    private static final long MOST_DELAY_IN_FINALIZE_NS = 8_000_000;
    private static final long MOST_BETWEEN_DEATHS_NS = 15_000_000;

    /**
     * One death.
     *
     * @param victim its rank
     * @param call number of the victim's call after whose beginning the death comes, {@link #FINALIZE}, or 0 for the
     *     death before this one
     * @param delayNs time from that beginning, or from the death before, to this death
     */
    record Death(int victim, long call, long delayNs) {
        @Override
        public String toString() {
            String after = call == 0
                    ? "the death before"
                    : (call == FINALIZE ? SoakCall.FINALIZE.toString() : "call " + call) + " began";
            return String.format("rank %d %.3f ms after %s", victim, delayNs / 1e6, after);
        }
    }

    private StrikePlan() {}

    /**
     * Draws the deaths. The first one comes at one of the victim's first {@code --calls} calls, each equally likely.
     * Each other death comes at most as many calls later, or soon after the death before it. With {@code --in-finalize}
     * the call is Finalize.
     */
    static List<Death> of(SoakOptions options, long seed) {
        SplittableRandom random = new SplittableRandom(Mix.of(seed));
        List<Integer> living = new ArrayList<>();
        for (int rank = 0; rank < options.ranks(); rank++) {
            living.add(rank);
        }
        boolean inFinalize = options.fault() == SoakOptions.Fault.KILL_IN_FINALIZE;
        List<Death> deaths = new ArrayList<>();
        long call = 0;
        for (int i = 0; i < options.deaths(); i++) {
            int victim = living.remove(random.nextInt(living.size()));
            if (i > 0 && random.nextBoolean()) {
                deaths.add(new Death(victim, 0, random.nextLong(MOST_BETWEEN_DEATHS_NS)));
            } else {
                call += 1 + random.nextInt(options.calls());
                long delayNs = random.nextLong(inFinalize ? MOST_DELAY_IN_FINALIZE_NS : MOST_DELAY_NS);
                deaths.add(new Death(victim, inFinalize ? FINALIZE : call, delayNs));
            }
        }
        return deaths;
    }
}
