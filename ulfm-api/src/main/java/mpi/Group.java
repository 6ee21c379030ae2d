package mpi;

import java.util.Arrays;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/**
 * An ordered set of processes. All operations are local. Immutable but for {@link #free}; may be used by all threads of the
 * rank that made it.
 *
 * <p>Bad arguments raise an {@link MPIException} of class {@code ERR_GROUP}, {@code ERR_RANK} or {@code ERR_ARG} by the
 * error handler of {@link MPI#COMM_SELF}.
 */
public final class Group implements Freeable {
    private final SlotRuns members;
    private volatile boolean freed;

    Group(SlotRuns members) {
        this.members = members;
    }

    SlotRuns members() {
        return members;
    }

    /** The number of processes. */
    public int getSize() {
        return valid("getSize", this).size();
    }

    /** The caller's rank in this group, or {@link MPI#UNDEFINED} if it is not in it. */
    public int getRank() {
        int slot = Ranks.current("getRank").runtime().id().slot();
        int rank = valid("getRank", this).rank(slot);
        return rank < 0 ? MPI.UNDEFINED : rank;
    }

    /** Gives the group back; it is null afterwards. {@link MPI#GROUP_EMPTY} stays as it is. */
    @Override
    public void free() {
        valid("free", this);
        if (this != MPI.GROUP_EMPTY) {
            freed = true;
        }
    }

    /** Whether the group was freed. */
    public boolean isNull() {
        return freed;
    }

    /**
     * The ranks in {@code group2} of the processes that have the given ranks in {@code group1}: a new array of the same
     * length, with {@link MPI#UNDEFINED} for processes that are not in {@code group2} and {@link MPI#PROC_NULL} for
     * {@link MPI#PROC_NULL}.
     */
    public static int[] translateRanks(Group group1, int[] ranks1, Group group2) {
        SlotRuns from = valid("translateRanks", group1);
        SlotRuns to = valid("translateRanks", group2);
        int[] translated = notNull("translateRanks", "ranks1", ranks1).clone();
        for (int i = 0; i < translated.length; i++) {
            if (ranks1[i] != MPI.PROC_NULL) {
                inRange("translateRanks", "ranks1", i, ranks1[i], from.size());
                int rank = to.rank(from.slot(ranks1[i]));
                translated[i] = rank < 0 ? MPI.UNDEFINED : rank;
            }
        }
        return translated;
    }

    /**
     * Compares two groups: {@link MPI#IDENT} for the same processes in the same order, {@link MPI#SIMILAR} in another
     * order, else {@link MPI#UNEQUAL}.
     */
    public static int compare(Group group1, Group group2) {
        return Groups.compare(valid("compare", group1), valid("compare", group2));
    }

    /** The processes of the first group, then those of the second that are not in the first. */
    public static Group union(Group group1, Group group2) {
        return new Group(Groups.union(valid("union", group1), valid("union", group2)));
    }

    /** The processes of the first group that are also in the second, in the first one's order. */
    public static Group intersection(Group group1, Group group2) {
        SlotSet second = SlotSet.of(valid("intersection", group2).toArray());
        return new Group(Groups.select(valid("intersection", group1), second, true));
    }

    /** The processes of the first group that are not in the second, in the first one's order. */
    public static Group difference(Group group1, Group group2) {
        SlotSet second = SlotSet.of(valid("difference", group2).toArray());
        return new Group(Groups.select(valid("difference", group1), second, false));
    }

    /** The processes with the given ranks, in the given order; no rank twice. */
    public Group incl(int[] ranks) {
        return pick("incl", "ranks", notNull("incl", "ranks", ranks));
    }

    /** The processes without those of the given ranks, in the same order; no rank twice. */
    public Group excl(int[] ranks) {
        Group excluded = pick("excl", "ranks", notNull("excl", "ranks", ranks));
        return difference(this, excluded);
    }

    /**
     * The processes with the ranks of some ranges, in their order; no rank twice.
     *
     * @param ranges triples {@code {first, last, stride}}: first, first + stride, … up to last; the stride is not 0 and may
     *     be negative
     */
    public Group rangeIncl(int[][] ranges) {
        return pick("rangeIncl", "ranges", expand("rangeIncl", ranges));
    }

    /** The processes without those of some ranges, as in {@link #rangeIncl}, in the same order; no rank twice. */
    public Group rangeExcl(int[][] ranges) {
        return difference(this, pick("rangeExcl", "ranges", expand("rangeExcl", ranges)));
    }

    private Group pick(String operation, String argument, int[] ranks) {
        SlotRuns from = valid(operation, this);
        int[] slots = new int[ranks.length];
        for (int i = 0; i < ranks.length; i++) {
            inRange(operation, argument, i, ranks[i], from.size());
            slots[i] = from.slot(ranks[i]);
        }
        int[] sorted = slots.clone();
        Arrays.sort(sorted);
        for (int i = 1; i < sorted.length; i++) {
            if (sorted[i] == sorted[i - 1]) {
                throw Exceptions.withoutCommunicator(
                        "Group." + operation,
                        MPI.ERR_RANK,
                        argument + " names rank " + from.rank(sorted[i]) + " twice; allowed: each rank once");
            }
        }
        return new Group(SlotRuns.of(slots));
    }

    private int[] expand(String operation, int[][] ranges) {
        if (ranges == null) {
            throw Exceptions.withoutCommunicator("Group." + operation, MPI.ERR_ARG, "ranges is null");
        }
        int size = valid(operation, this).size();
        int[] ranks = new int[0];
        for (int i = 0; i < ranges.length; i++) {
            int[] range = ranges[i];
            if (range == null || range.length != 3 || range[2] == 0) {
                throw Exceptions.withoutCommunicator(
                        "Group." + operation,
                        MPI.ERR_ARG,
                        "ranges[" + i + "] is " + Arrays.toString(range)
                                + "; allowed: {first, last, stride} with a stride other than 0");
            }
            int steps = (int) Math.max(-1, Math.min(size, Math.floorDiv((long) range[1] - range[0], (long) range[2])));
            int filled = ranks.length;
            ranks = Arrays.copyOf(ranks, filled + steps + 1);
            for (int step = 0; step <= steps; step++) {
                ranks[filled + step] = range[0] + step * range[2];
                inRange(operation, "ranges", i, ranks[filled + step], size);
            }
        }
        return ranks;
    }

    private static SlotRuns valid(String operation, Group group) {
        if (group == null || group.freed) {
            throw Exceptions.withoutCommunicator(
                    "Group." + operation, MPI.ERR_GROUP, group == null ? "a group is null" : "the group was freed");
        }
        return group.members;
    }

    private static int[] notNull(String operation, String argument, int[] ranks) {
        if (ranks == null) {
            throw Exceptions.withoutCommunicator("Group." + operation, MPI.ERR_ARG, argument + " is null");
        }
        return ranks;
    }

    private static void inRange(String operation, String argument, int index, int rank, int size) {
        if (rank < 0 || rank >= size) {
            throw Exceptions.withoutCommunicator(
                    "Group." + operation,
                    MPI.ERR_RANK,
                    argument + "[" + index + "] names rank " + rank + "; allowed: 0 to " + (size - 1));
        }
    }

    /** {@code group [0..3]}. */
    @Override
    public String toString() {
        return freed ? "null group" : "group " + members;
    }
}
