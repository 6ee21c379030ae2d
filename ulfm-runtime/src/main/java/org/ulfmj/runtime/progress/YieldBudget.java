package org.ulfmj.runtime.progress;

/**
 * For how long a wait yields before it sleeps: 200 µs by default; 10 ms where ranks share cores and there were many
 * short waits; not at all for a while, where a thread that computes shares the core.
 *
 * <p>Where ranks exceed cores, a waiting thread has to let several other ranks run first, and a core that a virtual
 * machine's compiler threads use besides is away for milliseconds. A rank that goes to sleep meanwhile needs a bell and
 * a time slice of its own to come back. It is then late for the others, which go to sleep too. But a rank that waits
 * because another rank computes takes the core from that rank with each yield. Such waits take a millisecond and more,
 * and each of them outweighs several short ones.
 *
 * <p>A yield beside a thread that computes, a compiler's or a rank's, gives a whole time slice to that thread, and each
 * further yield gives one more, even if a message comes meanwhile. A thread that sleeps instead gets the core at once
 * when the bell rings. So after a yield that took a time slice, waits do not yield for some milliseconds, and for
 * longer if the next attempt meets the same. Where each rank may have a core, the thread that computes is in most cases
 * a compiler, in a job's first second: a wait then polls instead of yielding, for the same 200 µs, because the message
 * comes before the compiler is done.
 *
 * <p>Under the engine lock.
 */
final class YieldBudget {
    private static final long SHORT_NS = 200_000;
    private static final long LONG_NS = 10_000_000;
    /** A wait that is shorter than this counts as calm. Waits for ranks that only communicate are shorter than this. */
    private static final long CALM_NS = 1_000_000;

    /** While the count of calm waits is at least this, the budget is {@code LONG_NS}. */
    private static final int ENOUGH = 1_000;

    private static final int MOST = 2 * ENOUGH;
    /** A wait that was not calm, but no longer than {@code LONG_NS}, reduces the count of calm waits by this many. */
    private static final int COST = 10;

    /**
     * Where ranks exceed cores: a yield that took this long gave a whole time slice to a thread that computes. Time
     * slices of ranks that only communicate are shorter.
     */
    private static final long TURN_NS = 1_000_000;
    /**
     * Where ranks do not exceed cores: a yield that took this long gave the core to a thread that computes. It is less
     * than {@code TURN_NS} because no other rank shares the core.
     */
    private static final long FOREIGN_TURN_NS = 500_000;

    private static final long FOREIGN_ABSTENTION_NS = 100_000_000;

    private static final long SHORTEST_ABSTENTION_NS = 2_000_000;
    private static final long LONGEST_ABSTENTION_NS = 100_000_000;
    /**
     * After this many waits without a yield that gave away a time slice, the next pause of yielding is half as long.
     */
    private static final int CHEAP_WAITS = 64;

    private final boolean sharesCores;
    private int calm;
    private boolean abstains;
    private long abstainsUntilNs;
    private long abstentionNs = SHORTEST_ABSTENTION_NS;
    private int cheapWaits;

    /** @param crowded more ranks than cores */
    YieldBudget(boolean crowded) {
        this.sharesCores = crowded;
    }

    /**
     * Returns for how long a wait may yield, from the end of its spin to its first sleep. During this time the wait
     * polls instead of yielding if {@link #isForPolls}.
     */
    long budgetNs(long nowNs) {
        if (abstains && nowNs - abstainsUntilNs < 0) {
            return sharesCores ? 0 : SHORT_NS;
        }
        abstains = false;
        return calm >= ENOUGH ? LONG_NS : SHORT_NS;
    }

    /** Whether a wait polls, without a yield, during the time that {@link #budgetNs} returned last. */
    boolean isForPolls() {
        return abstains && !sharesCores;
    }

    /**
     * Whether a yield that took this long gave a whole time slice to another thread. If so, waits do not yield for a
     * while from now on.
     */
    boolean isDear(long tookNs, long nowNs) {
        if (tookNs < (sharesCores ? TURN_NS : FOREIGN_TURN_NS)) {
            return false;
        }
        abstains = true;
        if (!sharesCores) {
            abstainsUntilNs = nowNs + FOREIGN_ABSTENTION_NS;
            return true;
        }
        abstainsUntilNs = nowNs + abstentionNs;
        abstentionNs = Math.min(LONGEST_ABSTENTION_NS, 2 * abstentionNs);
        cheapWaits = 0;
        return true;
    }

    /**
     * Notes the length of a wait that has ended and that went on after its spin; its yields and sleeps are included. No
     * effect unless ranks exceed cores.
     */
    void onWaited(long waitedNs) {
        if (!sharesCores) {
            return;
        }
        if (!abstains && ++cheapWaits == CHEAP_WAITS) {
            cheapWaits = 0;
            abstentionNs = Math.max(SHORTEST_ABSTENTION_NS, abstentionNs / 2);
        }
        if (waitedNs < CALM_NS) {
            calm = Math.min(MOST, calm + 1);
        } else {
            calm = waitedNs > LONG_NS ? 0 : Math.max(0, calm - COST);
        }
    }
}
