package org.ulfmj.runtime;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.runtime.collective.AllGatherSchedule;
import org.ulfmj.runtime.collective.AllReduceSchedule;
import org.ulfmj.runtime.collective.BarrierSchedule;
import org.ulfmj.runtime.collective.Blocks;
import org.ulfmj.runtime.collective.BroadcastSchedule;
import org.ulfmj.runtime.collective.run.CollectiveRunner;
import org.ulfmj.runtime.collective.run.ScheduleRuns;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.inter.Introduction;
import org.ulfmj.runtime.inter.TwoGroups;
import org.ulfmj.runtime.reduction.BitwiseAnd;
import org.ulfmj.runtime.transfer.CallErrors;

/**
 * Makes inter-communicators. The leaders of the two groups introduce their groups to each other, on a communicator of
 * the two leaders; each leader then tells its group the result, also if it is an error. So all members learn the id of
 * the inter-communicator, and then wait in a barrier of both groups until each of them has learned it. A member whose
 * call fails after it has learned the id revokes the inter-communicator, so that no other member waits for one that
 * never comes. If a member never learns the id, no other member leaves the barrier by itself: the barrier ends by the
 * cause, which is a death in one of the groups, or the revocation of a communicator from which the inter-communicator
 * is made. Called inside the engine.
 */
final class InterCommunicators {
    private static final String CALL = "createIntercomm";
    private static final int GROUP_BITS = 2;
    private static final String ADVICE =
            "No inter-communicator was made here: revoke() the local communicator," + " shrink() it, and try again";

    /**
     * The facts that only the leader of a group knows when an inter-communicator is made.
     *
     * @param peer the communicator that both leaders are in; null if the arguments are wrong
     * @param remote the other leader, as a member of {@code peer}
     * @param mistake the error of this leader's arguments; null if there is none
     */
    record Leading(CommunicatorState peer, int remote, int tag, CallError mistake) {}

    private final RankRuntime runtime;
    private final RankEngine engine;
    private final CommunicatorIds ids;
    private final CommunicatorFactory factory;
    private final CollectiveRunner collectives;

    InterCommunicators(
            RankRuntime runtime,
            RankEngine engine,
            CommunicatorIds ids,
            CommunicatorFactory factory,
            CollectiveRunner collectives) {
        this.runtime = runtime;
        this.engine = engine;
        this.ids = ids;
        this.factory = factory;
        this.collectives = collectives;
    }

    /**
     * Makes an inter-communicator of the members of {@code local} and of another group. All members of both call it.
     *
     * @param leader rank of the leader in {@code local}
     * @param leading null at all but the leader
     */
    Communicator create(CommunicatorState local, int leader, Leading leading) {
        CommunicatorIds.Half mine = new CommunicatorIds.Half(local.id(), local.beginCollective(), local.members());
        if (leading == null) {
            return make(local, null, null, mine, tell(local, leader, null));
        }
        Meeting meeting = null;
        boolean isTold = false;
        try {
            Introduction outcome = obstacle(local, leading);
            if (outcome == null) {
                meeting = new Meeting(local, leading);
                outcome = meeting.hold(mine);
            }
            tell(local, leader, outcome);
            isTold = true;
            if (leading.mistake != null) {
                throw leading.mistake;
            }
            CommunicatorState both = meeting == null ? null : meeting.both;
            Communicator made = make(local, leading.peer, both, mine, outcome);
            meeting.isSettled = true;
            return made;
        } finally {
            if (meeting != null) {
                meeting.end();
            }
            // A failure in the group, or a revocation of its communicator, ends the call of each member by itself. Else
            // this leader revokes the group's communicator, because the members wait for its word.
            if (!isTold && ScheduleRuns.verdict(local) == ErrorClass.SUCCESS) {
                engine.byMessages().leaveInTheMiddle(local);
            }
        }
    }

    // The leaders.

    /** Returns the refusal that says why this leader cannot meet the other one; null if nothing keeps it from that. */
    private Introduction obstacle(CommunicatorState local, Leading leading) {
        if (leading.mistake != null) {
            return Introduction.refusal(leading.mistake.error(), leading.mistake.getMessage());
        }
        CommunicatorState peer = leading.peer;
        if (peer.process(leading.remote).equals(engine.id())) {
            return overlap(local, local.members());
        }
        ErrorClass verdict = engine.traffic().verdict(peer, leading.remote);
        return verdict == ErrorClass.SUCCESS ? null : refusal(whyNot(local, peer, leading.remote, null));
    }

    private static Introduction refusal(CallError fault) {
        return Introduction.refusal(fault.error(), fault.getMessage());
    }

    /**
     * The communicator on which the two leaders meet. It lives until the call is over. A leader that cannot make the
     * inter-communicator, unless both leaders have refused it, revokes this communicator; that also revokes the
     * inter-communicator that the other leader is making.
     */
    private final class Meeting {
        private final CommunicatorState local;
        private final CommunicatorState peer;
        private final Leading leading;
        private final CommunicatorState both;
        /** Whether the other leader knows the outcome, or will learn it without a revocation of {@link #both}. */
        private boolean isSettled;

        Meeting(CommunicatorState local, Leading leading) {
            this.local = local;
            this.peer = leading.peer;
            this.leading = leading;
            int mySlot = engine.id().slot();
            int remoteSlot = peer.members().slot(leading.remote);
            SlotRuns leaders = SlotRuns.of(Math.min(mySlot, remoteSlot), Math.max(mySlot, remoteSlot));
            // No tag of createGroup is negative.
            long id = ids.leaders(peer.id(), leading.tag, leaders, peer.countGroupCall(leaders, ~leading.tag));
            factory.create(id, leaders, peer.membership(), CommunicatorFactory.label("leaders in ", peer));
            this.both = engine.communicators().get(id);
            local.tie(both, true);
            peer.tie(both, false);
        }

        /**
         * Exchanges introductions of the two groups with the other leader. Returns what this rank is to tell its own
         * group.
         */
        Introduction hold(CommunicatorIds.Half mine) {
            ErrorClass verdict = ScheduleRuns.verdict(local);
            if (verdict != ErrorClass.SUCCESS) {
                // This leader does not wait for the other leader, which may never come.
                throw engine.errors().ofCollective(local, CALL, verdict);
            }
            try {
                long epoch = local.membership().epoch();
                Introduction outcome = judged(local, mine, exchange(both, Introduction.of(mine, epoch, leading.tag)));
                isSettled = outcome.isRefusal();
                return outcome;
            } catch (CallError fault) {
                if (fault.error() != ErrorClass.PROC_FAILED && fault.error() != ErrorClass.REVOKED) {
                    throw fault;
                }
                return refusal(whyNot(local, peer, leading.remote, fault));
            }
        }

        void end() {
            local.untie(both);
            peer.untie(both);
            drop(both, !isSettled);
        }
    }

    /**
     * Returns the other leader's introduction, or a refusal that says why no inter-communicator can be made of the two
     * groups. Either both leaders get a refusal here or neither does.
     */
    private Introduction judged(CommunicatorState local, CommunicatorIds.Half mine, Introduction told) {
        for (int slot : told.half().members().toArray()) {
            if (mine.members().contains(slot)) {
                return overlap(local, told.half().members());
            }
        }
        if (told.epoch() != local.membership().epoch()) {
            return Introduction.refusal(
                    ErrorClass.COMM,
                    CallErrors.text(
                            local,
                            CALL,
                            "the groups are of different worlds: one was made before replace(), one after it",
                            "Make both from COMM_WORLD as it is now"));
        }
        return told;
    }

    private static Introduction overlap(CommunicatorState local, SlotRuns others) {
        return Introduction.refusal(
                ErrorClass.COMM,
                CallErrors.text(
                        local,
                        CALL,
                        "the groups overlap: this one has slots " + local.members() + ", the other one " + others,
                        "Allowed: groups without a common member"));
    }

    /** Sends this rank's introduction to the other leader and returns the introduction that the other leader sends. */
    private Introduction exchange(CommunicatorState both, Introduction mine) {
        byte[] words = mine.toBytes();
        ByteBuffer lengths = ByteBuffer.allocate(2 * Integer.BYTES).order(ByteOrder.nativeOrder());
        lengths.putInt(both.rank() * Integer.BYTES, words.length);
        collectives.run(both, new AllGatherSchedule(null, lengths, Blocks.equal(2, Integer.BYTES)), CALL);
        Blocks parts = Blocks.packed(lengths.getInt(0), lengths.getInt(Integer.BYTES));
        ByteBuffer all = ByteBuffer.allocate(parts.offset(1) + parts.length(1)).order(ByteOrder.nativeOrder());
        all.put(parts.offset(both.rank()), words);
        collectives.run(both, new AllGatherSchedule(null, all, parts), CALL);
        int other = 1 - both.rank();
        return Introduction.of(
                Arrays.copyOfRange(all.array(), parts.offset(other), parts.offset(other) + parts.length(other)));
    }

    /** Returns the error of a leader that could not meet the other one. */
    private CallError whyNot(CommunicatorState local, CommunicatorState peer, int remote, CallError fault) {
        ErrorClass verdict = ScheduleRuns.verdict(local);
        if (verdict != ErrorClass.SUCCESS) {
            return engine.errors().ofCollective(local, CALL, verdict);
        }
        if (peer.isRevoked()) {
            return engine.errors().revoked(peer, CALL);
        }
        return engine.traffic().verdict(peer, remote) == ErrorClass.PROC_FAILED
                ? engine.errors().ofNamed(peer, CALL, remote)
                : givenUp(local, fault);
    }

    // All members.

    /** Lets the leader of a group tell its members an introduction, or a refusal, and returns that at every member. */
    private Introduction tell(CommunicatorState local, int leader, Introduction outcome) {
        byte[] words = outcome == null ? null : outcome.toBytes();
        ByteBuffer length = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
        length.putInt(0, words == null ? 0 : words.length);
        collectives.run(local, new BroadcastSchedule(length, leader), CALL);
        ByteBuffer body = words == null ? ByteBuffer.allocate(length.getInt(0)) : ByteBuffer.wrap(words);
        collectives.run(local, new BroadcastSchedule(body, leader), CALL);
        return outcome == null ? Introduction.of(body.array()) : outcome;
    }

    /**
     * Makes the inter-communicator, and waits until all members of both groups have made it. Throws the error of the
     * leader if {@code told} is a refusal.
     *
     * @param peer null at all members but the leader, as is {@code both}, the communicator of the two leaders
     */
    private Communicator make(
            CommunicatorState local,
            CommunicatorState peer,
            CommunicatorState both,
            CommunicatorIds.Half mine,
            Introduction told) {
        if (told.isRefusal()) {
            throw new CallError(told.error(), local.failures().inOrder(), 0, told.why());
        }
        CommunicatorIds.Half other = told.half();
        boolean isFirst = mine.members().slot(0) < other.members().slot(0);
        CommunicatorIds.Half first = isFirst ? mine : other;
        CommunicatorIds.Half second = isFirst ? other : mine;
        SlotRuns members = concatenated(first.members(), second.members());
        TwoGroups groups = new TwoGroups(first.members().size(), members.size(), isFirst);
        long id = ids.inter(first, second, told.tag());
        Communicator made =
                factory.create(local, id, members, groups, CommunicatorFactory.label("inter-communicator of ", local));
        CommunicatorState state = engine.communicators().get(id);
        List<CommunicatorState> parents = peer == null ? List.of(local) : List.of(local, peer, both);
        boolean isWhole = false;
        try {
            for (CommunicatorState parent : parents) {
                parent.tie(state, false);
                if (parent.isRevoked()) {
                    engine.control().revoke(state);
                }
            }
            collectives.run(state, new BarrierSchedule(), CALL);
            isWhole = true;
            return made;
        } catch (CallError fault) {
            throw whyLost(local, peer, state, fault);
        } finally {
            for (CommunicatorState parent : parents) {
                parent.untie(state);
            }
            if (!isWhole) {
                drop(state, true);
            }
        }
    }

    /** The members of two groups, in order. */
    static SlotRuns concatenated(SlotRuns first, SlotRuns second) {
        int[] slots = Arrays.copyOf(first.toArray(), first.size() + second.size());
        System.arraycopy(second.toArray(), 0, slots, first.size(), second.size());
        return SlotRuns.of(slots);
    }

    /** The error of a member that made the new inter-communicator, and lost it before the call was over. */
    private CallError whyLost(
            CommunicatorState local, CommunicatorState peer, CommunicatorState made, CallError fault) {
        if (fault.error() != ErrorClass.PROC_FAILED && fault.error() != ErrorClass.REVOKED) {
            return fault;
        }
        ErrorClass verdict = ScheduleRuns.verdict(local);
        if (verdict != ErrorClass.SUCCESS) {
            return engine.errors().ofCollective(local, CALL, verdict);
        }
        if (peer != null && peer.isRevoked()) {
            return engine.errors().revoked(peer, CALL);
        }
        if (made.failures().isEmpty()) {
            return givenUp(local, fault);
        }
        CallError failed = engine.errors().ofCollective(made, CALL, ErrorClass.PROC_FAILED);
        return new CallError(ErrorClass.PROC_FAILED, local.failures().inOrder(), 0, failed.getMessage());
    }

    private static CallError givenUp(CommunicatorState local, CallError fault) {
        return CallErrors.fault(
                fault.error(),
                local,
                CALL,
                "a member of the other group could not make the call or gave it up",
                ADVICE);
    }

    // Merge.

    /**
     * Makes a communicator of both groups of an inter-communicator. The ranks of the group that gives {@code high} come
     * second; if both groups give the same, those of the first group come first.
     */
    Communicator merge(CommunicatorState inter, boolean high) {
        long sequence = inter.beginCollective();
        TwoGroups groups = inter.groups();
        ByteBuffer votes = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
        votes.putInt(0, ~(vote(!high) << (groups.isFirst() ? 0 : GROUP_BITS)));
        boolean isCounted = false;
        try {
            collectives.run(inter, new AllReduceSchedule(votes, votes, Integer.BYTES, new BitwiseAnd()), "merge");
            isCounted = true;
        } finally {
            if (!isCounted && !engine.isOver()) {
                // Other members may have the new communicator already, and must not wait on it for this rank: so this
                // rank revokes it.
                giveUpMerged(inter, sequence, false);
                if (groups.isFirst() == high) {
                    giveUpMerged(inter, sequence, true);
                }
            }
        }
        int first = votes.getInt(0) & vote(true) + vote(false);
        int second = votes.getInt(0) >>> GROUP_BITS & vote(true) + vote(false);
        if (first == 0 || second == 0) {
            throw CallErrors.fault(
                    ErrorClass.ARG,
                    inter,
                    "merge",
                    "members of the " + ((first == 0) == groups.isFirst() ? "local" : "remote")
                            + " group gave different values for high",
                    "All members of a group must give the same; nothing was made");
        }
        SlotRuns members = mergedMembers(inter, first == vote(true) && second == vote(false));
        return factory.create(
                inter,
                ids.merge(inter.id(), sequence, members),
                members,
                null,
                CommunicatorFactory.label("merge of ", inter));
    }

    /** The bit that stays set in the AND of all votes if all members of a group gave this value of {@code high}. */
    private static int vote(boolean high) {
        return high ? 1 : 2;
    }

    private void giveUpMerged(CommunicatorState inter, long sequence, boolean secondComesFirst) {
        SlotRuns members = mergedMembers(inter, secondComesFirst);
        factory.abort(ids.merge(inter.id(), sequence, members), members, inter.membership());
    }

    private static SlotRuns mergedMembers(CommunicatorState inter, boolean secondComesFirst) {
        if (!secondComesFirst) {
            return inter.members();
        }
        int[] slots = inter.members().toArray();
        int firstSize = inter.groups().firstSize();
        SlotRuns first = SlotRuns.of(Arrays.copyOf(slots, firstSize));
        return concatenated(SlotRuns.of(Arrays.copyOfRange(slots, firstSize, slots.length)), first);
    }

    /**
     * Frees a communicator that this call made for itself or could not complete; revokes it first if {@code inVain}.
     */
    private void drop(CommunicatorState state, boolean inVain) {
        if (engine.isOver()) {
            return;
        }
        if (inVain) {
            engine.control().revoke(state);
        }
        runtime.collectives().freed(state);
        engine.free(state);
    }
}
