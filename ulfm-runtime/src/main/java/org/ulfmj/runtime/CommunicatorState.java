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

/** What the engine keeps of one communicator. Under the engine lock, but for the fields that never change. */
final class CommunicatorState extends MessageContext {
    private record GroupCall(SlotRuns group, int tag) {}

    private record Unborn(CommunicatorState communicator, boolean diesOfFailures) {}

    final HostShare hostShare;

    private Operation noMessage;
    private Operation sentMessage;

    private final Map<GroupCall, Long> groupCalls = new HashMap<>();

    /** Whether communicators that are made from this one are revoked with it, and those made from them, and so on. */
    private boolean revokesOffspring;
    /**
     * Communicators made from this one since {@link #revokesOffspring} was set. Freed ones are removed when another is
     * made.
     */
    private final List<CommunicatorState> offspring = new ArrayList<>(0);
    /** Communicators that a call on this one is making. */
    private final List<Unborn> unborn = new ArrayList<>(0);

    /** The hints about errors; null until some are set. */
    private ErrorHints errorHints;

    private boolean diesWithMember;
    private boolean diesWithAny;
    /** How operations end alike at all members; null until that is asked for. */
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

    /** Returns the operation of a message from or to no rank, while the communicator is not revoked. */
    Operation noMessage() {
        if (noMessage == null) {
            noMessage = new FinishedOperation(this, ErrorClass.SUCCESS);
        }
        return noMessage;
    }

    /** Returns the operation of a message that was sent when its call returned. */
    Operation sentMessage() {
        if (sentMessage == null) {
            sentMessage = FinishedOperation.sent(this);
        }
        return sentMessage;
    }

    /** Sets whether communicators made from now on are revoked with this one. Returns the setting before. */
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

    /** Notes that a communicator was made from this one. */
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
     * Lets a communicator that a call on this one is making be revoked with this one, until {@link #untie}.
     *
     * @param diesOfFailures whether it is also revoked when a member of this one fails
     */
    void tie(CommunicatorState made, boolean diesOfFailures) {
        unborn.add(new Unborn(made, diesOfFailures));
    }

    void untie(CommunicatorState made) {
        unborn.removeIf(each -> each.communicator == made);
    }

    /** The communicators that are being made, and that end when this one is revoked, or when a member of it fails. */
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

    /** The event that this communicator can make no other any more: what it is making is revoked. */
    EngineEvents.Event miscarriage(CommunicatorState made) {
        return control -> {
            if (hasTied(made)) {
                control.revoke(made);
            }
        };
    }

    /** @param newOutcomes not null if the hints ask for uniform errors, and those can be had */
    void errorHints(ErrorHints hints, UniformOutcomes newOutcomes) {
        errorHints = hints;
        diesWithMember = hints.range() != ErrorRange.LOCAL;
        diesWithAny = hints.range() == ErrorRange.UNIVERSE;
        outcomes = newOutcomes;
        ofCollectives = hints.uniformity() == ErrorUniformity.COLL ? newOutcomes : null;
        ofCreations = hints.uniformity() == ErrorUniformity.LOCAL ? null : newOutcomes;
    }

    /** The hints about errors; null if none were set. */
    ErrorHints errorHints() {
        return errorHints;
    }

    /** Whether the failure of a process revokes this communicator. */
    boolean diesOfFailure(boolean ofMember) {
        return diesWithAny || ofMember && diesWithMember;
    }

    /** How operations end alike at all members; null if that was never asked for. */
    UniformOutcomes outcomes() {
        return outcomes;
    }

    /** Whether collective operations that make no communicator end alike. As {@link #isInter} each call asks. */
    boolean isUniform() {
        return ofCollectives != null;
    }

    /** How collective operations that make no communicator end alike; null unless they do. */
    UniformOutcomes uniformCollectives() {
        return ofCollectives;
    }

    /** How operations that make communicators end alike; null unless they do. */
    UniformOutcomes uniformCreations() {
        return ofCreations;
    }

    /** How many calls of createGroup with this tag and these members there were. */
    long groupCalls(SlotRuns group, int tag) {
        return groupCalls.getOrDefault(new GroupCall(group, tag), 0L);
    }

    /** Counts the calls of createGroup with this tag and these members; returns how many there were before. */
    long countGroupCall(SlotRuns group, int tag) {
        return groupCalls.merge(new GroupCall(group, tag), 1L, Long::sum) - 1;
    }
}
