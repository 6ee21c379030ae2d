package org.ulfmj.detector;

import java.util.Arrays;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/**
 * Any list of members without those that the caller of {@link #of} counts as missing (failed, departed or left out for
 * another reason), as index arithmetic. Memory grows only with the missing members, so that each of a hundred thousand
 * ranks can have a view of the whole world.
 *
 * <p>The <em>place</em> of a member is its position among the members that are left, in rank order.
 */
public final class LiveMembers {
    private final SlotRuns members;

    /** Ranks that are missing, ascending. */
    private final int[] missing;

    private LiveMembers(SlotRuns members, int[] missing) {
        this.members = members;
        this.missing = missing;
    }

    /** @param gone slots that count as missing; slots outside {@code members} are ignored */
    public static LiveMembers of(SlotRuns members, SlotSet gone) {
        int[] ranks = gone.toArray();
        int count = 0;
        for (int slot : ranks) {
            int rank = members.rank(slot);
            if (rank >= 0) {
                ranks[count++] = rank;
            }
        }
        int[] missing = Arrays.copyOf(ranks, count);
        Arrays.sort(missing);
        return new LiveMembers(members, missing);
    }

    public int size() {
        return members.size() - missing.length;
    }

    /** Whether the slot is a member and not missing. */
    public boolean contains(int slot) {
        int rank = members.rank(slot);
        return rank >= 0 && Arrays.binarySearch(missing, rank) < 0;
    }

    /**
     * Returns the place of a member of this list; for a missing one the place of the next member that is not missing,
     * wrapping round. −1 for a slot that is no member of the list, or if no member is left.
     */
    public int place(int slot) {
        int rank = members.rank(slot);
        if (rank < 0 || size() == 0) {
            return -1;
        }
        int found = Arrays.binarySearch(missing, rank);
        int missingBefore = found >= 0 ? found : -found - 1;
        return (rank - missingBefore) % size();
    }

    /** Slot at a place, 0 ≤ place &lt; size. */
    public int slot(int place) {
        if (place < 0 || place >= size()) {
            throw new IndexOutOfBoundsException("place " + place + " of " + size());
        }
        int low = 0;
        int high = missing.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (missing[middle] - middle <= place) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return members.slot(place + low);
    }
}
