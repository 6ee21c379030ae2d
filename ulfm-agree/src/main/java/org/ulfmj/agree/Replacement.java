package org.ulfmj.agree;

import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.ControlCodec;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.agree.message.Offer;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/**
 * One call of replace() at one member (P1 to P5). There are rounds of offers until every failed slot has a newcomer, or
 * no member wants to wait any more. One more agreement confirms the result. Only then does the call return, and only
 * then are newcomers told.
 *
 * <p>Each round is an agreement of the world that is being repaired. A member takes its next step from the decision
 * alone, so all live members take the same step. Local knowledge only says when a member enters a round and what it
 * offers there. After the last round the new members are fixed. A rank that decides and dies may have fixed others than
 * the live ranks, so every member confirms in one more agreement. A process that has the decision of that agreement
 * knows that every live member had fixed the same members before it confirmed.
 *
 * <p>Driven by the decisions of its agreements, by announcements, failures and time. Not thread-safe.
 */
final class Replacement {
    private enum Phase {
        /** Between two rounds: replacements are still to come. */
        WAITING,
        /** In a round of offers. */
        OFFERING,
        /** The members are fixed, and one more agreement confirms them. */
        CONFIRMING,
        OVER
    }

    private final Agreements world;
    private final Membership before;
    private final ReplaceTerms terms;
    private final ReplaceContext context;
    private final long deadlineNs;

    private Phase phase = Phase.WAITING;
    private int round;

    /** Number of the agreement that this call waits for. */
    private long sequence;

    /** The slots that the last round agreed on as failed. */
    private SlotSet failed = SlotSet.EMPTY;

    /** The new world, as the last round has fixed it; null before. */
    private Admission admission;

    private SlotSet newcomers = SlotSet.EMPTY;

    /**
     * @param world the agreements of a communicator of all members
     * @param before the members before the replacement
     */
    Replacement(Agreements world, Membership before, ReplaceTerms terms, ReplaceContext context) {
        this.world = world;
        this.before = before;
        this.terms = terms;
        this.context = context;
        this.deadlineNs = context.nowNs() + terms.timeoutNs();
    }

    long communicator() {
        return world.communicator();
    }

    /** Number of the agreement that this call waits for or had last; 0 before the first. */
    long sequence() {
        return sequence;
    }

    /** Slots that the world has lost and that no process fills, while the call waits for them; else empty. */
    SlotSet awaited() {
        return phase == Phase.WAITING ? failed : SlotSet.EMPTY;
    }

    /** When this call goes on only because the time is over; {@code Long.MAX_VALUE} if never. */
    long nextDeadlineNs() {
        return phase == Phase.WAITING ? deadlineNs : Long.MAX_VALUE;
    }

    /** P1: the first round begins at once. */
    void begin(Outbox<ProcessId, ControlMessage> out) {
        offer(out);
    }

    private void offer(Outbox<ProcessId, ControlMessage> out) {
        // The first offer always waits, because it is made before a replacement can have been started.
        boolean waits = round < terms.rounds() && (round == 0 || !isLate());
        phase = Phase.OFFERING;
        sequence = world.lastSequence() + 1;
        world.enterReplace(context.announced().offer(before, context.failures(), waits, terms.strict()), out);
    }

    /** Makes the next offer if an announcement, a failure or the time has made this member ready for it. */
    void goOn(Outbox<ProcessId, ControlMessage> out) {
        if (phase == Phase.WAITING && isReady()) {
            offer(out);
        }
    }

    private boolean isReady() {
        return isLate()
                || !failed.containsAll(world.failed()) // P1: a new failure in the world
                // (This check only saves time: an offer that an announcement or the deadline causes later would list
                // the failure, too.)
                || context.announced().settle(failed, before, context.failures());
    }

    private boolean isLate() {
        return context.nowNs() - deadlineNs >= 0;
    }

    /** Whether the decision of this agreement is for this call. */
    boolean waitsFor(long communicator, long ofSequence) {
        return (phase == Phase.OFFERING || phase == Phase.CONFIRMING)
                && communicator == world.communicator()
                && ofSequence == sequence;
    }

    /** The agreement that this call waits for is decided, and the processes that it lists as failed are marked. */
    void onDecided(Decision decision, Outbox<ProcessId, ControlMessage> out) {
        if (!decision.isOnly(Kind.REPLACE)) {
            onOtherCalls(decision, out);
        } else if (phase == Phase.CONFIRMING) {
            phase = Phase.OVER;
            context.admitted(admission, newcomers, out);
        } else {
            onOffers(decision, out);
        }
    }

    private void onOtherCalls(Decision decision, Outbox<ProcessId, ControlMessage> out) {
        for (Kind kind : decision.kinds().keySet()) {
            if (kind != Kind.REPLACE && !kind.isOfRecovery()) {
                end(new ReplaceOutcome.Mixed(decision));
                return;
            }
        }
        // The other members called Rabit's commit or summary. This decision tells them that the call is not done. They
        // call replace next, so the rounds begin anew.
        round = 0;
        offer(out);
    }

    /** P2: takes the next step from the decision alone: to wait for replacements, or to fix the members. */
    private void onOffers(Decision decision, Outbox<ProcessId, ControlMessage> out) {
        // The decision includes the failures of earlier rounds, because every contributor had marked them before.
        failed = decision.failed();
        if (decision.offer().isTooLong()) {
            end(new ReplaceOutcome.NotReplaced(
                    failed,
                    false,
                    "the addresses of all that wait to take a place have more than the " + Offer.MAX_BYTES
                            + " bytes that fit into an agreement"));
            return;
        }
        SlotSet missing = missing(decision.offer());
        boolean mayCome = !missing.minus(decision.offer().noMore()).isEmpty();
        if (mayCome && decision.offer().waits()) {
            round++;
            phase = Phase.WAITING;
            goOn(out);
        } else {
            commit(decision.offer(), missing, out);
        }
    }

    private SlotSet missing(Offer offer) {
        SlotSet missing = SlotSet.EMPTY;
        for (int i = 0; i < failed.size(); i++) {
            int slot = failed.slot(i);
            if (offer.replacement(slot, before.incarnation(slot)) == null) {
                missing = missing.with(slot);
            }
        }
        return missing;
    }

    /** P3: fixes the members. No process is told yet. */
    private void commit(Offer offer, SlotSet missing, Outbox<ProcessId, ControlMessage> out) {
        if (offer.strict() && !missing.isEmpty()) {
            boolean mayStillCome = missing.minus(offer.noMore()).equals(missing);
            end(new ReplaceOutcome.NotReplaced(missing, mayStillCome, whyMissing(missing, offer)));
            return;
        }
        SortedMap<Integer, Contact> members = members(offer);
        int lengthBytes = ControlMessage.Welcome.lengthBytes(members, newcomers);
        if (lengthBytes > ControlCodec.MAX_BYTES) {
            end(new ReplaceOutcome.NotReplaced(
                    failed,
                    false,
                    "a welcome with the addresses of " + members.size() + " members has up to " + lengthBytes
                            + " bytes, more than the " + ControlCodec.MAX_BYTES + " of a message"));
            return;
        }
        admission = context.named(communicator(), sequence, new Admission(before.epoch() + 1, 0, members));
        for (int i = 0; i < newcomers.size(); i++) {
            // A newcomer is introduced before the confirmation: once that is decided at any member, the newcomer may
            // send messages to this rank.
            context.introduce(members.get(newcomers.slot(i)));
        }
        confirm(out);
    }

    private SortedMap<Integer, Contact> members(Offer offer) {
        SortedMap<Integer, Contact> members = new TreeMap<>();
        newcomers = SlotSet.EMPTY;
        SlotRuns slots = before.slots();
        for (int rank = 0; rank < slots.size(); rank++) {
            int slot = slots.slot(rank);
            if (!failed.contains(slot)) {
                members.put(slot, context.contact(before.process(slot)));
                continue;
            }
            Contact newcomer = offer.replacement(slot, before.incarnation(slot));
            if (newcomer != null) {
                members.put(slot, newcomer);
                newcomers = newcomers.with(slot);
            }
        }
        return members;
    }

    /** P4: no call returns, and no newcomer is told, before all live members have fixed the same members. */
    private void confirm(Outbox<ProcessId, ControlMessage> out) {
        phase = Phase.CONFIRMING;
        sequence = world.lastSequence() + 1;
        world.enterReplace(Offer.NONE, out);
    }

    private void end(ReplaceOutcome outcome) {
        phase = Phase.OVER;
        context.ended(outcome);
    }

    private String whyMissing(SlotSet missing, Offer offer) {
        StringBuilder why = new StringBuilder();
        for (int i = 0; i < missing.size(); i++) {
            int slot = missing.slot(i);
            String announced = context.announced().why(slot);
            why.append(i == 0 ? "" : "; ").append("slot ").append(slot).append(": ");
            if (announced != null) {
                why.append(announced);
            } else if (offer.noMore().contains(slot)) {
                why.append("another member has been told that no process is started there any more");
            } else if (isLate()) {
                why.append("no replacement within ")
                        .append(terms.timeoutNs() / 1_000_000)
                        .append(" ms");
            } else {
                why.append("another member does not wait for a replacement any more");
            }
        }
        return why.toString();
    }

    @Override
    public String toString() {
        return "replace " + phase + " round " + round + " agreement " + sequence + " failed " + failed
                + (admission == null ? "" : " " + admission);
    }
}
