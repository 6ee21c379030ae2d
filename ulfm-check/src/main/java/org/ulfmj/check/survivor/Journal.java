package org.ulfmj.check.survivor;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/** All agreement calls and decisions of one world, as an outside observer sees them. For invariants only. */
public final class Journal {
    /** One agreement of one communicator, over all its ranks. */
    public static final class Agreement {
        private final long communicator;
        private final long sequence;
        private final SlotRuns members;
        private final SortedMap<Integer, Entry> entries = new TreeMap<>();
        private final SortedMap<Integer, Decision> decisions = new TreeMap<>();
        private final SortedMap<Integer, Integer> timesDecided = new TreeMap<>();

        public Agreement(long communicator, long sequence, SlotRuns members) {
            this.communicator = communicator;
            this.sequence = sequence;
            this.members = members;
        }

        public long communicator() {
            return communicator;
        }

        public long sequence() {
            return sequence;
        }

        public SlotRuns members() {
            return members;
        }

        /** Returns the contributions of all ranks that made the call, by slot. */
        public SortedMap<Integer, Entry> entries() {
            return entries;
        }

        /** Returns the decisions of all ranks whose call has returned, by slot. */
        public SortedMap<Integer, Decision> decisions() {
            return decisions;
        }

        public int timesDecided(int slot) {
            return timesDecided.getOrDefault(slot, 0);
        }

        /**
         * Returns the slots whose contributions are in a decision: each rank's flag has the bit of that rank cleared.
         */
        public SlotSet contributors(Decision decision) {
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
     * The contribution of a rank.
     *
     * @param failedBefore members that it had marked failed when it called
     */
    public record Entry(Contribution contribution, SlotSet failedBefore) {}

    /**
     * A decision that an agreement call at one rank returned. Returns are recorded in the order in which the ranks
     * decided.
     */
    public record Return(Agreement agreement, int slot, Decision decision) {}

    /**
     * A rank's call of an agreement.
     *
     * @param before how many agreements of this communicator the rank had called before this one
     */
    public record Call(Agreement agreement, int slot, long before) {}

    /** The communicator that one rank made out of the decision of a shrink, before the rank builds it. */
    public record Shrunk(Agreement agreement, int slot, long id, SlotRuns members, SlotSet failedBefore) {}

    private final SortedMap<Long, SortedMap<Long, Agreement>> agreements = new TreeMap<>();
    private final List<Return> returns = new ArrayList<>();
    private final List<Return> returnsSeen = Collections.unmodifiableList(returns);
    private final List<Call> calls = new ArrayList<>();
    private final List<Call> callsSeen = Collections.unmodifiableList(calls);
    private final List<Shrunk> shrunk = new ArrayList<>();
    private final List<Shrunk> shrunkSeen = Collections.unmodifiableList(shrunk);
    private final SortedMap<Long, SortedSet<Integer>> revokedByCall = new TreeMap<>();

    /** Returns the flag that a slot contributes: all ones but its own bit. */
    public static int flagOf(int slot) {
        return ~(1 << slot);
    }

    public void entered(long communicator, long sequence, SlotRuns members, int slot, Entry entry) {
        SortedMap<Long, Agreement> ofCommunicator = agreements.computeIfAbsent(communicator, id -> new TreeMap<>());
        Agreement agreement =
                ofCommunicator.computeIfAbsent(sequence, number -> new Agreement(communicator, number, members));
        long before = 0;
        for (Agreement earlier : ofCommunicator.values()) {
            before += earlier.entries.containsKey(slot) ? 1 : 0;
        }
        agreement.entries.put(slot, entry);
        calls.add(new Call(agreement, slot, before));
    }

    public void decided(long communicator, long sequence, int slot, Decision decision) {
        Agreement agreement = of(communicator, sequence);
        agreement.decisions.put(slot, decision);
        agreement.timesDecided.merge(slot, 1, Integer::sum);
        returns.add(new Return(agreement, slot, decision));
    }

    void revokeCalled(long communicator, int slot) {
        revokedByCall.computeIfAbsent(communicator, id -> new TreeSet<>()).add(slot);
    }

    /**
     * Returns the communicators that some rank revoked by a call, or by failing to create them, with the slots of those
     * ranks.
     */
    public SortedMap<Long, SortedSet<Integer>> revokedByCall() {
        return Collections.unmodifiableSortedMap(revokedByCall);
    }

    public void shrunk(Shrunk one) {
        shrunk.add(one);
    }

    /** All communicators that ranks have made out of the decisions of shrinks so far; a live view that only grows. */
    public List<Shrunk> shrunk() {
        return shrunkSeen;
    }

    /** All calls of agreements so far; a live view that only grows. */
    public List<Call> calls() {
        return callsSeen;
    }

    /** All returns from agreements so far; a live view that only grows. */
    public List<Return> returns() {
        return returnsSeen;
    }

    /** Returns an agreement that a process entered. */
    public Agreement of(long communicator, long sequence) {
        return agreements.get(communicator).get(sequence);
    }

    /** Returns the decision of a rank in an agreement, or null if the rank has not decided it. */
    public Decision decision(long communicator, long sequence, int slot) {
        SortedMap<Long, Agreement> ofCommunicator = agreements.get(communicator);
        Agreement agreement = ofCommunicator == null ? null : ofCommunicator.get(sequence);
        return agreement == null ? null : agreement.decisions.get(slot);
    }

    public Collection<Agreement> all() {
        List<Agreement> all = new ArrayList<>();
        agreements.values().forEach(byNumber -> all.addAll(byNumber.values()));
        return all;
    }

    /**
     * Whether a decision is of Finalize calls only, so that its rank leaves. Such decisions need not be equal at all
     * ranks.
     */
    public static boolean isFarewell(Decision decision) {
        return decision.isOnly(Kind.FINALIZE);
    }
}
