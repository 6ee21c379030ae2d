package org.ulfmj.runtime.progress;

/**
 * For how many polls a wait spins before it yields: between 4, or 1 where ranks exceed cores, and a bound, found by
 * trying. A spin that meets what it waits for makes the number grow, and a spin in vain halves it. So a thread that
 * shares its core with the thread it waits for soon stops spinning.
 *
 * <p>A spin that was only a little too short is not in vain: if what was waited for came so soon afterwards that the
 * longest spin would have met it, and no yield gave the core to another thread, a longer one is right. Otherwise two
 * ranks that have both come to spin too briefly would stay so, each being late for the other.
 *
 * <p>Under the engine lock.
 */
final class SpinBudget {
    private static final int MIN_POLLS = 4;
    /**
     * The fewest polls of a spin where ranks exceed cores: one poll before the yield, since another rank waits for the
     * core.
     */
    private static final int MIN_POLLS_CROWDED = 1;

    private static final int MAX_POLLS = 400;
    private static final int MAX_POLLS_CROWDED = 40;
    /** About the longest spin, in time. */
    private static final long NEAR_NS = 15_000;
    /** A yield that takes less gave the core to no other thread: such a yield takes half a microsecond. */
    private static final long FREE_YIELD_NS = 3_000;

    private final int minPolls;
    private final int maxPolls;
    private final boolean mayLengthen;
    private int polls;

    /**
     * @param crowded whether there are more ranks than cores: then a rank that waits is likely to be in the way of the
     *     rank it waits for
     */
    SpinBudget(boolean crowded) {
        this.minPolls = crowded ? MIN_POLLS_CROWDED : MIN_POLLS;
        this.maxPolls = crowded ? MAX_POLLS_CROWDED : MAX_POLLS;
        this.mayLengthen = !crowded;
        this.polls = crowded ? minPolls : MAX_POLLS;
    }

    int polls() {
        return polls;
    }

    /** Returns how often to poll for a completion that was looked at several times already, without a poll. */
    int pollsAfterLooks() {
        return mayLengthen ? polls : 0;
    }

    void onSuccess() {
        polls = Math.min(maxPolls, polls + polls / 8 + 1);
    }

    /**
     * Notes that the spin was in vain, and the wait went on.
     *
     * @param waitedNs from the end of the spin
     * @param longestYieldNs of the yields since then
     */
    void onFailure(long waitedNs, long longestYieldNs) {
        if (mayLengthen && waitedNs < NEAR_NS && longestYieldNs < FREE_YIELD_NS) {
            polls = Math.min(maxPolls, 2 * polls);
        } else {
            polls = Math.max(minPolls, polls / 2);
        }
    }
}
