package org.ulfmj.transport.local;

import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * All pairs of lanes that end at one rank. A sender announces its pair; the receiver takes the pair in and reads it.
 */
final class LocalInboundLanes {
    private static final LocalPair[] NONE = {};

    /** The pairs that senders have announced and the receiver has not taken over yet. */
    private final ArrayDeque<LocalPair> announced = new ArrayDeque<>(0);

    private volatile boolean hasNews;

    /**
     * The pairs that the receiver reads. The array is replaced, never changed, so that it can be read without a lock.
     */
    private volatile LocalPair[] pairs = NONE;

    /** Announces a pair. Called by the sender, before the first record. */
    synchronized void announce(LocalPair pair) {
        announced.addLast(pair);
        hasNews = true;
    }

    boolean hasNews() {
        return hasNews;
    }

    /** Takes out the pair that was announced first; null if there is none. */
    synchronized LocalPair pollAnnounced() {
        LocalPair pair = announced.pollFirst();
        hasNews = !announced.isEmpty();
        return pair;
    }

    /** Adds a pair, which is read from now on. */
    synchronized void add(LocalPair pair) {
        LocalPair[] more = Arrays.copyOf(pairs, pairs.length + 1);
        more[pairs.length] = pair;
        pairs = more;
    }

    /** Removes a pair, which is not read any more. */
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

    /** Removes all pairs: the receiver has ended. */
    synchronized void clear() {
        announced.clear();
        hasNews = false;
        pairs = NONE;
    }

    /** The pairs that are read at this moment. The caller must not change the array. */
    LocalPair[] current() {
        return pairs;
    }

    /** Whether no open pair holds a record, and no announced pair waits to be taken over by the receiver. */
    boolean areEmpty() {
        if (hasNews) {
            return false;
        }
        for (LocalPair pair : pairs) {
            if (!pair.isEmpty()) {
                return false;
            }
        }
        return true;
    }
}
