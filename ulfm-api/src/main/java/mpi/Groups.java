package mpi;

import java.util.Arrays;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.runtime.Communicator;

/** Set operations on ordered lists of processes. */
final class Groups {
    private Groups() {}

    /** The group of some ranks of a communicator, in the given order. */
    static Group ofRanks(Communicator communicator, int[] ranks) {
        SlotRuns members = communicator.members();
        int[] slots = new int[ranks.length];
        for (int i = 0; i < ranks.length; i++) {
            slots[i] = members.slot(ranks[i]);
        }
        return new Group(SlotRuns.of(slots));
    }

    static int compare(SlotRuns one, SlotRuns other) {
        if (one.size() != other.size()) {
            return MPI.UNEQUAL;
        }
        int[] slots = one.toArray();
        int[] others = other.toArray();
        if (Arrays.equals(slots, others)) {
            return MPI.IDENT;
        }
        return SlotSet.of(slots).equals(SlotSet.of(others)) ? MPI.SIMILAR : MPI.UNEQUAL;
    }

    /** For each rank of {@code from} its rank in {@code to}, or UNDEFINED. */
    static int[] translate(SlotRuns from, SlotRuns to) {
        int[] ranks = from.toArray();
        for (int i = 0; i < ranks.length; i++) {
            int rank = to.rank(ranks[i]);
            ranks[i] = rank < 0 ? MPI.UNDEFINED : rank;
        }
        return ranks;
    }

    /** The members of {@code from} that are, or are not, in {@code set}; in order. */
    static SlotRuns select(SlotRuns from, SlotSet set, boolean contained) {
        int[] slots = from.toArray();
        int count = 0;
        for (int slot : slots) {
            if (set.contains(slot) == contained) {
                slots[count++] = slot;
            }
        }
        return SlotRuns.of(Arrays.copyOf(slots, count));
    }

    static SlotRuns union(SlotRuns one, SlotRuns other) {
        int[] added = select(other, SlotSet.of(one.toArray()), false).toArray();
        int[] slots = Arrays.copyOf(one.toArray(), one.size() + added.length);
        System.arraycopy(added, 0, slots, one.size(), added.length);
        return SlotRuns.of(slots);
    }
}
