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

    /** Nothing of this pair is read any more. */
    synchronized void remove(LocalPair pair) {
        int at = 0;
        while (at < pairs.length && pairs[at] != pair) {
            at++;
        }
        if (at == pairs.length) {
            return;
        }
        LocalPair[] fewer = new LocalPair[pairs.length - 1];
        System.arraycopy(pairs, 0, fewer, 0, at);
        System.arraycopy(pairs, at + 1, fewer, at, fewer.length - at);
        pairs = fewer;
    }

    /** Nothing is read any more: the receiver is dead. */
    synchronized void clear() {
        pairs = NONE;
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
