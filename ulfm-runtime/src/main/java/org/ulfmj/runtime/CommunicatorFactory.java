package org.ulfmj.runtime;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.runtime.collective.AllGatherSchedule;
import org.ulfmj.runtime.collective.Blocks;
import org.ulfmj.runtime.collective.run.CollectiveRunner;
import org.ulfmj.runtime.collective.run.ScheduleRuns;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.hint.ErrorHints;
import org.ulfmj.runtime.hint.ErrorUniformity;
import org.ulfmj.runtime.inter.TwoGroups;
import org.ulfmj.runtime.recovery.UniformOutcomes;

/**
 * Makes communicators. Ids follow from what all members know, so making one costs no message, but for the allgather of
 * a split, and for the agreement by which a started dup ends alike at all members where the hints ask for that.
 * Messages that come early for an id are held. Called inside the engine.
 */
final class CommunicatorFactory {
    private static final int LABEL_LENGTH = 40;
    private static final int ENTRY_BYTES = 2 * Integer.BYTES;
    /**
     * The length of an entry of {@link #splitByHost}, in which a member tells the others the number of its host,
     * whether it takes part, and its key.
     */
    private static final int HOST_ENTRY_BYTES = Long.BYTES + 2 * Integer.BYTES;
    /**
     * Stands for the sequence number in the id of a companion communicator. Collective calls are counted from 0, so no
     * dup of the program has this number.
     */
    private static final long COMPANION = -1;
    /**
     * Stands for the sequence number in the id of the communicator on which members agree how operations of another
     * communicator have ended. No dup of the program has this number.
     */
    private static final long OUTCOMES = -2;

    private final RankRuntime runtime;
    private final RankEngine engine;
    private final CommunicatorIds ids;
    private final CollectiveRunner collectives;

    CommunicatorFactory(RankRuntime runtime, RankEngine engine, CommunicatorIds ids, CollectiveRunner collectives) {
        this.runtime = runtime;
        this.engine = engine;
        this.ids = ids;
        this.collectives = collectives;
    }

    /**
     * Makes a communicator whose id and members are decided, this rank among them.
     *
     * @param membership says which process has each slot
     */
    Communicator create(long id, SlotRuns members, Membership membership, String label) {
        return create(id, members, membership, null, label);
    }

    /** @param groups the division of the members of an inter-communicator; null for any other communicator */
    Communicator create(long id, SlotRuns members, Membership membership, TwoGroups groups, String label) {
        CommunicatorState made;
        Communicator facade;
        try {
            int rank = members.rank(engine.id().slot());
            made = new CommunicatorState(id, members, membership, rank, groups, label);
            facade = new Communicator(runtime, made);
        } catch (RuntimeException | Error e) {
            abort(id, members, membership);
            throw e;
        }
        engine.add(made);
        return facade;
    }

    /**
     * Makes a communicator from another. The new communicator is revoked if its parent is revoked already, and if that
     * parent passes its revocation on to communicators made from it.
     *
     * @param groups the division of the members of an inter-communicator; null for any other communicator
     */
    Communicator create(CommunicatorState parent, long id, SlotRuns members, TwoGroups groups, String label) {
        Communicator made = create(id, members, parent.membership(), groups, label);
        CommunicatorState state = engine.communicators().get(id);
        parent.begat(state);
        if (parent.isRevoked() && parent.revokesOffspring()) {
            engine.control().revoke(state);
        }
        return made;
    }

    /**
     * Makes a label that says from what a communicator was made. An origin that repeats, as with a shrink of a shrink,
     * is named once, and a long label of the parent is shortened.
     */
    static String label(String origin, CommunicatorState parent) {
        if (parent.label().startsWith(origin)) {
            return parent.label();
        }
        return origin
                + (parent.label().length() <= LABEL_LENGTH
                        ? parent.label()
                        : "a " + parent.label().substring(0, parent.label().indexOf(' ')) + " communicator");
    }

    /**
     * Makes a communicator for a library that runs its operations beside the program's: it has the members of
     * {@code parent}, and there is one per parent. No call of the program counts for its id. Failures do not keep it
     * from being made; an operation on it meets them.
     */
    Communicator companion(CommunicatorState parent, String label) {
        return create(ids.dup(parent.id(), COMPANION, parent.members()), parent.members(), parent.membership(), label);
    }

    /**
     * Starts a dup that does not block. A dup needs no other rank, so it has ended when this method returns, unless the
     * hints ask that it ends alike at all members. The returned call says how the dup ended.
     */
    CollectiveCall startDup(CommunicatorState parent) {
        CollectiveCall call = new CollectiveCall(parent, "iDup");
        Communicator made = null;
        CallError own = null;
        try {
            made = dup(parent, "iDup", parent.errorHints());
        } catch (CallError fault) {
            own = fault;
        }
        if (parent.uniformCreations() != null) {
            endAlike(call, made, own);
        } else if (own == null) {
            call.succeed(made);
        } else {
            call.end(own);
        }
        return call;
    }

    private void endAlike(CollectiveCall call, Communicator made, CallError own) {
        UniformOutcomes.Outcome outcome = call.state().uniformCreations().begin(call.describe());
        call.progress(outcome);
        outcome.end(own == null ? ErrorClass.SUCCESS : own.error(), (common, elsewhere) -> {
            if (common == ErrorClass.SUCCESS) {
                call.succeed(made);
                return;
            }
            if (made != null) {
                engine.free(engine.communicators().get(made.id())); // no operation was made on it
            }
            call.end(elsewhere == null ? own : elsewhere);
        });
    }

    /** @param hints the hints about errors for the duplicate; null for none */
    Communicator dup(CommunicatorState parent, String operation, ErrorHints hints) {
        long sequence = parent.beginCollective();
        long id = ids.dup(parent.id(), sequence, parent.members());
        require(parent, operation, ScheduleRuns.verdict(parent), id, parent.members());
        Communicator made = create(parent, id, parent.members(), parent.groups(), label("dup of ", parent));
        if (hints != null) {
            setErrorHints(engine.communicators().get(id), hints);
        }
        return made;
    }

    /**
     * Sets the hints about errors of a communicator; all members must set the same. Without fault tolerance the hints
     * have no effect, because no communicator is left after a failure.
     */
    void setErrorHints(CommunicatorState communicator, ErrorHints hints) {
        if (!runtime.hasFaultTolerance()) {
            return;
        }
        UniformOutcomes outcomes = communicator.outcomes();
        if (outcomes == null && hints.uniformity() != ErrorUniformity.LOCAL) {
            SlotRuns members = communicator.members();
            long id = ids.dup(communicator.id(), OUTCOMES, members);
            create(id, members, communicator.membership(), communicator.label());
            outcomes = outcomes(communicator, id);
        }
        communicator.errorHints(hints, outcomes);
        if (communicator.diesOfFailure(true) && !communicator.failures().isEmpty()) {
            engine.control().revoke(communicator);
        }
    }

    Communicator create(CommunicatorState parent, int[] ranks) {
        return create(parent, ranks, "create", "part of ");
    }

    /** @param origin the beginning of the label */
    Communicator create(CommunicatorState parent, int[] ranks, String operation, String origin) {
        long sequence = parent.beginCollective();
        SlotRuns members = slots(parent, ranks);
        long id = ids.create(parent.id(), sequence, members);
        require(parent, operation, ScheduleRuns.verdict(parent), id, members);
        return members.contains(engine.id().slot()) ? create(parent, id, members, null, label(origin, parent)) : null;
    }

    /**
     * Begins the call that makes a communicator of all members of {@code parent}, and returns the id of that
     * communicator.
     */
    long idOfWhole(CommunicatorState parent) {
        return ids.dup(parent.id(), parent.beginCollective(), parent.members());
    }

    /** Makes the communicator of {@link #idOfWhole}. */
    Communicator createWhole(CommunicatorState parent, long id, String operation, String origin) {
        require(parent, operation, ScheduleRuns.verdict(parent), id, parent.members());
        return create(parent, id, parent.members(), null, label(origin, parent));
    }

    /**
     * Notes that this rank will not have the communicator whose id came from {@link #idOfWhole}: that communicator is
     * revoked.
     */
    void abortWhole(CommunicatorState parent, long id) {
        abort(id, parent.members(), parent.membership());
    }

    private UniformOutcomes outcomes(CommunicatorState communicator, long agreeing) {
        return new UniformOutcomes(
                engine,
                engine.control(),
                engine.progress(),
                communicator,
                engine.communicators().get(agreeing));
    }

    /**
     * Makes the communicator on which the members of a group agree how their next call of createGroup ends, so that it
     * ends alike at all of them; returns null at a rank that is no member of the group.
     */
    UniformOutcomes outcomesOfGroup(CommunicatorState parent, int[] ranks, int tag) {
        SlotRuns members = slots(parent, ranks);
        if (!members.contains(engine.id().slot())) {
            return null;
        }
        long idOfGroup = ids.createGroup(parent.id(), tag, members, parent.groupCalls(members, tag));
        long id = ids.dup(idOfGroup, OUTCOMES, members);
        create(id, members, parent.membership(), label("group of ", parent));
        return outcomes(parent, id);
    }

    /**
     * Makes a communicator of some ranks; returns null at a rank that is none of them. Only these ranks need to call
     * this method, so only their failures matter.
     */
    Communicator createGroup(CommunicatorState parent, int[] ranks, int tag) {
        SlotRuns members = slots(parent, ranks);
        if (!members.contains(engine.id().slot())) {
            return null;
        }
        // The call of createGroup is counted before it can fail: a member whose call fails must have the same count as
        // members whose call does not.
        long id = ids.createGroup(parent.id(), tag, members, parent.countGroupCall(members, tag));
        for (int rank : ranks) {
            ErrorClass verdict = engine.traffic().verdict(parent, rank);
            if (verdict == ErrorClass.PROC_FAILED) {
                abort(id, members, parent.membership());
                throw engine.errors().ofNamed(parent, "createGroup", rank);
            }
            require(parent, "createGroup", verdict, id, members);
        }
        return create(parent, id, members, null, label("group of ", parent));
    }

    /**
     * Throws the error that the rules of collective operations prescribe for {@code verdict}, and gives the new
     * communicator up, unless the verdict is success. For an operation that makes a communicator without messages.
     */
    private void require(CommunicatorState parent, String operation, ErrorClass verdict, long id, SlotRuns members) {
        if (verdict != ErrorClass.SUCCESS) {
            abort(id, members, parent.membership());
            throw engine.errors().ofCollective(parent, operation, verdict);
        }
    }

    /**
     * Revokes a communicator that this rank, one of its members, was to make and never will: members that make it must
     * not wait on it for a rank that lives and never comes. Does nothing if this rank is not among {@code members}.
     */
    void abort(long id, SlotRuns members, Membership membership) {
        if (members.contains(engine.id().slot())) {
            engine.control().aborted(id, members, membership.epoch());
        }
    }

    Communicator split(CommunicatorState parent, int colour, int key) {
        int size = parent.members().size();
        ByteBuffer mine = ByteBuffer.allocate(ENTRY_BYTES).order(ByteOrder.nativeOrder());
        mine.putInt(colour).putInt(key).flip();
        ByteBuffer all = ByteBuffer.allocate(size * ENTRY_BYTES).order(ByteOrder.nativeOrder());
        long sequence =
                collectives.run(parent, new AllGatherSchedule(mine, all, Blocks.equal(size, ENTRY_BYTES)), "split");
        if (colour == Communicator.UNDEFINED) {
            return null;
        }
        SlotRuns members = slots(parent, ranksOfColour(all, size, colour));
        return create(
                parent, ids.split(parent.id(), sequence, colour, members), members, null, label("split of ", parent));
    }

    /** Returns the ranks whose entry has this colour, ordered by key and then by rank. */
    private static int[] ranksOfColour(ByteBuffer entries, int size, int colour) {
        long[] keyed = new long[size];
        int count = 0;
        for (int rank = 0; rank < size; rank++) {
            if (entries.getInt(rank * ENTRY_BYTES) == colour) {
                keyed[count++] = (long) entries.getInt(rank * ENTRY_BYTES + Integer.BYTES) << Integer.SIZE | rank;
            }
        }
        Arrays.sort(keyed, 0, count);
        int[] ranks = new int[count];
        for (int i = 0; i < count; i++) {
            ranks[i] = (int) keyed[i];
        }
        return ranks;
    }

    /** Makes a communicator of those members that run on this rank's host and take part; null if this rank does not. */
    Communicator splitByHost(CommunicatorState parent, boolean takesPart, int key) {
        int size = parent.members().size();
        ByteBuffer mine = ByteBuffer.allocate(HOST_ENTRY_BYTES).order(ByteOrder.nativeOrder());
        mine.putLong(parent.membership().placement().host(engine.id().slot()))
                .putInt(takesPart ? 1 : 0)
                .putInt(key);
        mine.flip();
        ByteBuffer all = ByteBuffer.allocate(size * HOST_ENTRY_BYTES).order(ByteOrder.nativeOrder());
        Blocks blocks = Blocks.equal(size, HOST_ENTRY_BYTES);
        long sequence = collectives.run(parent, new AllGatherSchedule(mine, all, blocks), "splitType");
        if (!takesPart) {
            return null;
        }
        ByteBuffer entries = ByteBuffer.allocate(size * ENTRY_BYTES).order(ByteOrder.nativeOrder());
        for (int rank = 0; rank < size; rank++) {
            int at = rank * HOST_ENTRY_BYTES;
            boolean isTaken = all.getInt(at + Long.BYTES) != 0;
            entries.putInt(isTaken ? firstOfHost(all, all.getLong(at)) : Communicator.UNDEFINED);
            entries.putInt(all.getInt(at + Long.BYTES + Integer.BYTES));
        }
        int colour = entries.getInt(parent.rank() * ENTRY_BYTES);
        SlotRuns members = slots(parent, ranksOfColour(entries, size, colour));
        return create(
                parent, ids.split(parent.id(), sequence, colour, members), members, null, label("split of ", parent));
    }

    private static int firstOfHost(ByteBuffer entries, long host) {
        int rank = 0;
        while (entries.getLong(rank * HOST_ENTRY_BYTES) != host) {
            rank++;
        }
        return rank;
    }

    private static SlotRuns slots(CommunicatorState parent, int[] ranks) {
        int[] slots = new int[ranks.length];
        for (int i = 0; i < ranks.length; i++) {
            slots[i] = parent.members().slot(ranks[i]);
        }
        return SlotRuns.of(slots);
    }
}
