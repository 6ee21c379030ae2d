package org.ulfmj.runtime;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.hint.ErrorHints;
import org.ulfmj.runtime.hint.ErrorRange;
import org.ulfmj.runtime.hint.ErrorUniformity;
import org.ulfmj.runtime.host.HostShare;
import org.ulfmj.runtime.inter.TwoGroups;
import org.ulfmj.runtime.recovery.EngineEvents;
import org.ulfmj.runtime.recovery.UniformOutcomes;
import org.ulfmj.runtime.transfer.MessageContext;
import org.ulfmj.runtime.transfer.Operation;

/** The state of one communicator in the engine. Changed under the engine lock. */
final class CommunicatorState extends MessageContext {
    private record GroupCall(SlotRuns group, int tag) {}

    private record Unborn(CommunicatorState communicator, boolean diesOfFailures) {}

    final HostShare hostShare;

    private Operation noMessage;
    private Operation sentMessage;

    private final Map<GroupCall, Long> groupCalls = new HashMap<>();

    /**
     * Whether communicators that are made from this one are added to {@link #offspring}, which a revocation of this one
     * also revokes.
     */
    private boolean revokesOffspring;
    /**
     * The communicators that {@link #begat} has noted since {@link #revokesOffspring} was set. Freed ones are removed
     * when another is noted.
     */
    private final List<CommunicatorState> offspring = new ArrayList<>(0);
    /** Communicators that calls on this one are still making, from {@link #tie} to {@link #untie}. */
    private final List<Unborn> unborn = new ArrayList<>(0);

    /** The hints about errors; null until some are set, and in a job without fault tolerance. */
    private ErrorHints errorHints;

    private boolean diesWithMember;
    private boolean diesWithAny;
    /**
     * The object by which operations of this communicator end with the same result or error at all members; null until
     * the hints ask for that.
     */
    private UniformOutcomes outcomes;

    private UniformOutcomes ofCollectives;
    private UniformOutcomes ofCreations;

    /** @param groups the division of the members of an inter-communicator; null for any other communicator */
    CommunicatorState(long id, SlotRuns members, Membership membership, int rank, TwoGroups groups, String label) {
        super(id, members, membership, rank, groups, label);
        this.hostShare = new HostShare(this);
    }

    @Override
    public long beginCollective() {
        long number = super.beginCollective();
        hostShare.onCall(number + 1);
        return number;
    }

    /**
     * Returns the operation for a message to or from no rank, or for a buffered send whose message lies in the attached
     * buffer. It has ended with success, so it is not for a revoked communicator.
     */
    Operation noMessage() {
        if (noMessage == null) {
            noMessage = new FinishedOperation(this, ErrorClass.SUCCESS);
        }
        return noMessage;
    }

    /** Returns the operation for a message that was sent already when the call that sends it returned. */
    Operation sentMessage() {
        if (sentMessage == null) {
            sentMessage = FinishedOperation.sent(this);
        }
        return sentMessage;
    }

    /**
     * Sets whether communicators that {@link #begat} notes from now on are revoked with this one; false also ends that
     * for those noted before. Returns the setting before.
     */
    boolean revokeOffspring(boolean doIt) {
        boolean did = revokesOffspring;
        revokesOffspring = doIt;
        if (!doIt) {
            offspring.clear();
        }
        return did;
    }

    boolean revokesOffspring() {
        return revokesOffspring;
    }

    /** Notes that a communicator was made from this one, if that communicator is to be revoked with this one. */
    void begat(CommunicatorState made) {
        if (revokesOffspring) {
            offspring.removeIf(older -> older.isFreed());
            offspring.add(made);
            made.revokesOffspring = true;
        }
    }

    /** The communicators that are to be revoked when this one is. */
    List<CommunicatorState> offspring() {
        return offspring;
    }

    /**
     * Lets a communicator that a call on this one is still making be revoked with this one, until {@link #untie}.
     *
     * @param diesOfFailures whether it is also revoked when a member of this one fails
     */
    void tie(CommunicatorState made, boolean diesOfFailures) {
        unborn.add(new Unborn(made, diesOfFailures));
    }

    void untie(CommunicatorState made) {
        unborn.removeIf(each -> each.communicator == made);
    }

    /**
     * The communicators that calls on this one are still making and that end now.
     *
     * @param byFailure true if a member of this communicator has failed: then only those end that die of failures.
     *     False if this communicator was revoked: then all of them end
     */
    List<CommunicatorState> tied(boolean byFailure) {
        if (unborn.isEmpty()) {
            return List.of();
        }
        List<CommunicatorState> tied = new ArrayList<>();
        for (Unborn each : unborn) {
            if (each.diesOfFailures || !byFailure) {
                tied.add(each.communicator);
            }
        }
        return tied;
    }

    private boolean hasTied(CommunicatorState made) {
        for (Unborn each : unborn) {
            if (each.communicator == made) {
                return true;
            }
        }
        return false;
    }

    /** Makes an event that revokes {@code made}, if a call on this communicator is still making it. */
    EngineEvents.Event miscarriage(CommunicatorState made) {
        return control -> {
            if (hasTied(made)) {
                control.revoke(made);
            }
        };
    }

    /** @param newOutcomes what makes operations end alike at all members; not null if the hints ask for that */
    void errorHints(ErrorHints hints, UniformOutcomes newOutcomes) {
        errorHints = hints;
        diesWithMember = hints.range() != ErrorRange.LOCAL;
        diesWithAny = hints.range() == ErrorRange.UNIVERSE;
        outcomes = newOutcomes;
        ofCollectives = hints.uniformity() == ErrorUniformity.COLL ? newOutcomes : null;
        ofCreations = hints.uniformity() == ErrorUniformity.LOCAL ? null : newOutcomes;
    }

    /** The hints about errors; null if none were set, and in a job without fault tolerance. */
    ErrorHints errorHints() {
        return errorHints;
    }

    /**
     * Whether the failure of a process revokes this communicator.
     *
     * @param ofMember whether the process is a member of this communicator
     */
    boolean diesOfFailure(boolean ofMember) {
        return diesWithAny || ofMember && diesWithMember;
    }

    /**
     * The object by which operations of this communicator end with the same result or error at all members; null if the
     * hints never asked for that.
     */
    UniformOutcomes outcomes() {
        return outcomes;
    }

    /**
     * Whether the hints ask that collective operations that make no communicator end with the same result or error at
     * all members.
     */
    boolean isUniform() {
        return ofCollectives != null;
    }

    /**
     * The object by which collective operations that make no communicator end with the same result or error at all
     * members; null unless they do.
     */
    UniformOutcomes uniformCollectives() {
        return ofCollectives;
    }

    /**
     * The object by which operations that make communicators end with the same result or error at all members; null
     * unless they do.
     */
    UniformOutcomes uniformCreations() {
        return ofCreations;
    }

    /** How many calls of createGroup with this tag and these members this rank has made on this communicator. */
    long groupCalls(SlotRuns group, int tag) {
        return groupCalls.getOrDefault(new GroupCall(group, tag), 0L);
    }

    /** Counts a call of createGroup with this tag and these members; returns how many such calls there were before. */
    long countGroupCall(SlotRuns group, int tag) {
        return groupCalls.merge(new GroupCall(group, tag), 1L, Long::sum) - 1;
    }
}
