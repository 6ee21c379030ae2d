package mpi;

import java.util.Arrays;
import org.ulfmj.protocol.ProcessId;

/**
 * An ordered set of processes (MPI 3.1 section 6.3). All operations are local. Immutable but for {@link #free}; may be
 * used by all threads of the rank that made it.
 *
 * <p>A group holds processes, not places: the replacement of a dead process is not in the groups that the dead one was
 * in.
 *
 * <p>Bad arguments raise an {@link MPIException} of class {@code ERR_GROUP}, {@code ERR_RANK} or {@code ERR_ARG}, which
 * names the argument. The error handler of {@link MPI#COMM_SELF} is asked.
 */
public final class Group implements Freeable {
    private final ProcessList members;
    private volatile boolean freed;

    Group(ProcessList members) {
        this.members = members;
    }

    ProcessList members() {
        return members;
    }

    /**
     * The number of processes.
     *
     * <p>{@code MPI_Group_size}, MPI 3.1 section 6.3.1.
     */
    public int getSize() {
        return own("getSize").size();
    }

    /**
     * The caller's rank in this group, or {@link MPI#UNDEFINED} if the caller is not in it.
     *
     * <p>{@code MPI_Group_rank}, MPI 3.1 section 6.3.1.
     */
    public int getRank() {
        ProcessId caller = Ranks.current("getRank").runtime().id();
        return own("getRank").rank(caller);
    }

    /**
     * Gives the group back; it is null afterwards. {@link MPI#GROUP_EMPTY} stays as it is.
     *
     * <p>{@code MPI_Group_free}, MPI 3.1 section 6.3.3.
     */
    @Override
    public void free() {
        own("free");
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
     *
     * <p>{@code MPI_Group_translate_ranks}, MPI 3.1 section 6.3.1.
     */
    public static int[] translateRanks(Group group1, int[] ranks1, Group group2) {
        ProcessList from = valid("translateRanks", "group1", group1);
        ProcessList to = valid("translateRanks", "group2", group2);
        int[] translated = notNull("translateRanks", "ranks1", ranks1).clone();
        for (int i = 0; i < translated.length; i++) {
            if (translated[i] != MPI.PROC_NULL) {
                inRange("translateRanks", "ranks1", i, translated[i], from.size());
                translated[i] = to.rank(from.get(translated[i]));
            }
        }
        return translated;
    }

    /**
     * Compares two groups: {@link MPI#IDENT} for the same processes in the same order, {@link MPI#SIMILAR} in another
     * order, else {@link MPI#UNEQUAL}.
     *
     * <p>{@code MPI_Group_compare}, MPI 3.1 section 6.3.1.
     */
    public static int compare(Group group1, Group group2) {
        return valid("compare", "group1", group1).compare(valid("compare", "group2", group2));
    }

    /**
     * The processes of the first group, then those of the second that are not in the first.
     *
     * <p>{@code MPI_Group_union}, MPI 3.1 section 6.3.2.
     */
    public static Group union(Group group1, Group group2) {
        ProcessList first = valid("union", "group1", group1);
        return new Group(first.union(valid("union", "group2", group2)));
    }

    /**
     * The processes of the first group that are also in the second, in the first one's order.
     *
     * <p>{@code MPI_Group_intersection}, MPI 3.1 section 6.3.2.
     */
    public static Group intersection(Group group1, Group group2) {
        ProcessList first = valid("intersection", "group1", group1);
        return new Group(first.select(valid("intersection", "group2", group2), true));
    }

    /**
     * The processes of the first group that are not in the second, in the first one's order.
     *
     * <p>{@code MPI_Group_difference}, MPI 3.1 section 6.3.2.
     */
    public static Group difference(Group group1, Group group2) {
        ProcessList first = valid("difference", "group1", group1);
        return new Group(first.select(valid("difference", "group2", group2), false));
    }

    /**
     * The processes with the given ranks, in the given order; no rank twice.
     *
     * <p>{@code MPI_Group_incl}, MPI 3.1 section 6.3.2.
     */
    public Group incl(int[] ranks) {
        return new Group(pick("incl", "ranks", notNull("incl", "ranks", ranks)));
    }

    /**
     * The processes without those of the given ranks, in the same order; no rank twice.
     *
     * <p>{@code MPI_Group_excl}, MPI 3.1 section 6.3.2.
     */
    public Group excl(int[] ranks) {
        ProcessList excluded = pick("excl", "ranks", notNull("excl", "ranks", ranks));
        return new Group(members.select(excluded, false));
    }

    /**
     * The processes with the ranks of some ranges, in their order; no rank twice.
     *
     * <p>{@code MPI_Group_range_incl}, MPI 3.1 section 6.3.2.
     *
     * @param ranges triples {@code {first, last, stride}}: first, first + stride, … up to last; the stride is not 0 and
     *     may be negative
     */
    public Group rangeIncl(int[][] ranges) {
        return new Group(pick("rangeIncl", "ranges", expand("rangeIncl", ranges)));
    }

    /**
     * The processes without those of some ranges, as in {@link #rangeIncl}, in the same order; no rank twice.
     *
     * <p>{@code MPI_Group_range_excl}, MPI 3.1 section 6.3.2.
     */
    public Group rangeExcl(int[][] ranges) {
        ProcessList excluded = pick("rangeExcl", "ranges", expand("rangeExcl", ranges));
        return new Group(members.select(excluded, false));
    }

    private ProcessList pick(String operation, String argument, int[] ranks) {
        ProcessList from = own(operation);
        boolean[] picked = new boolean[from.size()];
        for (int i = 0; i < ranks.length; i++) {
            inRange(operation, argument, i, ranks[i], from.size());
            if (picked[ranks[i]]) {
                throw bad(
                        operation,
                        MPI.ERR_RANK,
                        argument + " names rank " + ranks[i] + " twice; allowed: each rank once");
            }
            picked[ranks[i]] = true;
        }
        return from.pick(ranks);
    }

    private int[] expand(String operation, int[][] ranges) {
        int size = own(operation).size();
        if (ranges == null) {
            throw bad(operation, MPI.ERR_ARG, "ranges is null; allowed: an array of {first, last, stride}");
        }
        int[] ranks = new int[0];
        for (int i = 0; i < ranges.length; i++) {
            int[] range = ranges[i];
            if (range == null || range.length != 3 || range[2] == 0) {
                throw bad(
                        operation,
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

    /** The processes of this group; throws if the group was freed. */
    private ProcessList own(String operation) {
        if (freed) {
            throw bad(operation, MPI.ERR_GROUP, "the group was freed; allowed: a group that was not");
        }
        return members;
    }

    private static ProcessList valid(String operation, String argument, Group group) {
        if (group == null || group.freed) {
            throw bad(
                    operation,
                    MPI.ERR_GROUP,
                    argument + (group == null ? " is null" : " was freed") + "; allowed: a group that was not freed");
        }
        return group.members;
    }

    private static int[] notNull(String operation, String argument, int[] ranks) {
        if (ranks == null) {
            throw bad(operation, MPI.ERR_ARG, argument + " is null; allowed: an array of ranks");
        }
        return ranks;
    }

    private static void inRange(String operation, String argument, int index, int rank, int size) {
        if (rank < 0 || rank >= size) {
            String allowed = size == 0 ? "none, since the group is empty" : "0 to " + (size - 1);
            throw bad(
                    operation, MPI.ERR_RANK, argument + "[" + index + "] names rank " + rank + "; allowed: " + allowed);
        }
    }

    private static MPIException bad(String operation, int errorClass, String problem) {
        return Exceptions.withoutCommunicator("Group." + operation, errorClass, problem);
    }

    /** For example {@code group [0, 1, 2]}. */
    @Override
    public String toString() {
        return freed ? "null group" : "group " + members;
    }
}
