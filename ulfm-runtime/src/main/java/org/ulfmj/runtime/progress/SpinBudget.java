package org.ulfmj.runtime.progress;

/**
 * For how many polls a wait spins before it yields: between 4 and 400, or between 1 and 40 where ranks exceed cores. A
 * spin that meets what it waits for makes the number grow, and a spin in vain halves it. So a thread that shares its
 * core with the thread it waits for soon stops spinning.
 *
 * <p>A spin that was only a little too short does not count as in vain where ranks do not exceed cores: if the awaited
 * event came so soon afterwards that the longest spin would have met it, and no yield gave the core to another thread,
 * the number is doubled. Otherwise two ranks that have both come to spin too briefly would stay so, each being late for
 * the other.
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
    /**
     * A yield that takes less time than this gave the core to no other thread: such a yield takes half a microsecond.
     */
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

    /**
     * Returns how often to poll while waiting for a completion that the thread has already looked at several times in
     * shared memory, without a poll. It is 0 where ranks exceed cores.
     */
    int pollsAfterLooks() {
        return mayLengthen ? polls : 0;
    }

    void onSuccess() {
        polls = Math.min(maxPolls, polls + polls / 8 + 1);
    }

    /**
     * Notes that a spin ended before the awaited event came, and that the yields and sleeps after it have ended.
     *
     * @param waitedNs the time from the end of the spin to the end of these
     * @param longestYieldNs the longest of the yields since the spin
     */
    void onFailure(long waitedNs, long longestYieldNs) {
        if (mayLengthen && waitedNs < NEAR_NS && longestYieldNs < FREE_YIELD_NS) {
            polls = Math.min(maxPolls, 2 * polls);
        } else {
            polls = Math.max(minPolls, polls / 2);
        }
    }
}
