package org.ulfmj.agree.change;

import java.util.SortedMap;
import org.ulfmj.agree.consensus.Agreements;
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
import org.ulfmj.protocol.SlotSet;

/**
 * One call of replace() or grow() at one member: one loop of two kinds. In replace() (P1 to P5) there are rounds of
 * offers until every failed slot has a newcomer or can get none, or no member wants to wait any more. In grow() (G1 to
 * G6) there is one round, whose offers name joiners, too: processes without a slot. If another world is to be made, one
 * more agreement confirms it. The call returns only then, and only then are newcomers told.
 *
 * <p>Each round is an agreement of the world that is to change. A member takes its next step from the decision alone,
 * so all live members take the same step. Local knowledge only says when a member enters a round and what it offers
 * there. After the last round the new members are fixed. A rank that decides and dies may have fixed others than the
 * live ranks, so every member confirms in one more agreement. A process that has the decision of that agreement knows
 * that every live member had fixed the same members before it confirmed.
 *
 * <p>Driven by the decisions of its agreements, by announcements, failures and time. Not thread-safe.
 */
public final class WorldChange {
    private enum Phase {
        /** Between two rounds of offers: the call waits for replacements. */
        WAITING,
        /** In a round of offers. */
        OFFERING,
        /** The members are fixed, and one more agreement confirms them. */
        CONFIRMING,
        OVER
    }

    private final Agreements world;
    private final Membership before;
    private final ChangeTerms terms;
    private final ChangeContext context;
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
     * @param before the members before the change
     */
    public WorldChange(Agreements world, Membership before, ChangeTerms terms, ChangeContext context) {
        this.world = world;
        this.before = before;
        this.terms = terms;
        this.context = context;
        this.deadlineNs =
                terms instanceof ReplaceTerms replace ? context.nowNs() + replace.timeoutNs() : Long.MAX_VALUE;
    }

    public long communicator() {
        return world.communicator();
    }

    /** Number of the agreement that this call waits for or had last; 0 before its first agreement. */
    public long sequence() {
        return sequence;
    }

    /** The slots that the last round agreed on as failed, while the call waits for replacements; else empty. */
    public SlotSet awaited() {
        return phase == Phase.WAITING ? failed : SlotSet.EMPTY;
    }

    /**
     * The time at which this call goes on even if nothing else happens; {@code Long.MAX_VALUE} if there is no such
     * time.
     */
    public long nextDeadlineNs() {
        return phase == Phase.WAITING ? deadlineNs : Long.MAX_VALUE;
    }

    /** P1, G1: the first round begins at once. */
    public void begin(Outbox<ProcessId, ControlMessage> out) {
        offer(out);
    }

    private void offer(Outbox<ProcessId, ControlMessage> out) {
        phase = Phase.OFFERING;
        sequence = world.lastSequence() + 1;
        world.enterChange(terms.kind(), mine(), out);
    }

    private Offer mine() {
        Announcements announced = context.announced();
        if (terms instanceof ReplaceTerms replace) {
            // The first offer always says that this member waits for replacements, because it is made before a
            // replacement can have been started.
            boolean waits = round < replace.rounds() && (round == 0 || !isLate());
            return announced.offer(before, context.failures(), waits, replace.strict());
        }
        return announced
                .offer(before, context.failures(), false, false)
                .with(announced.joiners(((GrowTerms) terms).most(), context.isRevoked(communicator())));
    }

    /** Makes the next offer if an announcement, a failure or the time has made this member ready for it. */
    public void goOn(Outbox<ProcessId, ControlMessage> out) {
        if (phase == Phase.WAITING && isReady()) {
            offer(out);
        }
    }

    private boolean isReady() {
        return isLate()
                || !failed.containsAll(world.failed()) // P1: a new failure in the world
                // (The check for a new failure only saves time: an offer that an announcement or the deadline causes
                // later would list the failure, too.)
                || context.announced().settle(failed, before, context.failures());
    }

    private boolean isLate() {
        return deadlineNs != Long.MAX_VALUE && context.nowNs() - deadlineNs >= 0;
    }

    /** Whether the decision of this agreement is for this call. */
    public boolean waitsFor(long communicator, long ofSequence) {
        return (phase == Phase.OFFERING || phase == Phase.CONFIRMING)
                && communicator == world.communicator()
                && ofSequence == sequence;
    }

    /**
     * Takes the decision of the agreement that this call waits for. The processes that it lists as failed are marked
     * already.
     */
    public void onDecided(Decision decision, Outbox<ProcessId, ControlMessage> out) {
        if (!decision.isOnly(terms.kind())) {
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
            if (kind != terms.kind() && !(terms.isOfRecovery() && kind.isOfRecovery())) {
                end(new ChangeOutcome.Mixed(decision)); // G8
                return;
            }
        }
        // Other members called Rabit's commit or summary. This decision tells them that their call is not done. They
        // make the call of this member next, so the rounds begin anew.
        round = 0;
        offer(out);
    }

    /**
     * P2, G4: takes the next step from the decision and the present world alone, which are the same at all members:
     * waits for replacements, fixes the next members, or ends the call, for example because the offers are too long or
     * (G5) a grow changes nothing.
     */
    private void onOffers(Decision decision, Outbox<ProcessId, ControlMessage> out) {
        // The decision includes the failures of earlier rounds, because every contributor had marked them before.
        failed = decision.failed();
        Offer offer = decision.offer();
        if (offer.isTooLong()) {
            end(new ChangeOutcome.Incomplete(
                    failed,
                    false,
                    "the addresses of all that wait to take the place of others have more than the " + Offer.MAX_BYTES
                            + " bytes that fit into an agreement"));
            return;
        }
        SortedMap<Integer, Contact> present = context.members();
        NextWorld next = NextWorld.of(present, context.ancestry(), failed, offer);
        boolean mayCome = !next.missing().minus(offer.noMore()).isEmpty();
        if (mayCome && offer.waits()) {
            round++;
            phase = Phase.WAITING;
            goOn(out);
        } else if (terms.kind() == Kind.GROW && !offer.joins().isRevoked() && !next.differsFrom(present)) {
            end(new ChangeOutcome.Unchanged()); // G5
        } else {
            commit(next, offer, out);
        }
    }

    /**
     * P3: fixes the members of the next world, or ends the call if it cannot be made. No newcomer is told that it is a
     * member yet.
     */
    private void commit(NextWorld next, Offer offer, Outbox<ProcessId, ControlMessage> out) {
        SlotSet missing = next.missing();
        if (offer.strict() && !missing.isEmpty()) {
            boolean mayStillCome = missing.minus(offer.noMore()).equals(missing);
            end(new ChangeOutcome.Incomplete(missing, mayStillCome, whyMissing(missing, offer)));
            return;
        }
        Admission unnamed = new Admission(before.epoch() + 1, 0, next.members(), next.ancestry());
        int lengthBytes = ControlMessage.Welcome.lengthBytes(next.members(), next.ancestry(), next.newcomers());
        if (lengthBytes > ControlCodec.MAX_BYTES) {
            end(new ChangeOutcome.Incomplete(
                    failed,
                    false,
                    "a welcome with the addresses of " + next.members().size() + " members has up to " + lengthBytes
                            + " bytes, more than the " + ControlCodec.MAX_BYTES + " of a message"));
            return;
        }
        newcomers = next.newcomers();
        admission = context.named(terms.kind(), communicator(), sequence, unnamed);
        for (int i = 0; i < newcomers.size(); i++) {
            // A newcomer is introduced before the confirmation: once that is decided at any member, the newcomer may
            // send messages to this rank.
            context.introduce(admission.members().get(newcomers.slot(i)));
        }
        confirm(out);
    }

    /** P4, G6: no call returns with another world before all live members have fixed the same members of it. */
    private void confirm(Outbox<ProcessId, ControlMessage> out) {
        phase = Phase.CONFIRMING;
        sequence = world.lastSequence() + 1;
        world.enterChange(terms.kind(), Offer.NONE, out);
    }

    private void end(ChangeOutcome outcome) {
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
                        .append(((ReplaceTerms) terms).timeoutNs() / 1_000_000)
                        .append(" ms");
            } else {
                why.append("another member does not wait for a replacement any more");
            }
        }
        return why.toString();
    }

    @Override
    public String toString() {
        return terms.kind().callName() + " " + phase + " round " + round + " agreement " + sequence + " failed "
                + failed + (admission == null ? "" : " " + admission);
    }
}
