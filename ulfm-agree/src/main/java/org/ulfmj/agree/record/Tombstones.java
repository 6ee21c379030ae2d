package org.ulfmj.agree.record;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Ids of communicators that are forgotten, eight bytes each. A message for such an id is dropped. The id is kept for a
 * given time at least, since messages for it may still be under way. Without its tombstone a late revocation would be
 * taken for one of a communicator that does not exist yet. It would be spread again among ranks that have forgotten the
 * communicator, and kept for the rest of the job. Not thread-safe.
 */
public final class Tombstones {
    /** The most generations that begin in the least time for which an id is kept. */
    private static final int GENERATIONS = 8;

    private final long keptNs;
    /** The generations of ids, oldest first. */
    private final List<Generation> generations = new ArrayList<>();

    private static final class Generation {
        final long sinceNs;
        long[] ids;

        Generation(long sinceNs, long[] ids) {
            this.sinceNs = sinceNs;
            this.ids = ids;
        }
    }

    /** @param keptNs the least time for which an id is kept */
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

    /** Adds ids, in any order, and drops the ids that are old enough. */
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
