package org.ulfmj.sim.survivor;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.agree.Contribution;
import org.ulfmj.agree.Decision;
import org.ulfmj.agree.Kind;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/** All agreement calls and decisions of one world, as an observer outside it sees them. For invariants only. */
final class Journal {
    /** One agreement of one communicator, over all its ranks. */
    static final class Agreement {
        private final long communicator;
        private final long sequence;
        private final SlotRuns members;
        private final SortedMap<Integer, Entry> entries = new TreeMap<>();
        private final SortedMap<Integer, Decision> decisions = new TreeMap<>();

        Agreement(long communicator, long sequence, SlotRuns members) {
            this.communicator = communicator;
            this.sequence = sequence;
            this.members = members;
        }

        long communicator() {
            return communicator;
        }

        long sequence() {
            return sequence;
        }

        SlotRuns members() {
            return members;
        }

        /** By slot, for all who made the call. */
        SortedMap<Integer, Entry> entries() {
            return entries;
        }

        /** By slot, for all whose call has returned. */
        SortedMap<Integer, Decision> decisions() {
            return decisions;
        }

        /** Slots whose contributions are in a decision: each rank's flag has its own bit cleared. */
        SlotSet contributors(Decision decision) {
            int missingBits = 0;
            for (int flag : decision.flags().values()) {
                missingBits |= ~flag;
            }
            SlotSet contributors = SlotSet.EMPTY;
            for (int slot : members.toArray()) {
                if ((missingBits & 1 << slot) != 0) {
                    contributors = contributors.with(slot);
                }
            }
            return contributors;
        }

        @Override
        public String toString() {
            return "agreement " + sequence + " of " + Long.toHexString(communicator) + " over " + members;
        }
    }

    /**
     * What a rank brought in.
     *
     * @param failedBefore members that it held for failed when it called
     */
    record Entry(Contribution contribution, SlotSet failedBefore) {}

    /** Who decided what, in the order of deciding. */
    record Return(Agreement agreement, int slot, Decision decision) {}

    private final SortedMap<Long, SortedMap<Long, Agreement>> agreements = new TreeMap<>();
    private final List<Return> returns = new ArrayList<>();
    private final SortedSet<Long> revokedByCall = new TreeSet<>();

    /** The flag that a rank contributes: all ones but its own bit. */
    static int flagOf(int slot) {
        return ~(1 << slot);
    }

    void entered(long communicator, long sequence, SlotRuns members, int slot, Entry entry) {
        agreements
                .computeIfAbsent(communicator, id -> new TreeMap<>())
                .computeIfAbsent(sequence, number -> new Agreement(communicator, number, members))
                .entries
                .put(slot, entry);
    }

    void decided(long communicator, long sequence, int slot, Decision decision) {
        Agreement agreement = of(communicator, sequence);
        agreement.decisions.put(slot, decision);
        returns.add(new Return(agreement, slot, decision));
    }

    void revokeCalled(long communicator) {
        revokedByCall.add(communicator);
    }

    /** Communicators that some rank revoked by a call, or by failing to create them. */
    SortedSet<Long> revokedByCall() {
        return Collections.unmodifiableSortedSet(revokedByCall);
    }

    /** All returns so far; a live view that only grows. */
    List<Return> returns() {
        return Collections.unmodifiableList(returns);
    }

    /** An agreement that somebody entered. */
    Agreement of(long communicator, long sequence) {
        return agreements.get(communicator).get(sequence);
    }

    Collection<Agreement> all() {
        List<Agreement> all = new ArrayList<>();
        agreements.values().forEach(byNumber -> all.addAll(byNumber.values()));
        return all;
    }

    /** Whether a decision let its rank leave: such decisions need not be equal. */
    static boolean isFarewell(Decision decision) {
        return decision.isOnly(Kind.FINALIZE);
    }
}
