package org.ulfmj.agree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.agree.consensus.Agreements;
import org.ulfmj.agree.message.ControlCodec;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Freed;
import org.ulfmj.agree.tree.TreeShape;
import org.ulfmj.detector.LiveMembers;
import org.ulfmj.detector.ReliableBroadcast;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Sha256;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.Timing;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.protocol.WireWriter;

/**
 * Forgets communicators that all their members have freed. Freeing is local: a rank that has freed a communicator
 * cannot know whether another rank may still ask for its last decision, or has still to hear that it is revoked. So the
 * rank keeps the decision and the revocation. Once it holds enough freed communicators, it names them in a list to all
 * members of the membership epoch. All members enter an agreement about the list. Each contributes the listed
 * communicators that it is a member of and still keeps: not freed, or freed with an agreement under way, or not made
 * yet, because a slow rank may make the communicator later and must find its revocation. A communicator that no process
 * keeps is forgotten everywhere.
 *
 * <p>Each rank that begins lists has a separate communicator for them in each epoch, which no program sees. Its k-th
 * agreement is about the rank's k-th list, and the rank begins the next list when it has decided the last. Lists spread
 * like revocations: if one live member has entered an agreement, all do in the end. A rank that has decided Finalize,
 * or is in another epoch, takes no part any more. A list of an earlier epoch is void, and the communicators that it
 * named are named again.
 *
 * <p>Part of a {@link SurvivorCore}. Not thread-safe.
 */
final class Housekeeping {
    /**
     * How many freed communicators the first live rank must hold to begin a list. Those count that no list has named,
     * or last one that another epoch made void.
     */
    static final int ENOUGH = 256;

    /**
     * How many more freed communicators each of the first {@link #MAX_STEPS} ranks after the first live rank needs than
     * the live rank before it, where {@link #ENOUGH} is not changed. So one rank names the communicators that all of
     * them hold.
     */
    private static final int STEP = 16;

    private static final int MAX_STEPS = 48;

    /** The most bytes of a list that names more than one communicator. */
    static final int MAX_LIST_BYTES = ControlCodec.MAX_BYTES / 4;

    /**
     * The distance between the ids of two neighbouring initiators. It is odd, so that no two initiators have the same
     * id.
     */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final Survivor rank;
    private final Communicators communicators;
    private final Worlds worlds;
    private int enough = ENOUGH;

    /**
     * How much later than the live rank before it each of the first {@link #MAX_STEPS} ranks after the first live rank
     * names again what a void list had named.
     */
    private final long stepNs;

    private long urgentFromNs;

    private Epoch epoch;
    private Membership membership;
    /** The number that the ids of this epoch's communicators of housekeeping are made of; 0 until it is needed. */
    private long base;

    private ReliableBroadcast<ControlMessage.FreedList> lists;
    /** The ranks that have begun lists in this epoch, by their slots. */
    private final SortedMap<Integer, Initiator> initiators = new TreeMap<>();
    /**
     * Lists that have come for an epoch that this rank has not entered yet. They are handled when it enters that epoch.
     */
    private final List<ControlMessage.FreedList> later = new ArrayList<>();

    Housekeeping(Survivor rank, Communicators communicators, Worlds worlds, Timing timing) {
        this.rank = rank;
        this.stepNs = timing.detectorTimeoutNs() / (MAX_STEPS + STEP);
        this.communicators = communicators;
        this.worlds = worlds;
        begin();
    }

    private void begin() {
        epoch = worlds.inForce();
        membership = epoch.membership();
        base = 0;
        lists = new ReliableBroadcast<>(rank.me(), membership, rank.failures());
    }

    /** Sets how many freed communicators are enough for a list. For simulations, which do not free hundreds of them. */
    void beginWith(int freed) {
        enough = freed;
    }

    /** The lists that one member of the epoch has begun, and the agreements about them. */
    private final class Initiator implements HousekeepingContext.Decided {
        final int slot;
        final Agreements agreements;
        /** Lists that are not decided here, by number. A list is not entered while an earlier one has not come yet. */
        final SortedMap<Long, ControlMessage.FreedList> open = new TreeMap<>();

        Initiator(int slot) {
            this.slot = slot;
            HousekeepingContext context = new HousekeepingContext(epoch, this);
            this.agreements =
                    new Agreements(internal(slot), membership.slots(), rank.me().slot(), TreeShape.WIDE, context);
        }

        void enterAll(Outbox<ProcessId, ControlMessage> out) {
            while (true) {
                ControlMessage.FreedList next = open.get(agreements.lastSequence() + 1);
                if (next == null) {
                    return;
                }
                communicators.name(next.named(), true);
                agreements.enterHousekeeping(kept(next.named()), out);
            }
        }

        @Override
        public void decided(long number, Decision decision) {
            if (rank.departure().isLeaving()) {
                // A rank that leaves ignores the decision, which may lack what other leaving ranks keep: a rank that
                // has heard a goodbye decides without that leaver, perhaps without this rank.
                return;
            }
            ControlMessage.FreedList list = open.remove(number);
            lists.forget(list.key());
            communicators.name(list.named(), false);
            List<Freed> over = new ArrayList<>();
            for (int i = 0; i < list.named().size(); i++) {
                if (!decision.offer().kept().contains(i)) {
                    over.add(list.named().get(i));
                }
            }
            communicators.forget(over);
        }
    }

    /** The places, in the list, of the communicators that this rank keeps or has still to make. */
    private SlotSet kept(List<Freed> named) {
        int[] kept = new int[named.size()];
        int count = 0;
        for (int i = 0; i < kept.length; i++) {
            if (isMember(named.get(i))
                    && !communicators.isOver(named.get(i).communicator())) { // slow counts as keeping
                kept[count++] = i;
            }
        }
        return SlotSet.of(Arrays.copyOf(kept, count));
    }

    private boolean isMember(Freed named) {
        return named.members().contains(rank.me().slot()) && named.epoch() >= worlds.firstEpoch();
    }

    /**
     * Begins the next list of this rank if it holds enough freed communicators, or if it is time to name again what a
     * void list had named. Does nothing while the last list of this rank is open.
     */
    void goOn(Outbox<ProcessId, ControlMessage> out) {
        boolean isUrgent = communicators.hasOfVoidLists() && rank.nowNs() - urgentFromNs >= 0;
        boolean hasEnough = communicators.unnamed() >= enough && isIn() && communicators.unnamed() >= enough();
        if (!hasEnough && !(isUrgent && isIn())) {
            return;
        }
        Initiator mine = initiators.get(rank.me().slot());
        if (mine != null && !mine.open.isEmpty()) {
            return;
        }
        List<Freed> named = communicators.toName(MAX_LIST_BYTES, enough());
        if (named.isEmpty()) {
            return; // too many of the communicators are in use here
        }
        mine = initiator(rank.me().slot(), out);
        onList(
                new ControlMessage.FreedList(
                        membership.epoch(), rank.me().slot(), mine.agreements.lastSequence() + 1, named),
                out);
    }

    private boolean isIn() {
        return !rank.isFenced() && !rank.departure().isLeaving() && !worlds.isPending();
    }

    private int enough() {
        return enough + enough * STEP / ENOUGH * Math.min(place(), MAX_STEPS);
    }

    /** How many live members of the epoch have a lower rank than this one. */
    private int place() {
        SlotRuns slots = membership.slots();
        LiveMembers live = LiveMembers.of(slots, rank.failures().goneAmong(slots, membership));
        return live.place(rank.me().slot());
    }

    /**
     * Takes a list that begins here or has arrived: passes it on, and enters the agreement about it once all earlier
     * lists of its initiator are here. Keeps a list of a later epoch until that epoch, and ignores a list of an earlier
     * one; a rank that leaves ignores lists.
     */
    void onList(ControlMessage.FreedList list, Outbox<ProcessId, ControlMessage> out) {
        if (list.epoch() > membership.epoch()) {
            later.add(list);
            return;
        }
        if (list.epoch() < membership.epoch() || rank.departure().isLeaving()) {
            return;
        }
        Initiator initiator = initiator(list.initiator(), out);
        if (list.number() <= initiator.agreements.lastSequence() || !lists.spread(list, out)) {
            return;
        }
        initiator.open.put(list.number(), list);
        initiator.enterAll(out);
    }

    private Initiator initiator(int slot, Outbox<ProcessId, ControlMessage> out) {
        Initiator known = initiators.get(slot);
        if (known == null) {
            known = new Initiator(slot);
            initiators.put(slot, known);
            communicators.registerInternal(known.agreements, out);
        }
        return known;
    }

    /**
     * A process has failed or departed, so this rank may have new neighbours in the overlay. They are sent every open
     * list.
     */
    void replay(ProcessId gone, Outbox<ProcessId, ControlMessage> out) {
        lists.onGone(gone, out);
    }

    /** Notes that another membership epoch is in force: lists of the epoch before are void. */
    void enter(Outbox<ProcessId, ControlMessage> out) {
        long[] over = new long[membership.size()];
        for (int i = 0; i < over.length; i++) {
            // The id of every member is dropped, also of one that began no list as far as this rank knows: messages
            // about a list that this rank has not heard of may still come.
            over[i] = internal(membership.slots().slot(i));
        }
        initiators.clear();
        communicators.dropInternal(over);
        communicators.nameNone();
        begin();
        // The ranks name the communicators of void lists one after the other: the next rank need not name what the
        // first one has named.
        urgentFromNs = rank.nowNs() + Math.min(place(), MAX_STEPS) * stepNs;
        List<ControlMessage.FreedList> early = new ArrayList<>(later);
        later.clear();
        for (ControlMessage.FreedList list : early) {
            onList(list, out);
        }
    }

    /**
     * The id of the communicator for the lists of one initiator: all members of the epoch compute the same id, and no
     * other world has it.
     */
    private long internal(int initiator) {
        if (base == 0) {
            WireWriter fields = new WireWriter(1 << 26).putText("housekeeping").putLong(membership.epoch());
            for (int slot : membership.slots().toArray()) {
                fields.putProcess(membership.process(slot));
            }
            base = new WireReader(Sha256.of(fields.toByteArray())).getLong();
        }
        return base + initiator * SPREAD;
    }

    /** How many lists are not decided here. */
    int open() {
        int open = 0;
        for (Initiator each : initiators.values()) {
            open += each.open.size();
        }
        return open;
    }
}
