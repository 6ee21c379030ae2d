package mpi;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.Communicator;
import org.ulfmj.runtime.inter.TwoGroups;

/**
 * Distinct processes in an order. A process is a slot of the world together with its incarnation: the replacement of a
 * dead process is another process, also for a group that was made before. Immutable.
 */
final class ProcessList {
    static final ProcessList EMPTY = new ProcessList(new ProcessId[0]);

    private static final int SHOWN = 16;

    private final ProcessId[] inOrder;
    /**
     * The rank of each process in this list. Made when it is first needed; if two threads need it at once, both may
     * make it.
     */
    private volatile Map<ProcessId, Integer> ranks;

    private ProcessList(ProcessId[] inOrder) {
        this.inOrder = inOrder;
    }

    static ProcessList of(ProcessId... processes) {
        return new ProcessList(processes.clone());
    }

    /** Returns the members of a communicator; of an inter-communicator, those of the caller's group. */
    static ProcessList ofMembers(Communicator communicator) {
        TwoGroups groups = communicator.groups();
        return ofRange(communicator, groups == null ? 0 : groups.localStart(), communicator.size());
    }

    /** Returns the members of the other group of an inter-communicator. */
    static ProcessList ofRemote(Communicator communicator) {
        return ofRange(communicator, communicator.groups().remoteStart(), communicator.peers());
    }

    private static ProcessList ofRange(Communicator communicator, int from, int size) {
        ProcessId[] members = new ProcessId[size];
        for (int rank = 0; rank < size; rank++) {
            members[rank] = communicator.process(from + rank);
        }
        return new ProcessList(members);
    }

    /** Returns the processes that have these ranks among all members of a communicator; no rank comes twice. */
    static ProcessList ofRanks(Communicator communicator, int[] ranks) {
        ProcessId[] members = new ProcessId[ranks.length];
        for (int i = 0; i < ranks.length; i++) {
            members[i] = communicator.process(ranks[i]);
        }
        return new ProcessList(members);
    }

    int size() {
        return inOrder.length;
    }

    ProcessId get(int rank) {
        return inOrder[rank];
    }

    /** Returns the rank of a process in this list, or {@link MPI#UNDEFINED} if it is not in the list. */
    int rank(ProcessId process) {
        return ranks().getOrDefault(process, MPI.UNDEFINED);
    }

    boolean contains(ProcessId process) {
        return ranks().containsKey(process);
    }

    private Map<ProcessId, Integer> ranks() {
        Map<ProcessId, Integer> known = ranks;
        if (known == null) {
            known = new HashMap<>(2 * inOrder.length);
            for (int rank = 0; rank < inOrder.length; rank++) {
                known.put(inOrder[rank], rank);
            }
            ranks = known;
        }
        return known;
    }

    /** {@link MPI#IDENT}, {@link MPI#SIMILAR} or {@link MPI#UNEQUAL}. */
    int compare(ProcessList other) {
        if (Arrays.equals(inOrder, other.inOrder)) {
            return MPI.IDENT;
        }
        return size() == other.size() && select(other, true).size() == size() ? MPI.SIMILAR : MPI.UNEQUAL;
    }

    /**
     * Returns the processes of this list, in its order, that are also in {@code other}, or, if {@code contained} is
     * false, those that are not in it.
     */
    ProcessList select(ProcessList other, boolean contained) {
        ProcessId[] selected = new ProcessId[inOrder.length];
        int count = 0;
        for (ProcessId process : inOrder) {
            if (other.contains(process) == contained) {
                selected[count++] = process;
            }
        }
        return new ProcessList(Arrays.copyOf(selected, count));
    }

    /** Returns the processes of this list, then those of another list that are not in this one. */
    ProcessList union(ProcessList other) {
        ProcessList added = other.select(this, false);
        ProcessId[] all = Arrays.copyOf(inOrder, size() + added.size());
        System.arraycopy(added.inOrder, 0, all, size(), added.size());
        return new ProcessList(all);
    }

    /** Returns the processes of the given ranks, which are distinct and within range. */
    ProcessList pick(int[] picked) {
        ProcessId[] processes = new ProcessId[picked.length];
        for (int i = 0; i < picked.length; i++) {
            processes[i] = inOrder[picked[i]];
        }
        return new ProcessList(processes);
    }

    /**
     * Returns for each process of this list its rank in a communicator, or {@link MPI#UNDEFINED} if it is no member.
     */
    int[] ranksIn(Communicator communicator) {
        int[] translated = new int[inOrder.length];
        for (int i = 0; i < inOrder.length; i++) {
            int rank = communicator.members().rank(inOrder[i].slot());
            boolean isMember = rank >= 0 && communicator.process(rank).equals(inOrder[i]);
            translated[i] = isMember ? rank : MPI.UNDEFINED;
        }
        return translated;
    }

    /** For example {@code [0, 1, 3'1]}; long lists are cut. */
    @Override
    public String toString() {
        if (inOrder.length <= SHOWN) {
            return Arrays.toString(inOrder);
        }
        String shown = Arrays.toString(Arrays.copyOf(inOrder, SHOWN));
        return shown.substring(0, shown.length() - 1) + ", … " + inOrder.length + " processes]";
    }
}
