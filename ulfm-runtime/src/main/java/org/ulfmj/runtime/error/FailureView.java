package org.ulfmj.runtime.error;

import java.util.Arrays;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/**
 * The failures in one communicator that this rank knows: the failed members, in the order in which this rank learned of
 * them, and how many of them the program has acknowledged. The list only grows at its end, so an earlier answer is a
 * prefix of every later one. Whether receives from any source may wait follows from these and is never stored: an
 * acknowledgement that races with a failure cannot allow them by mistake.
 */
public final class FailureView {
    private static final int[] NONE = {};

    private final SlotRuns members;
    private int[] failed = NONE;
    private int acknowledged;
    /**
     * How many failures must be acknowledged before receives from any source may wait: all up to the last one of a
     * member that could have sent a message.
     */
    private int heeded;

    /**
     * The first of the members from which no message can come: those of this rank's own group of an inter-communicator.
     * There are none if this equals {@link #endOfSilent}.
     */
    private final int firstSilent;

    private final int endOfSilent;

    public FailureView(SlotRuns members) {
        this(members, 0, 0);
    }

    /**
     * @param firstSilent the index of the first member from which no message of the program can come
     * @param endOfSilent the index behind the last of these members
     */
    public FailureView(SlotRuns members, int firstSilent, int endOfSilent) {
        this.members = members;
        this.firstSilent = firstSilent;
        this.endOfSilent = endOfSilent;
    }

    public void add(int rank) {
        failed = Arrays.copyOf(failed, failed.length + 1);
        failed[failed.length - 1] = rank;
        if (rank < firstSilent || rank >= endOfSilent) {
            heeded = failed.length;
        }
    }

    public boolean isEmpty() {
        return failed.length == 0;
    }

    /** Returns the failed ranks in the order in which this rank learned of them; a copy. */
    public int[] inOrder() {
        return failed.clone();
    }

    public boolean contains(int rank) {
        for (int candidate : failed) {
            if (candidate == rank) {
                return true;
            }
        }
        return false;
    }

    /** Acknowledges the first {@code count} failures; returns how many are acknowledged now. */
    public int acknowledge(int count) {
        acknowledged = Math.max(acknowledged, Math.min(count, failed.length));
        return acknowledged;
    }

    public boolean wildcardsOpen() {
        return acknowledged >= heeded;
    }

    public SlotSet acknowledgedSlots() {
        return slots(acknowledged);
    }

    private SlotSet slots(int count) {
        int[] slots = new int[count];
        for (int i = 0; i < count; i++) {
            slots[i] = members.slot(failed[i]);
        }
        return SlotSet.of(slots);
    }
}
