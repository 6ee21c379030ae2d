package org.ulfmj.transport.local;

import java.util.Arrays;

/** All pairs of lanes that end at one rank. Senders add theirs, the receiver reads. */
final class InboundLanes {
    private static final LocalPair[] NONE = {};

    /** Replaced, never changed, so that it can be read without a lock. */
    private volatile LocalPair[] pairs = NONE;

    synchronized void add(LocalPair pair) {
        LocalPair[] more = Arrays.copyOf(pairs, pairs.length + 1);
        more[pairs.length] = pair;
        pairs = more;
    }

    /** The pairs at this moment; not to be written to. */
    LocalPair[] current() {
        return pairs;
    }

    boolean areEmpty() {
        for (LocalPair pair : pairs) {
            if (!pair.isEmpty()) {
                return false;
            }
        }
        return true;
    }
}
