package org.ulfmj.runtime.progress;

/**
 * For how long a wait yields before it sleeps: 200 µs, or 10 ms where ranks share cores and one short wait follows the
 * other; or not at all for a while, where a thread that computes has the same core.
 *
 * <p>Where ranks exceed cores, a waiting thread has to let several others have their turn first, and a processor that a
 * virtual machine's compilers use besides gives turns of milliseconds. A rank that goes to sleep meanwhile needs a bell
 * and its own turn to come back, and is then late for the others, who go to sleep too: eight ranks on two cores took
 * four times as long for a barrier with sleeps in it. But a rank that waits because another one computes takes the core
 * from that one with each yield: such waits are of a millisecond and more, and a few of them are enough to sleep early
 * again.
 *
 * <p>And a yield beside a thread that computes, a compiler's or a rank's, gives it a whole turn, and each further yield
 * one more, whichever message comes meanwhile; a thread that sleeps instead gets the core at once when the bell rings.
 * So a yield that took a turn is the last one for some milliseconds, and for longer if the next attempt meets the same.
 * Where each rank may have a core, the thread that computes is a compiler in most cases, and a job's first second: a
 * wait then polls instead of yielding, for the same 200 µs, because the message comes sooner than the compiler is
 * through.
 *
 * <p>Under the engine lock.
 */
final class YieldBudget {
    private static final long SHORT_NS = 200_000;
    private static final long LONG_NS = 10_000_000;
    /** The least length of a wait that is not calm: a wait for others that do nothing but communicate is shorter. */
    private static final long CALM_NS = 1_000_000;

    /** This many calm waits make the budget long. */
    private static final int ENOUGH = 1_000;

    private static final int MOST = 2 * ENOUGH;
    /** A wait that was not calm takes back this many that were. */
    private static final int COST = 10;

    /**
     * A yield that took this long gave a whole turn to a thread that computes. Turns of ranks that only communicate are
     * shorter.
     */
    private static final long TURN_NS = 1_000_000;
    /** The same where ranks do not exceed cores: no rank takes turns with this one. */
    private static final long FOREIGN_TURN_NS = 500_000;

    private static final long FOREIGN_ABSTENTION_NS = 100_000_000;

    private static final long SHORTEST_ABSTENTION_NS = 2_000_000;
    private static final long LONGEST_ABSTENTION_NS = 100_000_000;
    /** This many waits without a dear yield halve the next abstention. */
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

    /** Returns for how long a wait may yield, from the end of its spin to its first sleep. */
    long budgetNs(long nowNs) {
        if (abstains && nowNs - abstainsUntilNs < 0) {
            return sharesCores ? 0 : SHORT_NS;
        }
        abstains = false;
        return calm >= ENOUGH ? LONG_NS : SHORT_NS;
    }

    /** Whether the time that {@link #budgetNs} gave last is to be polled, without a yield. */
    boolean isForPolls() {
        return abstains && !sharesCores;
    }

    /** Whether a yield that took this long is the last one for now. */
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

    /** Notes that a wait that went beyond its spin is over, after this long, sleeps included. */
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
