package org.ulfmj.transport.local;

import java.util.ArrayDeque;
import java.util.Arrays;

/** All pairs of lanes that end at one rank. Senders announce theirs, the receiver takes them in and reads. */
final class LocalInboundLanes {
    private static final LocalPair[] NONE = {};

    /** What senders have made and the receiver has not seen. */
    private final ArrayDeque<LocalPair> announced = new ArrayDeque<>(0);

    private volatile boolean hasNews;

    /** Replaced, never changed, so that it can be read without a lock. */
    private volatile LocalPair[] pairs = NONE;

    /** Announces a pair: called by the sender, before the first record. */
    synchronized void announce(LocalPair pair) {
        announced.addLast(pair);
        hasNews = true;
    }

    boolean hasNews() {
        return hasNews;
    }

    /** One that was announced, or null. */
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

    /** Removes a pair: nothing of it is read any more. */
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

    /** Removes all pairs: the receiver is dead. */
    synchronized void clear() {
        announced.clear();
        hasNews = false;
        pairs = NONE;
    }

    /** The pairs at this moment; not to be written to. */
    LocalPair[] current() {
        return pairs;
    }

    /** Whether there is nothing that the receiver would read, or look at for the first time. */
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
