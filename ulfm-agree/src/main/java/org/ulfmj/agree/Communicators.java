package org.ulfmj.agree;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.detector.ReliableBroadcast;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/**
 * The communicators of one rank from before they exist here until after they are freed: their agreements, their
 * revocations, what was said of them too early, and that they are over.
 *
 * <p>Part of a {@link SurvivorCore}. Not thread-safe.
 */
final class Communicators {
    private final Survivor rank;
    private final FailureSet failures;
    private final ReliableBroadcast<ControlMessage.Revoke> revocations;

    private final SortedMap<Long, Agreements> communicators = new TreeMap<>();
    /** The one that was asked for last. */
    private Agreements latest;
    /** Given up before they existed here, or freed before anything was agreed on them: what comes for them is dropped. */
    private final IdSet tombstones = new IdSet();

    /** Worlds that nobody needs any more: what comes for them, a revocation too, is dropped. */
    private final IdSet forgotten = new IdSet();

    private final HeldMessages held = new HeldMessages();

    Communicators(Survivor rank, Membership members) {
        this.rank = rank;
        this.failures = rank.failures();
        this.revocations = new ReliableBroadcast<>(rank.me(), members, failures);
    }

    /** A communicator exists here from now on; what was held for it is dispatched. */
    void register(
            long communicator, SlotRuns members, TreeShape shape, Epoch epoch, Outbox<ProcessId, ControlMessage> out) {
        epoch.began(communicator, members);
        communicators.put(
                communicator, new Agreements(communicator, members, rank.me().slot(), shape, epoch));
        if (isRevoked(communicator)) {
            rank.effects().revoked(communicator);
        }
        for (HeldMessages.Held early : held.take(communicator)) {
            if (!rank.isFenced() && !failures.hasFailed(early.from())) {
                onMessage(early.from(), early.message(), out);
            }
        }
    }

    void requireNew(long communicator) {
        if (communicators.containsKey(communicator)
                || tombstones.contains(communicator)
                || forgotten.contains(communicator)) {
            throw new IllegalStateException("communicator " + Long.toHexString(communicator) + " exists already");
        }
    }

    /** Null if it was never registered here, or is buried. */
    Agreements known(long communicator) {
        return communicators.get(communicator);
    }

    /** One that must be registered here. */
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

    /** Whether nothing is left of a communicator that the caller has freed. */
    boolean free(long communicator) {
        Agreements agreements = get(communicator);
        agreements.free();
        if (agreements.isUnused()) {
            drop(communicator);
            tombstones.add(communicator);
            return true;
        }
        return false;
    }

    private void drop(long communicator) {
        communicators.remove(communicator).host().ended();
        latest = null;
    }

    /** Nobody will ask for anything of this communicator any more, and all its members have freed it. */
    void bury(long communicator) {
        drop(communicator);
        revocations.forget(communicator);
        forgotten.add(communicator);
    }

    /** One that could not be built here. */
    void abort(long communicator, long epoch, SlotRuns members, Outbox<ProcessId, ControlMessage> out) {
        tombstones.add(communicator);
        held.take(communicator);
        spread(new ControlMessage.Revoke(communicator, epoch, members, rank.me().slot()), out);
    }

    /** Revokes it here and everywhere. */
    void revoke(Agreements agreements, Outbox<ProcessId, ControlMessage> out) {
        long epoch = agreements.host().membership().epoch();
        spread(new ControlMessage.Revoke(agreements.communicator(), epoch, agreements.members(), agreements.me()), out);
    }

    boolean isRevoked(long communicator) {
        return revocations.holds(communicator);
    }

    /** A revocation that begins here, or has come. */
    void spread(ControlMessage.Revoke revoke, Outbox<ProcessId, ControlMessage> out) {
        // Passed on at the first receipt, known here or not: neighbours that abandoned the communicator must not cut
        // off one that has it.
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
        } else if (!tombstones.contains(message.communicator()) && !forgotten.contains(message.communicator())) {
            held.hold(from, message);
        }
    }

    /** These are marked failed. */
    void onFailed(List<Loss> losses, Outbox<ProcessId, ControlMessage> out) {
        for (Loss loss : losses) {
            held.dropFrom(loss.process());
        }
        for (Agreements agreements : new ArrayList<>(communicators.values())) {
            if (agreements.isIdle()) {
                continue;
            }
            SlotSet slots = Loss.slots(losses, agreements.host().membership());
            if (!slots.isEmpty()) {
                agreements.onFailed(slots, out);
            }
        }
    }

    /** Somebody has departed. */
    void refresh() {
        for (Agreements agreements : communicators.values()) {
            if (!agreements.isIdle()) {
                agreements.refresh();
            }
        }
    }

    /** This rank may have other neighbours: they are told of every revocation. */
    void replay(ProcessId gone, Outbox<ProcessId, ControlMessage> out) {
        revocations.onGone(gone, out);
    }

    /** Another membership epoch is in force. */
    void enter(Membership next, Outbox<ProcessId, ControlMessage> out) {
        revocations.enter(next, out);
    }

    /** Messages that wait for a communicator to be created here. */
    int heldMessages() {
        return held.size();
    }

    @Override
    public String toString() {
        return "held " + held.size() + " " + communicators.values();
    }
}
