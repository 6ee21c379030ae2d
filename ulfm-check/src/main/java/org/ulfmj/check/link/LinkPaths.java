package org.ulfmj.check.link;

import java.util.Map;
import java.util.TreeMap;

/** Whether the path between two slots carries messages, per direction. That holds for all connections on the path. */
final class LinkPaths {
    private final Map<Long, Long> carryAgainNs = new TreeMap<>();

    /** Holds one direction up until a time: messages that are sent from now on and before that time arrive after it. */
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

    /** The time from which on the path carries messages: 0 if it was never held up, {@link Long#MAX_VALUE} if cut. */
    long carriesFromNs(int from, int to) {
        return carryAgainNs.isEmpty() ? 0 : carryAgainNs.getOrDefault(direction(from, to), 0L);
    }

    private static long direction(int from, int to) {
        return (long) from << Integer.SIZE | to;
    }
}
