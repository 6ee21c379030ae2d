package org.ulfmj.agree;

import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The decisions of one communicator that somebody may still ask for.
 *
 * <p>A rank that decides returns to its caller at once, without waiting for its children: so it must be able to repeat
 * the decision to those whose parent died with it. Every contribution says which decisions its rank stores; what all
 * contributors store, all have decided, so nobody live needs to ask for it again, and it is dropped. In the steady state
 * only the last decision is left, whatever the number of agreements.
 */
final class DecisionLog {
    private final NavigableMap<Long, Decision> stored = new TreeMap<>();

    void add(long sequence, Decision decision) {
        if (stored.putIfAbsent(sequence, decision) != null) {
            throw new IllegalStateException("agreement " + sequence + " was decided twice");
        }
    }

    /** The decision, or null if there is none (yet, or any more). */
    Decision get(long sequence) {
        return stored.get(sequence);
    }

    /** Start of the contiguous run of stored decisions that begins with the oldest; {@code Long.MAX_VALUE} if none is. */
    long storedFrom() {
        return stored.isEmpty() ? Long.MAX_VALUE : stored.firstKey();
    }

    /** End of that run; 0 if nothing is stored. */
    long storedTo() {
        if (stored.isEmpty()) {
            return 0;
        }
        long last = stored.firstKey();
        while (stored.containsKey(last + 1)) {
            last++;
        }
        return last;
    }

    /** Drops the decisions {@code from} to {@code to}, both included; an empty range drops nothing. */
    void collect(long from, long to) {
        if (from <= to) {
            stored.subMap(from, true, to, true).clear();
        }
    }

    int size() {
        return stored.size();
    }
}
