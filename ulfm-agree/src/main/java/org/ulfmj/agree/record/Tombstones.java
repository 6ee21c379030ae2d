package org.ulfmj.agree.record;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Ids of communicators that are forgotten, eight bytes each, for as long as a message about one may still be on its
 * way: what comes for them is dropped. Without them a late revocation would be taken for one of a communicator that
 * does not exist yet, spread again among those that have forgotten it, and kept for the rest of the job. Not
 * thread-safe.
 */
public final class Tombstones {
    /** This many generations there are in the time that each is kept, at most. */
    private static final int GENERATIONS = 8;

    private final long keptNs;
    /** Oldest first. */
    private final List<Generation> generations = new ArrayList<>();

    private static final class Generation {
        final long sinceNs;
        long[] ids;

        Generation(long sinceNs, long[] ids) {
            this.sinceNs = sinceNs;
            this.ids = ids;
        }
    }

    /** @param keptNs at least this long, and until more are added, each is kept */
    public Tombstones(long keptNs) {
        this.keptNs = keptNs;
    }

    public boolean contains(long id) {
        for (Generation each : generations) {
            if (Arrays.binarySearch(each.ids, id) >= 0) {
                return true;
            }
        }
        return false;
    }

    /** Adds these, in any order; those of which nothing can come any more go. */
    public void add(long[] ids, long nowNs) {
        while (!generations.isEmpty() && nowNs - generations.get(0).sinceNs >= keptNs + keptNs / GENERATIONS) {
            generations.remove(0);
        }
        Generation last = generations.isEmpty() ? null : generations.get(generations.size() - 1);
        if (last == null || nowNs - last.sinceNs >= keptNs / GENERATIONS) {
            last = new Generation(nowNs, new long[0]);
            generations.add(last);
        }
        last.ids = joined(last.ids, ids);
        Arrays.sort(last.ids);
    }

    public int size() {
        int size = 0;
        for (Generation each : generations) {
            size += each.ids.length;
        }
        return size;
    }

    private static long[] joined(long[] one, long[] other) {
        long[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }
}
