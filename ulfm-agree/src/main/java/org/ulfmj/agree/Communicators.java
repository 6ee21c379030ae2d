package org.ulfmj.agree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.agree.consensus.Agreements;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Freed;
import org.ulfmj.agree.record.HeldMessages;
import org.ulfmj.agree.record.Tombstones;
import org.ulfmj.agree.tree.TreeShape;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.detector.ReliableBroadcast;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.Timing;

/**
 * All communicators of one rank: their agreements, their revocations, messages for communicators that do not exist here
 * yet, and a record of those that are freed.
 *
 * <p>Part of a {@link SurvivorCore}. Not thread-safe.
 */
final class Communicators {
    private final Survivor rank;
    private final FailureSet failures;
    private final ReliableBroadcast<ControlMessage.Revoke> revocations;

    private final SortedMap<Long, Agreements> communicators = new TreeMap<>();
    /** The communicator that was looked up last; null if none is remembered. */
    private Agreements latest;
    /**
     * Communicators of several members that are freed here, and communicators that were given up before they existed
     * here, until they are forgotten. In the order of freeing; a communicator that a list of {@link Housekeeping} named
     * in vain goes to the end.
     */
    private final Map<Long, Kept> freed = new LinkedHashMap<>();
    /** How many of the freed communicators were named by no list of {@link Housekeeping}, or last by a void one. */
    private int fresh;
    /** How many of the freed communicators were named last by a list that another epoch made void. */
    private int ofVoidLists;
    /** Ids that no process needs any more: messages for them, revocations too, are dropped. */
    private final Tombstones forgotten;

    /** How a freed communicator stands to the lists of {@link Housekeeping}. */
    private enum Named {
        NEVER,
        /** Named by a list that another epoch made void. */
        IN_A_VOID_LIST,
        NOW,
        /** Named by a list that is decided, but some process keeps the communicator. */
        IN_VAIN
    }

    private static final class Kept {
        final Freed freed;
        Named named = Named.NEVER;

        Kept(Freed freed) {
            this.freed = freed;
        }
    }

    private final HeldMessages held = new HeldMessages();

    Communicators(Survivor rank, Membership members, Timing timing) {
        this.rank = rank;
        this.failures = rank.failures();
        this.forgotten = new Tombstones(2 * timing.detectorTimeoutNs());
        this.revocations = new ReliableBroadcast<>(rank.me(), members, failures);
    }

    /** Makes a communicator known here, and dispatches the messages that were held for it. */
    void register(
            long communicator, SlotRuns members, TreeShape shape, Epoch epoch, Outbox<ProcessId, ControlMessage> out) {
        epoch.began(communicator, members);
        communicators.put(
                communicator, new Agreements(communicator, members, rank.me().slot(), shape, epoch));
        if (isRevoked(communicator)) {
            rank.effects().revoked(communicator);
        }
        dispatchHeld(communicator, out);
    }

    /** Makes a communicator of housekeeping known here, and dispatches the messages that were held for it. */
    void registerInternal(Agreements agreements, Outbox<ProcessId, ControlMessage> out) {
        communicators.put(agreements.communicator(), agreements);
        dispatchHeld(agreements.communicator(), out);
    }

    /** Drops communicators of housekeeping in an epoch that is over, whether they existed here or not. */
    void dropInternal(long[] ids) {
        for (long id : ids) {
            communicators.remove(id);
            held.take(id);
        }
        latest = null;
        bury(ids);
    }

    private void dispatchHeld(long communicator, Outbox<ProcessId, ControlMessage> out) {
        for (HeldMessages.Held early : held.take(communicator)) {
            // Rule R0 for processes that this loop itself marks failed: their messages are not dispatched. Messages of
            // processes that failed earlier are dropped already (onFailed).
            if (!rank.isFenced() && !failures.hasFailed(early.from())) {
                onMessage(early.from(), early.message(), out);
            }
        }
    }

    void requireNew(long communicator) {
        if (communicators.containsKey(communicator)
                || freed.containsKey(communicator)
                || forgotten.contains(communicator)) {
            throw new IllegalStateException("communicator " + Long.toHexString(communicator) + " exists already");
        }
    }

    /** The agreements of a communicator; null if it was never registered here, or is gone. */
    Agreements known(long communicator) {
        return communicators.get(communicator);
    }

    /** The agreements of a communicator; throws if it is not registered here. */
    Agreements get(long communicator) {
        Agreements agreements = find(communicator);
        if (agreements == null) {
            throw new IllegalStateException("communicator " + Long.toHexString(communicator) + " is not known here");
        }
        return agreements;
    }

    private Agreements find(long communicator) {
        if (latest == null || latest.communicator() != communicator) {
            latest = communicators.get(communicator);
        }
        return latest;
    }

    /**
     * Frees a communicator at this rank. Returns true if its agreements are dropped at once, because no process can ask
     * for anything of them.
     */
    boolean free(long communicator) {
        Agreements agreements = get(communicator);
        agreements.free();
        if (agreements.members().size() == 1) {
            drop(communicator);
            revocations.forget(communicator);
            rank.effects().forgotten(communicator);
            return true;
        }
        keep(new Freed(communicator, agreements.context().membership().epoch(), agreements.members()));
        if (agreements.isUnused()) {
            drop(communicator);
            return true;
        }
        return false;
    }

    private void keep(Freed over) {
        freed.put(over.communicator(), new Kept(over));
        fresh++;
    }

    private void drop(long communicator) {
        Agreements known = communicators.remove(communicator);
        if (known != null) {
            known.context().ended();
        }
        latest = null;
    }

    /**
     * Forgets these communicators: no live member keeps them, and no process will ask for anything of them any more.
     */
    void forget(List<Freed> over) {
        long[] mine = new long[over.size()];
        int count = 0;
        for (Freed each : over) {
            if (forget(each.communicator())) {
                mine[count++] = each.communicator();
            }
        }
        bury(Arrays.copyOf(mine, count));
    }

    /**
     * Drops all that is kept of the communicator of a world that was replaced. Its id is kept for a while, so that late
     * messages for it are dropped.
     */
    void bury(long communicator) {
        forget(communicator);
        bury(new long[] {communicator});
    }

    /** Drops all that is kept of a communicator. True if anything was kept. */
    private boolean forget(long communicator) {
        Agreements known = communicators.get(communicator);
        if (known != null && !known.isIdle()) {
            throw new IllegalStateException("communicator " + Long.toHexString(communicator)
                    + " is to be forgotten, and is in use here: " + known);
        }
        Kept kept = freed.remove(communicator);
        if (kept != null) {
            count(kept.named, -1);
        }
        boolean wasHere = kept != null || known != null || revocations.holds(communicator);
        drop(communicator);
        revocations.forget(communicator);
        held.take(communicator);
        if (wasHere) {
            rank.effects().forgotten(communicator);
        }
        return wasHere;
    }

    private void bury(long[] ids) {
        forgotten.add(ids, rank.nowNs());
    }

    /** How many freed communicators were named by no list of {@link Housekeeping} yet, or last by a void one. */
    int unnamed() {
        return fresh;
    }

    /**
     * Whether this rank needs nothing of a communicator any more. False for a communicator that it has not made yet.
     */
    boolean isOver(long communicator) {
        Agreements known = communicators.get(communicator);
        return known != null ? known.isIdle() : freed.containsKey(communicator) || forgotten.contains(communicator);
    }

    /**
     * The freed communicators for the next list of {@link Housekeeping}: no open list names them, and this rank needs
     * nothing of them. Those of void lists come first, then those that no list has named, then those named in vain; the
     * oldest first in each sort. Empty if fewer than {@code enough} of them are new, and none was in a list that
     * another epoch made void.
     */
    List<Freed> toName(int maxBytes, int enough) {
        List<Freed> chosen = new ArrayList<>();
        // Communicators that no list has named come before those that were named in vain: otherwise a list could name
        // only communicators that some process keeps, and so could the list after it.
        int urgent = choose(Named.IN_A_VOID_LIST, maxBytes, chosen);
        int found = urgent + choose(Named.NEVER, maxBytes, chosen);
        if (found < enough && urgent == 0) {
            return List.of();
        }
        choose(Named.IN_VAIN, maxBytes, chosen);
        return chosen;
    }

    /**
     * Adds the freed communicators of one sort of which this rank needs nothing any more to {@code chosen}, until the
     * list has {@code maxBytes}. Returns how many there are, also those that found no room.
     */
    private int choose(Named sort, int maxBytes, List<Freed> chosen) {
        int left = maxBytes;
        for (Freed each : chosen) {
            left -= each.lengthBytes();
        }
        int found = 0;
        for (Kept each : freed.values()) {
            if (each.named == sort && isOver(each.freed.communicator())) {
                left -= each.freed.lengthBytes();
                if (left >= 0 || chosen.isEmpty()) {
                    chosen.add(each.freed);
                }
                found++;
            }
        }
        return found;
    }

    /**
     * Notes that an open list of {@link Housekeeping} names these communicators. If {@code isOpen} is false, notes that
     * the list is decided: those that no process keeps are forgotten just after this.
     */
    void name(List<Freed> list, boolean isOpen) {
        for (Freed each : list) {
            Kept kept = freed.get(each.communicator());
            if (kept != null) {
                count(kept.named, -1);
                kept.named = isOpen ? Named.NOW : Named.IN_VAIN;
                if (!isOpen) { // behind communicators that were named longer ago
                    freed.remove(each.communicator());
                    freed.put(each.communicator(), kept);
                }
            }
        }
    }

    /**
     * Notes that all open lists of {@link Housekeeping} are void, because another membership epoch began. Other ranks
     * may have decided one of them, and forgotten the communicators that it named. Such a communicator is named again
     * while those ranks still have its tombstone: without the tombstone they would take it for one that they have not
     * made yet, and keep it.
     */
    void nameNone() {
        for (Kept each : freed.values()) {
            if (each.named == Named.NOW) {
                each.named = Named.IN_A_VOID_LIST;
                count(each.named, 1);
            }
        }
    }

    private void count(Named named, int one) {
        fresh += named == Named.NEVER || named == Named.IN_A_VOID_LIST ? one : 0;
        ofVoidLists += named == Named.IN_A_VOID_LIST ? one : 0;
    }

    /** Whether some of the freed communicators were named last by a list that another membership epoch made void. */
    boolean hasOfVoidLists() {
        return ofVoidLists > 0;
    }

    /** Gives up a communicator that could not be built here, and revokes it. */
    void abort(long communicator, long epoch, SlotRuns members, Outbox<ProcessId, ControlMessage> out) {
        keep(new Freed(communicator, epoch, members));
        held.take(communicator);
        spread(new ControlMessage.Revoke(communicator, epoch, members, rank.me().slot()), out);
    }

    /** Revokes a communicator here and at all its members. */
    void revoke(Agreements agreements, Outbox<ProcessId, ControlMessage> out) {
        long epoch = agreements.context().membership().epoch();
        spread(new ControlMessage.Revoke(agreements.communicator(), epoch, agreements.members(), agreements.me()), out);
    }

    boolean isRevoked(long communicator) {
        return revocations.holds(communicator);
    }

    /** Spreads a revocation that begins here or has arrived. */
    void spread(ControlMessage.Revoke revoke, Outbox<ProcessId, ControlMessage> out) {
        // A revocation is passed on at the first receipt, even if the communicator is not known here: neighbours that
        // abandoned the communicator must not cut off a member that has it.
        if (!forgotten.contains(revoke.communicator()) && revocations.spread(revoke, out)) {
            Agreements known = communicators.get(revoke.communicator());
            if (known != null && !known.isFreed()) {
                rank.effects().revoked(revoke.communicator());
            }
        }
    }

    void onMessage(ProcessId from, ControlMessage.OfAgreement message, Outbox<ProcessId, ControlMessage> out) {
        Agreements known = find(message.communicator());
        if (known != null) {
            known.onMessage(from, message, out);
        } else if (!freed.containsKey(message.communicator()) && !forgotten.contains(message.communicator())) {
            held.hold(from, message);
        }
    }

    /** The lost processes are marked failed: drops messages held from them, and tells the agreements. */
    void onFailed(List<Loss> losses, Outbox<ProcessId, ControlMessage> out) {
        for (Loss loss : losses) {
            held.dropFrom(loss.process());
        }
        for (Agreements agreements : new ArrayList<>(communicators.values())) {
            if (agreements.isIdle()) {
                continue;
            }
            SlotSet slots = Loss.slots(losses, agreements.context().membership());
            if (!slots.isEmpty()) {
                agreements.onFailed(slots, out);
            }
        }
    }

    /** A process has departed: the trees of agreements leave it out from now on. */
    void refresh() {
        for (Agreements agreements : communicators.values()) {
            if (!agreements.isIdle()) {
                agreements.refresh();
            }
        }
    }

    /**
     * A process has failed or departed, so this rank may have new neighbours in the overlay. They are sent the
     * revocations of communicators of which they are members.
     */
    void replay(ProcessId gone, Outbox<ProcessId, ControlMessage> out) {
        revocations.onGone(gone, out);
    }

    /**
     * Enters another membership epoch: processes that thereby become neighbours are sent the revocations of
     * communicators of which they are members.
     */
    void enter(Membership next, Outbox<ProcessId, ControlMessage> out) {
        revocations.enter(next, out);
    }

    boolean hasForgotten(long communicator) {
        return forgotten.contains(communicator);
    }

    /** How many freed communicators are not forgotten yet, plus the tombstones. */
    int freedAndForgotten() {
        return freed.size() + forgotten.size();
    }

    /** How many messages wait for a communicator to be created here. */
    int heldMessages() {
        return held.size();
    }

    @Override
    public String toString() {
        return "held " + held.size() + " " + communicators.values();
    }
}
