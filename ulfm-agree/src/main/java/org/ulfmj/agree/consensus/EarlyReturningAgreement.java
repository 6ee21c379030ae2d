package org.ulfmj.agree.consensus;

import org.ulfmj.agree.message.AgreementValue;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.tree.AgreementTree;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;

/**
 * One agreement at one rank: values travel up the tree, the decision travels down, and a rank returns to its caller as
 * soon as it has the decision, without waiting for the ranks below it.
 *
 * <p>After the Early Returning Agreement of Hérault, Bouteiller, Bosilca, Gamell, Teranishi, Parashar and Dongarra
 * ("Practical Scalable Consensus for Pseudo-Synchronous Distributed Systems", SC'15), with the additions that it needs
 * under any number of crashes and under false suspicion. Each rule has a name (R1 to R10); the comments name the rule
 * at the line that is the rule, and say what goes wrong without it. The decision is the same at all ranks that are not
 * later reported failed, apart from a Finalize that a rank decides alone (F6). A rank that decides, returns and dies
 * may have returned another one.
 *
 * <p>The intuition. A rank waits for its children (GATHERING) or for its parent (WAITING), never for another process,
 * and hears of each death in the end. If its parent dies, the rank sends its value to the next one. If the rank has
 * become the root, it asks its children whether the dead root had told one of them the decision. A root decides only
 * when every process that contributed to its value had already marked failed every process that the value lists.
 * Otherwise a listed process that lives could still decide something else together with a contributor.
 */
public final class EarlyReturningAgreement {
    /** How far this rank is with the agreement. */
    enum State {
        /** Other ranks have begun the agreement; this rank has not made its call yet. */
        UNENTERED,
        /** The rank has made its call and waits for the values of its children. */
        GATHERING,
        /** The rank has sent its value to its parent and waits for the decision. */
        WAITING,
        /** The rank has the decision, in the communicator's log. */
        DECIDED
    }

    private final Agreements group;
    private final long sequence;

    private State state = State.UNENTERED;

    /**
     * The tree of this agreement, which leaves out the base as it was at the time of entry. A tree with a later base
     * never takes its place.
     */
    private AgreementTree tree;

    /** The contribution of this rank. A new round begins with it. */
    private AgreementValue own;

    /** The contributions that have come here in this round, combined. */
    private AgreementValue value = AgreementValue.NEUTRAL;

    /** The members that have sent this rank their values in this round, so that {@link #value} contains them. */
    private SlotSet gathered = SlotSet.EMPTY;

    /** The members that have asked this rank, or whose values came while it was WAITING: it owes them the decision. */
    private SlotSet requesters = SlotSet.EMPTY;

    /**
     * The members that this rank has asked in this round for the decision or a value. Those that fail while it is
     * GATHERING are taken out.
     */
    private SlotSet asked = SlotSet.EMPTY;

    /**
     * The slots that were marked failed at every member in {@link #gathered}, and at every member below one of these,
     * when that member contributed.
     */
    private SlotSet fenced = SlotSet.ALL;

    /** How many processes must be left for a root to decide. */
    private Quorum quorum;

    private int round;

    /** The parent that has the value of this rank, while WAITING. */
    private int waitingFor = -1;

    EarlyReturningAgreement(Agreements group, long sequence) {
        this.group = group;
        this.sequence = sequence;
    }

    State state() {
        return state;
    }

    int round() {
        return round;
    }

    /** The slot of the parent from which this rank waits for the decision; −1 unless WAITING. */
    public int waitingFor() {
        return state == State.WAITING ? waitingFor : -1;
    }

    /** Slots of the children whose values this rank waits for; empty unless GATHERING. */
    public SlotSet missing() {
        return state == State.GATHERING ? children().minus(gathered) : SlotSet.EMPTY;
    }

    /** Whether this rank owes a member the decision: the member's value of this round or a request of it came here. */
    public boolean owes(int slot) {
        return gathered.contains(slot) || requesters.contains(slot);
    }

    /** R1: this rank makes its call. Values that came early from children are kept. */
    void enter(
            AgreementTree treeAtEntry,
            AgreementValue mine,
            Quorum quorumAtEntry,
            Outbox<ProcessId, ControlMessage> out) {
        if (state != State.UNENTERED) {
            throw new IllegalStateException("agreement " + sequence + " entered while " + state);
        }
        tree = treeAtEntry;
        own = mine;
        quorum = quorumAtEntry;
        value = value.combine(mine);
        state = State.GATHERING;
        advance(out);
    }

    /**
     * R2: if all children have contributed, sends the combined value to the parent. The root decides instead, unless
     * the quorum is not met (then it fences itself) or R9 requires a new round.
     */
    private void advance(Outbox<ProcessId, ControlMessage> out) {
        if (state != State.GATHERING || !gathered.containsAll(children())) {
            return;
        }
        // The failures that are known now are added, and not only those known at entry. So shrink leaves out every
        // failure that some rank on the way up knew. (A second lock: the own value has the failures known at entry, and
        // onFailed adds those that became known since.)
        value = value.withFailed(group.failed());
        int parent = parent();
        if (parent != group.me()) {
            passUp(parent, out);
            return;
        }
        if (!group.mayDecide(quorum, value.failed())) { // R2 quorum: without a majority no decision
            // Without the rule of the majority both sides of a split would decide, each without the other.
            group.fence(quorum.shortOf(value.failed()));
            return;
        }
        SlotSet unheard = value.failed().minus(group.failed());
        if (!unheard.isEmpty()) {
            // Marking these processes calls onFailed, which calls this method again.
            group.fail(unheard, group.me(), out);
            return;
        }
        if (!fenced.containsAll(value.failed())) { // R9: all contributors must have fenced every process that is listed
            // Without a new round a live rank that the value lists as failed could decide with a contribution made
            // before it was excluded.
            newRound(round + 1, out);
            return;
        }
        decide(value.toDecision(), out);
    }

    private void passUp(int parent, Outbox<ProcessId, ControlMessage> out) {
        state = State.WAITING;
        waitingFor = parent;
        SlotSet fencedHere = fenced.intersection(group.failed());
        group.send(
                parent,
                new ControlMessage.Up(group.communicator(), sequence, tree.view(), round, value, fencedHere),
                out);
    }

    /** R3: takes a value from a process below, which is not marked failed. */
    void onUp(int from, ControlMessage.Up up, Outbox<ProcessId, ControlMessage> out) {
        if (up.value().failed().contains(group.me())) { // R3a2: a value that lists me ends me
            // Without this rule (R3a2) a root would decide that it is itself dead. If the sender then died, no process
            // would ever tell the root.
            group.fence("an agreement value of process " + group.process(from) + " lists this process as failed");
            return;
        }
        learn(up.value().failed(), from, out);
        if (state != State.DECIDED && up.round() > round) {
            newRound(up.round(), out);
        }
        if (state == State.DECIDED) {
            group.answer(sequence, from, out);
        } else if (up.round() < round) {
            group.send(from, nextRound(), out);
        } else if (state != State.UNENTERED && up.baseView() != tree.view()) {
            // The sender took part in a decision that the other ranks do not have, so it is dead or excluded. (A second
            // lock: the ranks that decided without the sender have marked it failed, and R0 stops its messages at each
            // of them.)
            return;
        } else if (state == State.WAITING) {
            // The sender's value is dropped here, because this rank has sent its own value already. It is not lost: the
            // next root asks for it (R4c).
            requesters = requesters.with(from);
        } else if (gathered.contains(from)) {
            advance(out);
        } else {
            value = value.combine(up.value());
            fenced = fenced.intersection(up.fenced());
            gathered = gathered.with(from);
            advance(out);
        }
    }

    /** R4: a process above this rank asks for the decision or for this rank's value, for example as a new root. */
    void onResultRequest(int from, Outbox<ProcessId, ControlMessage> out) {
        requesters = requesters.with(from); // R4b: remember the asker even if the value goes elsewhere
        // Without R4b a decision that still reaches this rank would not be passed on to the asker, which would wait for
        // ever.
        resend(out); // R4c: send my value again, to the parent that I have now
        // Without R4c a value that a waiting parent had dropped would never be sent again.
    }

    private void resend(Outbox<ProcessId, ControlMessage> out) {
        if (state != State.WAITING) {
            return;
        }
        int parent = parent();
        if (parent != group.me()) {
            passUp(parent, out);
        }
        // If this rank is the root now, it sends nothing. Its former parent is dead: this rank is about to be told so,
        // or to be excluded.
    }

    /**
     * R5: takes a decision. A decision that lists this process as failed fences it, and so does one that was taken
     * before this rank made its call.
     */
    void onDown(int from, Decision decision, Outbox<ProcessId, ControlMessage> out) {
        if (decision.failed().contains(group.me())) {
            group.fence("the decision of an agreement, told by process " + group.process(from)
                    + ", lists this process as failed");
        } else if (state == State.UNENTERED) {
            group.fence("an agreement was decided without this process, as process " + group.process(from) + " told");
        } else {
            decide(decision, out);
        }
    }

    /**
     * F6: the call is Finalize, and a process has left after it decided. So every live rank had called, and nothing is
     * left to agree on.
     */
    void decideAlone(Outbox<ProcessId, ControlMessage> out) {
        if (state == State.GATHERING || state == State.WAITING) {
            AgreementValue alone = own.withFailed(group.failed());
            decide(new Decision(alone.kinds(), alone.flags(), false, alone.failed(), Long.MAX_VALUE, 0), out);
        }
    }

    /** R6: sends the decision to every process that may wait for this rank. Then the caller may return. */
    private void decide(Decision decision, Outbox<ProcessId, ControlMessage> out) {
        if (state == State.DECIDED) {
            return;
        }
        state = State.DECIDED;
        group.log(sequence, decision);
        SlotSet children = children();
        for (int i = 0; i < children.size(); i++) {
            group.answer(sequence, children.slot(i), out);
        }
        SlotSet owed = requesters.union(gathered); // R6: gathered, too: also members that are no children any more
        // Without the members in gathered, a grandchild that was adopted here and then by another rank would wait for a
        // live rank that does not send it the decision.
        SlotSet others = owed.minus(children).minus(group.gone());
        for (int i = 0; i < others.size(); i++) {
            group.answer(sequence, others.slot(i), out);
        }
        group.completed(sequence, decision, out);
    }

    /**
     * R7: these processes are marked failed from now on. All of them are in the failure set already.
     *
     * @param failed members of the communicator
     */
    void onFailed(SlotSet failed, Outbox<ProcessId, ControlMessage> out) {
        if (state == State.WAITING) {
            value = value.withFailed(failed);
            if (failed.contains(waitingFor)) {
                onParentFailed(out);
            }
        } else if (state == State.GATHERING) {
            value = value.withFailed(failed);
            if (!asked.minus(failed).equals(asked)) {
                asked = asked.minus(failed);
                ask(children().minus(asked), out); // R7 re-poll: an asked process died, so ask the children it leaves
                // Without asking again, two ranks could wait for each other: one for a value that the other, which
                // waits too, had dropped.
            }
            advance(out);
        }
    }

    private void onParentFailed(Outbox<ProcessId, ControlMessage> out) {
        int parent = parent();
        if (parent != group.me()) {
            passUp(parent, out);
            return;
        }
        state = State.GATHERING;
        ask(children(), out); // R7 takeover: a new root asks, for one of them may hold the old root's decision
        advance(out);
    }

    private void ask(SlotSet children, Outbox<ProcessId, ControlMessage> out) {
        for (int child : children.toArray()) {
            asked = asked.with(child);
            group.send(child, new ControlMessage.ResultRequest(group.communicator(), sequence), out);
        }
    }

    /** R9: asks every process below to contribute again, now that more ranks know of the failures. */
    private void newRound(int next, Outbox<ProcessId, ControlMessage> out) {
        round = next;
        SlotSet to = gathered.union(requesters);
        if (state != State.UNENTERED) {
            to = to.union(children());
            value = own.withFailed(group.failed());
            state = State.GATHERING;
        } else {
            value = AgreementValue.NEUTRAL;
        }
        to = to.minus(group.gone());
        forgetTheLastRound();
        asked = to; // asked := to: the message is also a request, so children that one of them leaves are asked
        for (int slot : to.toArray()) {
            group.send(slot, nextRound(), out);
        }
        advance(out);
    }

    private void forgetTheLastRound() {
        gathered = SlotSet.EMPTY;
        asked = SlotSet.EMPTY;
        fenced = SlotSet.ALL;
    }

    /** R10: a process above this rank, or beside it, has begun a new round. */
    void onNextRound(int from, ControlMessage.NextRound next, Outbox<ProcessId, ControlMessage> out) {
        requesters = requesters.with(from);
        if (next.failed().contains(group.me())) {
            group.fence("process " + group.process(from) + " holds this process for failed in a running agreement");
            return;
        }
        learn(next.failed(), from, out);
        if (state == State.DECIDED) {
            return;
        }
        if (next.round() > round) {
            newRound(next.round(), out);
        } else {
            resend(out);
        }
    }

    private void learn(SlotSet failed, int from, Outbox<ProcessId, ControlMessage> out) {
        SlotSet unheard = failed.minus(group.failed());
        if (!unheard.isEmpty()) {
            group.fail(unheard, from, out);
        }
    }

    private ControlMessage nextRound() {
        return new ControlMessage.NextRound(group.communicator(), sequence, round, group.failed());
    }

    private int parent() {
        return tree.parent(group.me(), group.gone());
    }

    private SlotSet children() {
        return tree.children(group.me(), group.gone());
    }

    @Override
    public String toString() {
        return "agreement " + sequence + " " + state + " round " + round + " value " + value + " gathered " + gathered
                + " requesters " + requesters + " asked " + asked + " fenced " + fenced + " waiting for "
                + waitingFor();
    }
}
