package org.ulfmj.runtime.inter;

import java.util.Arrays;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/**
 * How the members of an inter-communicator are divided into two groups. The communicator of the engine has the members
 * of both: first those of the first group, then those of the second one, each in the order of its group. A rank of the
 * program counts within one group. Immutable.
 */
public final class TwoGroups {
    /** Stands for the caller where an operation names a root. The other ranks of the caller's group name no rank. */
    public static final int ROOT = -4;

    private final int firstSize;
    private final int size;
    private final boolean isFirst;

    /**
     * @param firstSize how many members are in the first group
     * @param size how many members both groups have together
     * @param isFirst whether this rank is in the first group
     */
    public TwoGroups(int firstSize, int size, boolean isFirst) {
        if (firstSize < 0 || firstSize > size) {
            throw new IllegalArgumentException("a first group of " + firstSize + " among " + size + " members");
        }
        this.firstSize = firstSize;
        this.size = size;
        this.isFirst = isFirst;
    }

    /** Whether this rank is in the first group. */
    public boolean isFirst() {
        return isFirst;
    }

    public int firstSize() {
        return firstSize;
    }

    public int localSize() {
        return isFirst ? firstSize : size - firstSize;
    }

    public int remoteSize() {
        return size - localSize();
    }

    /** The index, among all members, of the rank 0 of this rank's group. */
    public int localStart() {
        return isFirst ? 0 : firstSize;
    }

    /** The index, among all members, of the rank 0 of the other group. */
    public int remoteStart() {
        return isFirst ? firstSize : 0;
    }

    /** Whether a member is in the other group. */
    public boolean isRemote(int member) {
        return member < firstSize != isFirst;
    }

    /** The rank that a member has in its own group. */
    public int rankOf(int member) {
        return member < firstSize ? member : member - firstSize;
    }

    /**
     * Returns, in the same order, the ranks in their own group of those of the given members that are in the other
     * group.
     *
     * @param remote false to take the members that are in this rank's group instead
     */
    public int[] ranksOf(int[] chosen, boolean remote) {
        return Arrays.stream(chosen)
                .filter(member -> isRemote(member) == remote)
                .map(this::rankOf)
                .toArray();
    }

    /** Returns what an error message calls a member: {@code rank 1 of the remote group}. */
    public String name(int member) {
        return "rank " + rankOf(member) + (isRemote(member) ? " of the remote group" : " of the local group");
    }

    /** The same division without some members. */
    public TwoGroups without(SlotRuns members, SlotSet left) {
        int leftOfFirst = 0;
        int leftOfAll = 0;
        for (int member = 0; member < size; member++) {
            if (left.contains(members.slot(member))) {
                leftOfAll++;
                leftOfFirst += member < firstSize ? 1 : 0;
            }
        }
        return new TwoGroups(firstSize - leftOfFirst, size - leftOfAll, isFirst);
    }
}
