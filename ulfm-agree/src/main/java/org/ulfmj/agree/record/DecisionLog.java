package org.ulfmj.agree.record;

import org.ulfmj.agree.message.Decision;

/**
 * The decisions of one communicator that a process may still ask for.
 *
 * <p>A rank that decides returns to its caller at once, without waiting for its children. So it must be able to repeat
 * the decision to ranks whose parent died with the decision. Every contribution says which decisions its rank stores. A
 * decision that all contributors store is dropped: all of them have decided, so no live process needs to ask for it. In
 * the steady state only the last decision is left, however many agreements there were.
 */
public final class DecisionLog {
    private final SequenceMap<Decision> stored = new SequenceMap<>();

    public void add(long sequence, Decision decision) {
        if (!stored.add(sequence, decision)) {
            throw new IllegalStateException("agreement " + sequence + " was decided twice");
        }
    }

    /** The stored decision of an agreement; null if it is not decided yet, or its decision was dropped. */
    public Decision get(long sequence) {
        return stored.at(sequence);
    }

    /**
     * The number of the oldest stored decision, with which the first run of stored decisions without a missing number
     * begins; {@code Long.MAX_VALUE} if none is stored.
     */
    public long storedFrom() {
        return stored.size() == 0 ? Long.MAX_VALUE : stored.sequence(0);
    }

    /** The number of the last decision of the run that begins at {@link #storedFrom}; 0 if none is stored. */
    public long storedTo() {
        if (stored.size() == 0) {
            return 0;
        }
        int last = 0;
        while (last + 1 < stored.size() && stored.sequence(last + 1) == stored.sequence(last) + 1) {
            last++;
        }
        return stored.sequence(last);
    }

    /** Drops the decisions {@code from} to {@code to}, both included; an empty range drops nothing. */
    public void collect(long from, long to) {
        if (from <= to) {
            stored.dropAll(from, to);
        }
    }

    public int size() {
        return stored.size();
    }
}
