package org.ulfmj.runtime.error;

import java.util.Arrays;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/**
 * What one communicator knows of failures: its failed members, in the order in which this rank learned of them, and how
 * many of them the program has acknowledged. The order only grows at its end, so an earlier answer is a prefix of every
 * later one. Whether wildcard receives may wait follows from these two and is never stored: an acknowledgement that
 * races with a failure cannot open them by mistake.
 */
public final class FailureView {
    private static final int[] NONE = {};

    private final SlotRuns members;
    private int[] failed = NONE;
    private int acknowledged;

    public FailureView(SlotRuns members) {
        this.members = members;
    }

    public void add(int rank) {
        failed = Arrays.copyOf(failed, failed.length + 1);
        failed[failed.length - 1] = rank;
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
        return acknowledged == failed.length;
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
