package org.ulfmj.agree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
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
 * Forgets communicators that all their members have freed. Freeing is local, so a rank that has freed one cannot know
 * whether another may still ask for its last decision, or has still to hear that it is revoked: it keeps both. Once a
 * rank holds enough of such, it names them to all members of the membership epoch, in a list. All enter an agreement
 * with those of the list that they are members of and still keep: not freed, or freed with an agreement under way, or
 * not made yet, for a rank that is slow may make it later and has to find its revocation. What no process keeps is
 * forgotten everywhere.
 *
 * <p>Each rank that begins lists has its own communicator for it in each epoch, which no program sees; its k-th
 * agreement is about its k-th list, and it begins the next list when it has decided the last. Lists spread like
 * revocations, so if one live member has entered, all do in the end. A rank that has decided Finalize, or is in another
 * epoch, takes no part any more; a list of an earlier epoch is void, and what it named is named again.
 *
 * <p>Part of a {@link SurvivorCore}. Not thread-safe.
 */
final class Housekeeping {
    /** A rank that holds this many begins a list. */
    static final int ENOUGH = 256;

    /** Ranks behind the first begin a little later, so that what all of them hold is named by one. */
    private static final int STEP = 16;

    private static final int MAX_STEPS = 48;

    /** A list is no longer. */
    static final int MAX_LIST_BYTES = ControlCodec.MAX_BYTES / 4;

    /** Odd, so that no two initiators have the same id. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final Survivor rank;
    private final Communicators communicators;
    private final Worlds worlds;
    private int enough = ENOUGH;

    /** Ranks behind the first name what a void list had named this much later each. */
    private final long stepNs;

    private long urgentFromNs;

    private Epoch epoch;
    private Membership membership;
    /** The ids of this epoch's communicators of housekeeping are made of it. */
    private long base;

    private ReliableBroadcast<ControlMessage.FreedList> lists;
    /** Ranks that begin lists, by their slots. */
    private final SortedMap<Integer, Initiator> initiators = new TreeMap<>();
    /** Lists of an epoch that this rank has not entered yet. */
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

    /** A simulation does not wait for hundreds of communicators. */
    void beginWith(int freed) {
        enough = freed;
    }

    /** What one member of the epoch has begun. */
    private final class Initiator implements HousekeepingContext.Decided {
        final int slot;
        final Agreements agreements;
        /** Lists that are not decided here, by number: entered, or not entered because one before has not come yet. */
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
                // Ranks that are told of goodbyes decide without what the leavers keep, this rank perhaps among them.
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

    /** Which of the list this rank keeps, by their places. */
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

    /** Something was freed, or a list was decided: perhaps it is time for the next. */
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
            return; // those of void lists are in use here
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

    /** How many live members come before this one. */
    private int place() {
        SlotRuns slots = membership.slots();
        LiveMembers live = LiveMembers.of(slots, rank.failures().goneAmong(slots, membership));
        return live.place(rank.me().slot());
    }

    /** A list that begins here, or has come. */
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

    /** This rank may have other neighbours: they are told of every open list. */
    void replay(ProcessId gone, Outbox<ProcessId, ControlMessage> out) {
        lists.onGone(gone, out);
    }

    /** Another membership epoch is in force: what was begun in the one before is void. */
    void enter(Outbox<ProcessId, ControlMessage> out) {
        long[] over = new long[membership.size()];
        for (int i = 0; i < over.length; i++) {
            // Whether it began lists or not: others may still talk of some that this rank has not heard of.
            over[i] = internal(membership.slots().slot(i));
        }
        initiators.clear();
        communicators.dropInternal(over);
        communicators.nameNone();
        begin();
        // One after the other: what the first names the next need not.
        urgentFromNs = rank.nowNs() + Math.min(place(), MAX_STEPS) * stepNs;
        List<ControlMessage.FreedList> early = new ArrayList<>(later);
        later.clear();
        for (ControlMessage.FreedList list : early) {
            onList(list, out);
        }
    }

    /** The same at all members of the epoch, and at no other process. */
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

    /** Lists that are not decided here. */
    int open() {
        int open = 0;
        for (Initiator each : initiators.values()) {
            open += each.open.size();
        }
        return open;
    }
}
