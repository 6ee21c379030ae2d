package org.ulfmj.rendezvous.replacement;

import java.util.Arrays;

/**
 * How often each rank may be started again, and how soon. Each rank has its own count: a rank that always dies takes no
 * restart from the others, and the count means the same in a job of any size.
 *
 * <p>The first restart comes at once, because most failures have to do with the machine and not with the program. The
 * second restart begins at least {@value #FIRST_GAP_MS} ms after the first, and that gap doubles with each further
 * restart, up to {@value #MOST_GAP_MS} ms. So a process that dies early is not restarted in a hurry, and one that lived
 * longer than the gap is followed at once. Pure.
 */
final class RestartBudget {
    private static final long FIRST_GAP_MS = 500;
    private static final long MOST_GAP_MS = 30_000;
    private static final long MS = 1_000_000;

    private final int most;
    private final int[] used;
    private final long[] lastStartNs;

    /** @param most restarts of one rank */
    RestartBudget(int size, int most) {
        this.most = most;
        this.used = new int[size];
        this.lastStartNs = new long[size];
        Arrays.fill(lastStartNs, Long.MIN_VALUE / 2);
    }

    boolean isUsedUp(int slot) {
        return used[slot] >= most;
    }

    /** Takes one more restart of this rank. Returns the time at which the restart may begin. */
    long take(int slot, long nowNs) {
        if (isUsedUp(slot)) {
            throw new IllegalStateException(
                    "rank " + slot + " has been started again " + used[slot] + " times of " + most);
        }
        used[slot]++;
        long atNs = used[slot] == 1 ? nowNs : Math.max(nowNs, lastStartNs[slot] + gapNs(used[slot]));
        lastStartNs[slot] = atNs;
        return atNs;
    }

    /** The number of restarts of this rank so far, with the one that was taken last. */
    int used(int slot) {
        return used[slot];
    }

    /** The shortest time between a restart and the restart before it, for the second restart and later ones. */
    static long gapNs(int restart) {
        int doublings = Math.min(restart - 2, Long.SIZE - Long.numberOfLeadingZeros(MOST_GAP_MS / FIRST_GAP_MS));
        return Math.min(FIRST_GAP_MS << doublings, MOST_GAP_MS) * MS;
    }
}
