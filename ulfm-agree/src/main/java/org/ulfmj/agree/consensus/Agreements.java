package org.ulfmj.agree.consensus;

import java.util.ArrayList;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.agree.message.AgreementValue;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.agree.message.Notes;
import org.ulfmj.agree.message.Offer;
import org.ulfmj.agree.record.DecisionLog;
import org.ulfmj.agree.record.SequenceMap;
import org.ulfmj.agree.tree.AgreementTree;
import org.ulfmj.agree.tree.TreeShape;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/**
 * The agreements of one communicator at one rank. Numbers them in call order. Keeps the open ones (several, where
 * non-blocking ones overlap), and the decisions that other ranks may still ask for.
 *
 * <p>The tree of an agreement leaves out the <em>base</em>: the members that earlier blocking calls agreed on as
 * failed. All ranks make their blocking calls in the same order, so they have the same base for the same number.
 * Non-blocking calls complete at different places of different programs, so they never change the base: otherwise two
 * ranks could use different trees for the same agreement, and the value of a live rank would get lost between them.
 */
public final class Agreements {
    private static final Contribution KEEPING_HOUSE = new Contribution(Kind.HOUSEKEEPING, -1, SlotSet.ALL);

    private final long communicator;
    private final SlotRuns members;
    private final int me;
    private final TreeShape shape;
    private final AgreementContext context;

    private final SequenceMap<EarlyReturningAgreement> open = new SequenceMap<>();
    private final DecisionLog log = new DecisionLog();
    private SlotSet failed;
    private SlotSet gone;
    private SlotSet base = SlotSet.EMPTY;
    /** The tree without the members of the base. All agreements share it until the base changes. */
    private AgreementTree tree;

    /**
     * The message with the decision that was sent last. Processes that are told this decision one after the other get
     * the same object.
     */
    private ControlMessage.Down lastAnswer;

    private long lastSequence;
    private boolean freed;

    /**
     * Calls of agree(UNIFORM), and commits, whose first agreement is decided and whose second is open, by the number of
     * the second.
     */
    private final SortedMap<Long, Unconfirmed> unconfirmed = new TreeMap<>();

    /**
     * What a call of agree(UNIFORM) returns once it is confirmed. {@code sequence} is the number of the call's first
     * agreement.
     */
    private record Unconfirmed(long sequence, Decision decision) {}

    /**
     * @param me slot of this rank, one of the members
     * @param shape the shape of all trees of members of one host, the same at all members
     */
    public Agreements(long communicator, SlotRuns members, int me, TreeShape shape, AgreementContext context) {
        if (!members.contains(me)) {
            throw new IllegalArgumentException("slot " + me + " is no member of " + members);
        }
        this.communicator = communicator;
        this.members = members;
        this.me = me;
        this.shape = shape;
        this.context = context;
        refresh();
    }

    public long communicator() {
        return communicator;
    }

    public SlotRuns members() {
        return members;
    }

    public int me() {
        return me;
    }

    /** Members marked failed here. */
    public SlotSet failed() {
        return failed;
    }

    /** Members that failed or departed as far as this rank knows. */
    SlotSet gone() {
        return gone;
    }

    /** Number of the last agreement that this rank entered; 0 before the first. */
    public long lastSequence() {
        return lastSequence;
    }

    /** How many decisions are kept for processes that may ask for one. */
    public int storedDecisions() {
        return log.size();
    }

    /** The agreement with this number, if it is open; null if it is decided or not known here. */
    EarlyReturningAgreement open(long sequence) {
        return open.at(sequence);
    }

    /**
     * The open agreement that a call waits for: its only one, or the second one of agree(UNIFORM). Null if none is
     * open.
     */
    public EarlyReturningAgreement waitedFor(long call) {
        for (SortedMap.Entry<Long, Unconfirmed> each : unconfirmed.entrySet()) {
            if (each.getValue().sequence() == call) {
                return open.at(each.getKey());
            }
        }
        return open.at(call);
    }

    /** The stored decision of an agreement; null if none is stored. */
    public Decision decision(long sequence) {
        return log.get(sequence);
    }

    public boolean isFreed() {
        return freed;
    }

    /** The caller has freed the communicator. Open agreements go on, and other ranks can still ask for decisions. */
    public void free() {
        freed = true;
    }

    /** Whether this rank has entered no agreement, and no process has told it of one. */
    public boolean isUnused() {
        return lastSequence == 0 && open.isEmpty();
    }

    /**
     * Whether the communicator is freed here and no agreement is open, so that this rank only answers processes that
     * ask for a decision. A failure makes no difference then.
     */
    public boolean isIdle() {
        return freed && open.isEmpty();
    }

    /** Whether no agreement is open here, and no process can ask for a decision other than the last one. */
    public boolean isSettled() {
        return open.isEmpty() && log.size() <= 1;
    }

    public AgreementContext context() {
        return context;
    }

    /** Makes this rank's next call, and returns its number. The call may be decided before this method returns. */
    public long enter(Contribution mine, Outbox<ProcessId, ControlMessage> out) {
        if (freed) {
            throw new IllegalStateException("agreement on the freed communicator " + Long.toHexString(communicator));
        }
        Notes.requireFits(mine.note(), members.size());
        return enterNext(mine, Offer.NONE, out);
    }

    /**
     * Enters the next agreement of housekeeping. {@code kept} has the places of the list whose communicators this rank
     * keeps.
     */
    public void enterHousekeeping(SlotSet kept, Outbox<ProcessId, ControlMessage> out) {
        enterNext(KEEPING_HOUSE, Offer.keeping(kept), out);
    }

    /**
     * Enters the next agreement of replace() or grow().
     *
     * @param kind which of the two
     */
    public void enterChange(Kind kind, Offer offer, Outbox<ProcessId, ControlMessage> out) {
        enterNext(new Contribution(kind, -1, SlotSet.ALL), offer, out);
    }

    private long enterNext(Contribution mine, Offer offer, Outbox<ProcessId, ControlMessage> out) {
        long sequence = ++lastSequence;
        AgreementValue value = AgreementValue.of(mine, members.rank(me), failed, log.storedFrom(), log.storedTo())
                .with(Notes.of(me, mine.note()), offer);
        Quorum quorum = context.electorate().quorumOf(members, base);
        if (tree == null || tree.base() != base) {
            tree = new AgreementTree(members, base, shape, context.membership().placement());
        }
        lookUpOrCreate(sequence).enter(tree, value, quorum, out);
        return sequence;
    }

    /** Handles a message about one of the agreements, from a member that is not marked failed. */
    public void onMessage(ProcessId from, ControlMessage.OfAgreement message, Outbox<ProcessId, ControlMessage> out) {
        int slot = from.slot();
        long sequence = message.sequence();
        if (!members.contains(slot)
                || !context.process(slot).equals(from)
                || isCollected(sequence)
                || (freed && sequence > lastSequence)) { // (a second lock: all members free it together)
            // A question about a collected decision can arrive late. The process that asked has decided since, or else
            // the decision would not be collected. So no record may be made for the question, and no answer is owed.
            return;
        }
        if (message instanceof ControlMessage.Down down) {
            onDown(slot, sequence, down.decision(), out);
        } else if (log.get(sequence) != null) {
            answer(sequence, slot, out);
        } else if (message instanceof ControlMessage.Up up) {
            lookUpOrCreate(sequence).onUp(slot, up, out);
        } else if (message instanceof ControlMessage.ResultRequest) {
            lookUpOrCreate(sequence).onResultRequest(slot, out);
        } else if (message instanceof ControlMessage.NextRound next) {
            lookUpOrCreate(sequence).onNextRound(slot, next, out);
        } else {
            throw new IllegalStateException("not for the agreements of a communicator: " + message);
        }
    }

    /** Takes a decision, from a DOWN message or a goodbye. */
    public void onDown(int from, long sequence, Decision decision, Outbox<ProcessId, ControlMessage> out) {
        if (log.get(sequence) == null && !isCollected(sequence)) {
            lookUpOrCreate(sequence).onDown(from, decision, out);
        }
    }

    /** Decides an open Finalize at this rank alone. */
    public void decideAlone(long sequence, Outbox<ProcessId, ControlMessage> out) {
        EarlyReturningAgreement agreement = open.at(sequence);
        if (agreement != null) {
            agreement.decideAlone(out);
        }
    }

    /**
     * Takes the news that the processes in these slots are marked failed; slots that are no members of this
     * communicator are ignored. The failure set of this rank contains all of them already.
     */
    public void onFailed(SlotSet newlyFailed, Outbox<ProcessId, ControlMessage> out) {
        refresh();
        SlotSet mine = newlyFailed.intersection(failed);
        if (mine.isEmpty()) {
            return;
        }
        for (EarlyReturningAgreement agreement : new ArrayList<>(open.values())) {
            agreement.onFailed(mine, out);
        }
    }

    /** A process failed or departed: from now on the trees leave it out. */
    public void refresh() {
        failed = context.failed(members);
        gone = context.gone(members);
    }

    ProcessId process(int slot) {
        return context.process(slot);
    }

    void fail(SlotSet slots, int toldBy, Outbox<ProcessId, ControlMessage> out) {
        context.fail(slots, context.process(toldBy), out);
    }

    /** Whether the processes that are left without {@code failed} are enough to decide. */
    boolean mayDecide(Quorum quorum, SlotSet failed) {
        // In a world that was replaced no majority is needed. Otherwise each replaced process would count as lost, and
        // in the end every survivor of the first world would lack a majority of it, although no member of the present
        // world is missing.
        return !context.isInForce() || quorum.isMetWithout(failed);
    }

    void fence(String why) {
        context.fence(why);
    }

    void send(int slot, ControlMessage message, Outbox<ProcessId, ControlMessage> out) {
        out.send(context.process(slot), message);
    }

    /** Sends the stored decision of an agreement to a slot. */
    void answer(long sequence, int slot, Outbox<ProcessId, ControlMessage> out) {
        if (lastAnswer == null || lastAnswer.sequence() != sequence) {
            lastAnswer = new ControlMessage.Down(communicator, sequence, log.get(sequence));
        }
        send(slot, lastAnswer, out);
    }

    /** First half of R6: the decision is kept for processes that will ask. */
    void log(long sequence, Decision decision) {
        open.drop(sequence);
        log.add(sequence, decision);
    }

    /** R8: puts a decision into effect, after its messages are sent. */
    void completed(long sequence, Decision decision, Outbox<ProcessId, ControlMessage> out) {
        log.collect(decision.collectFrom(), decision.collectTo());
        if (decision.isOfOneKind() && decision.kinds().firstKey().isBlocking()) { // R8: blocking ones only
            base = base.union(decision.failed());
        }
        context.electorate().onDecided(members, decision);
        context.settle(decision.failed(), out); // R8: also what the second half of agree(UNIFORM) lists
        if (decision.isUniform()) { // U2: the caller does not return before a second agreement
            // Without the second agreement a caller could act on a decision and die, while the survivors do not have
            // that decision.
            unconfirmed.put(lastSequence + 1, new Unconfirmed(sequence, decision));
            enterNext(new Contribution(Kind.CONFIRM_UNIFORM, -1, SlotSet.ALL), Offer.NONE, out);
            return;
        }
        Unconfirmed call = unconfirmed.isEmpty() ? null : unconfirmed.remove(sequence);
        if (call == null) {
            context.decided(communicator, sequence, decision, out);
        } else { // U3: every process that took part in the second agreement had the decision of the first
            // If a process made another call instead of the second agreement, the caller gets that mixed decision.
            Decision result = decision.isOnly(Kind.CONFIRM_UNIFORM) ? call.decision() : decision;
            context.decided(communicator, call.sequence(), result, out);
        }
    }

    /** Whether the decision was dropped because every process had it. */
    private boolean isCollected(long sequence) {
        return sequence <= lastSequence && !open.has(sequence) && log.get(sequence) == null;
    }

    private EarlyReturningAgreement lookUpOrCreate(long sequence) {
        EarlyReturningAgreement known = open.at(sequence);
        if (known != null) {
            return known;
        }
        EarlyReturningAgreement created = new EarlyReturningAgreement(this, sequence);
        open.add(sequence, created);
        return created;
    }

    @Override
    public String toString() {
        return "communicator " + Long.toHexString(communicator) + " failed " + failed + " base " + base + " open "
                + open.values() + " stored " + log.size()
                + (unconfirmed.isEmpty() ? "" : " unconfirmed " + unconfirmed);
    }
}
