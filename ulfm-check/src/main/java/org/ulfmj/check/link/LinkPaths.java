package org.ulfmj.check.link;

import java.util.Map;
import java.util.TreeMap;

/** The state of the paths between two slots, in each direction. It applies to all connections. */
final class LinkPaths {
    private final Map<Long, Long> carryAgainNs = new TreeMap<>();

    /** The path carries nothing until a time. Messages that are sent meanwhile arrive later. */
    void hold(int from, int to, long untilNs) {
        carryAgainNs.merge(direction(from, to), untilNs, Math::max);
    }

    /** The path carries nothing any more. */
    void cut(int from, int to) {
        hold(from, to, Long.MAX_VALUE);
    }

    boolean isCut(int from, int to) {
        return carriesFromNs(from, to) == Long.MAX_VALUE;
    }

    /** When the path carries again. A time in the past if it is in order now. */
    long carriesFromNs(int from, int to) {
        return carryAgainNs.isEmpty() ? 0 : carryAgainNs.getOrDefault(direction(from, to), 0L);
    }

    private static long direction(int from, int to) {
        return (long) from << Integer.SIZE | to;
    }
}
