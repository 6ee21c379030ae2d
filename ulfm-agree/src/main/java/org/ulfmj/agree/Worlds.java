package org.ulfmj.agree;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.agree.change.Announcements;
import org.ulfmj.agree.change.ChangeContext;
import org.ulfmj.agree.change.ChangeOutcome;
import org.ulfmj.agree.change.ChangeTerms;
import org.ulfmj.agree.change.End;
import org.ulfmj.agree.change.WorldChange;
import org.ulfmj.agree.consensus.Agreements;
import org.ulfmj.agree.consensus.Electorate;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.Ancestry;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Joiner;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.detector.Evidence;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;

/**
 * Which world this rank is in, and how it gets into another one: a member by its call of replace() or grow(), a
 * newcomer by the first welcome. Each world is a separate membership epoch. A past epoch is dropped with the last of
 * its communicators.
 *
 * <p>Part of a {@link SurvivorCore}. Not thread-safe.
 */
final class Worlds {
    private final Survivor rank;
    private final ProcessId me;
    private final FailureSet failures;
    private final Losses losses;
    private final Communicators communicators;
    private final Goodbyes goodbyes;
    private final Welcomes welcomes;
    private Housekeeping housekeeping;
    private final Announcements announced = new Announcements();

    private final Epochs epochs;
    /** The wait for an admission; null unless this process waits for one. */
    private Newcomer newcomer;
    /** The running call of replace() or grow(); null if there is none. */
    private WorldChange change;
    /**
     * The communicator of the world that the present one replaced, until no process can ask for its decisions any more;
     * null if there is none, or if the call that made the present world was made on another communicator.
     */
    private Agreements replacedWorld;
    /** The present world; null before this process has entered a world by replace(), grow() or a welcome. */
    private Admission present;
    /** The members of the world in force by nonce; null until it is asked for. */
    private SortedMap<Long, ProcessId> byNonce;
    /** Whether an agreement of the present world is decided here: so all its live members are in it. */
    private boolean hasWorldAgreed;
    /** The first epoch in which this process is a member. */
    private long firstEpoch;

    Worlds(
            Survivor rank,
            Losses losses,
            Communicators communicators,
            Goodbyes goodbyes,
            boolean needsMajority,
            Membership members) {
        this.rank = rank;
        this.me = rank.me();
        this.failures = rank.failures();
        this.losses = losses;
        this.communicators = communicators;
        this.goodbyes = goodbyes;
        this.welcomes = new Welcomes(me, failures);
        this.firstEpoch = members.epoch();
        this.epochs = new Epochs(rank, losses, goodbyes, this, needsMajority);
        epochs.begin(members, SlotSet.EMPTY);
    }

    /** Sets the housekeeping of this rank. Called once. */
    void keepHouseWith(Housekeeping parts) {
        housekeeping = parts;
    }

    /** The membership epoch in force. */
    Epoch inForce() {
        return epochs.inForce();
    }

    long firstEpoch() {
        return firstEpoch;
    }

    /** Makes this process a newcomer that waits for a welcome. */
    void waitToBeLetIn(long nonce) {
        newcomer = new Newcomer(me, nonce);
    }

    /** The members of the world now. */
    Membership membership() {
        return epochs.membership();
    }

    /** The epoch with these members, which is or was in force here. */
    Epoch epoch(Membership members) {
        return epochs.of(members);
    }

    int epochsInUse() {
        return epochs.size();
    }

    /** Drops the epochs that are not in force and have no communicator any more. */
    void dropUnused() {
        epochs.dropUnused();
    }

    /** The processes of which an agreement of the epoch in force needs a majority. */
    Electorate electorate() {
        return inForce().electorate();
    }

    /** Whether these are the agreements of a communicator of all members of the epoch in force. */
    boolean isWhole(Agreements agreements) {
        return agreements.context() == inForce()
                && agreements.members().equals(membership().slots());
    }

    boolean isPending() {
        return newcomer != null;
    }

    /** The failed slots of the last round of a running replace() that waits for replacements; else empty. */
    SlotSet awaited() {
        return change == null ? SlotSet.EMPTY : change.awaited();
    }

    /** Number of the agreement that a running replace() or grow() waits for or had last; 0 if none is running. */
    long changeAgreement() {
        return change == null ? 0 : change.sequence();
    }

    /**
     * The time at which a running replace() goes on even if nothing else happens; {@code Long.MAX_VALUE} if there is no
     * such time.
     */
    long nextDeadlineNs() {
        return change == null ? Long.MAX_VALUE : change.nextDeadlineNs();
    }

    void pending(Contact waiting, Outbox<ProcessId, ControlMessage> out) {
        announced.pending(waiting);
        isAnnounced(waiting, out);
        goOn(out);
    }

    private void isAnnounced(Contact waiting, Outbox<ProcessId, ControlMessage> out) {
        if (newcomer != null && waiting.process().slot() != me.slot()) { // P6: that newcomer may pass the welcome on
            // Without the introduction, messages of that newcomer would wait for a welcome, which may itself be one of
            // these messages.
            rank.driver().introduce(waiting);
        }
        tellEarlyEnd(waiting, out);
    }

    void noMore(int slot, String why, Outbox<ProcessId, ControlMessage> out) {
        announced.noMore(slot, why);
        goOn(out);
    }

    void noMore(String why, Outbox<ProcessId, ControlMessage> out) {
        announced.noMore(why);
        goOn(out);
    }

    /** Notes that a process without a slot waits to be let in by grow(). */
    void waiting(Joiner joiner) {
        if (present == null || !present.knows(joiner.nonce())) {
            announced.waiting(joiner);
        }
    }

    void noLongerWaiting(long nonce) {
        announced.noLongerWaiting(nonce);
    }

    /**
     * G10: notes that the process with this nonce has ended, whatever name other worlds may have given it. The end of a
     * process that is no member and waits for no slot is kept for a later world, unless grow() had let the process in
     * before.
     *
     * @param process {@link #processWith} of the nonce
     */
    void ended(long nonce, ProcessId process, End end, Outbox<ProcessId, ControlMessage> out) {
        if (process != null) {
            announced.noLongerWaiting(nonce);
            tellEnd(process, end, out);
        } else if (present == null || !present.ancestry().past().contains(nonce)) {
            announced.ended(nonce, end);
        }
    }

    /** G10: notes that the process with this nonce is not the one of this name. */
    void notMe(ProcessId name, long nonce, Outbox<ProcessId, ControlMessage> out) {
        if (name.equals(memberWith(nonce))) {
            losses.lose(name, notMeEvidence(), out);
        } else if (newcomer != null || name.slot() >= ancestry().next()) {
            announced.notMe(name, nonce);
        }
    }

    /** The process may live under another name, so the evidence is not certain, and nothing of it is drained. */
    private Evidence notMeEvidence() {
        return new Evidence(Evidence.Kind.SUSPECTED, me, "the process at its address has another name");
    }

    private void tellEnd(ProcessId process, End end, Outbox<ProcessId, ControlMessage> out) {
        if (!end.isDeparture()) {
            losses.lose(process, end.evidence(), out);
        } else if (newcomer != null) {
            rank.goneOnWithout("process " + process + " has finalized");
        } else if (!failures.hasFailed(process)) {
            goodbyes.onDeparted(process, out);
        }
    }

    /** The member with this nonce, or the process with it that waits for a slot; null if there is none. */
    ProcessId processWith(long nonce) {
        ProcessId member = memberWith(nonce);
        if (member != null) {
            return member;
        }
        Contact pending = announced.pendingWith(nonce);
        return pending == null ? null : pending.process();
    }

    /** The member of the world in force with this nonce; null if there is none. */
    ProcessId memberWith(long nonce) {
        if (byNonce == null) {
            // The map is made once for each world: the driver looks for the address of each founder, and many processes
            // may end at once.
            byNonce = new TreeMap<>();
            for (Contact member : membersByContact().values()) {
                byNonce.put(member.nonce(), member.process());
            }
        }
        return byNonce.get(nonce);
    }

    /** The members by slot, each with the address at which it can be reached. */
    private SortedMap<Integer, Contact> membersByContact() {
        // The admission names all members, this process included. It is the same at a newcomer and at the members
        // that let the newcomer in.
        return present == null ? ofTheFirstWorld() : present.members();
    }

    private Ancestry ancestry() {
        return present == null
                ? Ancestry.of(membership().slots().slot(membership().size() - 1))
                : present.ancestry();
    }

    private SortedMap<Integer, Contact> ofTheFirstWorld() {
        SortedMap<Integer, Contact> members = new TreeMap<>();
        SlotRuns slots = membership().slots();
        for (int place = 0; place < slots.size(); place++) {
            ProcessId member = membership().process(slots.slot(place));
            Contact contact = rank.driver().contact(member);
            if (!contact.process().equals(member)) {
                throw new IllegalStateException("asked for process " + member + " the driver named " + contact);
            }
            members.put(member.slot(), contact);
        }
        return members;
    }

    /** How many processes are known here that grow() would let into a world of at most so many members. */
    int waiting(int most) {
        SlotRuns slots = membership().slots();
        int left = slots.size() - failures.failedAmong(slots, membership()).size();
        return Math.min(announced.waiting(), Math.max(0, most - left));
    }

    /** This rank calls replace() or grow(). */
    void change(Agreements agreements, ChangeTerms terms, Outbox<ProcessId, ControlMessage> out) {
        if (!isWhole(agreements) || change != null) {
            throw new IllegalStateException(terms.kind().callName() + " on communicator "
                    + Long.toHexString(agreements.communicator())
                    + (change == null ? ", which is not of all members of " + membership() : " while in " + change));
        }
        change = new WorldChange(agreements, membership(), terms, new ChangingRank());
        change.begin(out);
    }

    /** Lets a running replace() go on, if this step brought what it waits for. */
    void goOn(Outbox<ProcessId, ControlMessage> out) {
        if (change != null && !rank.isFenced()) {
            change.goOn(out);
        }
    }

    /**
     * Whether a newcomer does not dispatch a message now: it holds the message until it is let in, or ends because of
     * it. False at a member.
     */
    boolean holds(ProcessId from, ControlMessage message) {
        if (newcomer == null) {
            return false;
        }
        if (message instanceof ControlMessage.Goodbye) {
            // If a member had let this process in, no process would have finalized without it.
            rank.goneOnWithout("process " + from + " has finalized");
            return true;
        }
        boolean isOfRing = message instanceof ControlMessage.Detector detector
                && !(detector.message() instanceof DetectorMessage.Obituary);
        if (isOfRing || message instanceof ControlMessage.Welcome || rank.isObituaryOfMe(message)) {
            return false; // B3: a newcomer beats for any process that asks
        }
        newcomer.hold(from, message); // P6: neither lost, nor looked at outside of a world
        return true;
    }

    /**
     * Takes a welcome. If it lets this process in, returns the messages that were held until now and must be
     * dispatched.
     */
    List<HeldMessage> onWelcome(ProcessId from, ControlMessage.Welcome welcome, Outbox<ProcessId, ControlMessage> out) {
        Admission admission = welcome.admission();
        if (newcomer == null) {
            boolean isOfMyEpoch = present != null && admission.epoch() == present.epoch();
            if (isOfMyEpoch && admission.world() != present.world()) { // P7: another world
                rank.fenceUnlessLeaving("process " + from + " is in another world of epoch " + admission.epoch()
                        + ": one of the two has wrongly held members of the other for failed");
            }
        } else if (newcomer.isIn(admission)) {
            return admit(from, welcome, out);
        } else {
            rank.goneOnWithout("the world has gone on with another process in slot " + me.slot() + ", or with none");
        }
        return List.of();
    }

    /** P6: the first welcome says which world this newcomer is in. */
    private List<HeldMessage> admit(
            ProcessId from, ControlMessage.Welcome welcome, Outbox<ProcessId, ControlMessage> out) {
        if (welcome.failed().contains(me)) {
            rank.fenceUnlessLeaving("process " + from + " welcomes this process and holds it for failed");
            return List.of();
        }
        List<HeldMessage> early = newcomer.held();
        newcomer = null;
        firstEpoch = welcome.admission().epoch();
        for (Contact member : welcome.admission().members().values()) {
            if (!member.process().equals(me)) {
                rank.driver().introduce(member);
            }
        }
        Evidence told = new Evidence(Evidence.Kind.AGREED, from, "known to have failed before this process came");
        Membership next = welcome.admission().membership();
        for (int slot : next.slots().toArray()) {
            if (next.incarnation(slot) > 0) {
                // The process that had the slot before has failed, because another one has its slot now. Perhaps only
                // the launcher knew of the failure.
                losses.markOfThePast(new ProcessId(slot, next.incarnation(slot) - 1), told, out);
            }
        }
        List<Loss> members = new ArrayList<>();
        for (ProcessId failed : welcome.failed()) {
            if (next.contains(failed)) {
                // Perhaps only this process is left that knows of the failure, so it tells the others. (A second lock:
                // a neighbour's replay tells this process the same, while a neighbour that knows is left.)
                members.add(new Loss(failed, told));
            } else {
                losses.markOfThePast(failed, told, out);
            }
        }
        losses.mark(members, out);
        enter(welcome.admission(), welcome.newcomers(), out);
        rank.effects().welcomed(welcome.admission());
        return early;
    }

    /**
     * P5, P6: enters another membership epoch. The processes that it replaces, and those that agreements of the old
     * world list as failed, are marked before.
     */
    private void enter(Admission admission, SlotSet newcomers, Outbox<ProcessId, ControlMessage> out) {
        Membership next = admission.membership().on(rank.driver().placement(admission));
        epochs.begin(next, joined(next, newcomers));
        epochs.dropUnused();
        present = admission;
        byNonce = null;
        hasWorldAgreed = false;
        announced.enter(next, admission);
        SortedSet<ProcessId> failed = new TreeSet<>(failures.failedInOrder());
        welcomes.begin(ControlMessage.Welcome.of(admission, newcomers, failed), next, out);
        losses.enter(next, failed, out);
        failures.enter(next, epochs.memberships(), rank.nowNs());
        communicators.enter(next, out);
        housekeeping.enter(out);
        if (announced.knowsEnds()) {
            tellEarlyEnds(admission, out);
        }
    }

    /**
     * The slots of the newcomers that got new slots. Newcomers that fill the slots of failed processes are left out.
     */
    private static SlotSet joined(Membership world, SlotSet newcomers) {
        SlotSet joined = SlotSet.EMPTY;
        for (int slot : newcomers.toArray()) {
            if (world.incarnation(slot) == 0) {
                joined = joined.with(slot);
            }
        }
        return joined;
    }

    /**
     * Acts on news that came before this world: some of its members may have ended while no world known here had them,
     * or may have answered that they have another name.
     */
    private void tellEarlyEnds(Admission admission, Outbox<ProcessId, ControlMessage> out) {
        for (Contact member : admission.members().values()) {
            tellEarlyEnd(member, out);
        }
        for (Contact member : announced.takeNotThem(admission)) {
            losses.lose(member.process(), notMeEvidence(), out);
        }
    }

    private void tellEarlyEnd(Contact process, Outbox<ProcessId, ControlMessage> out) {
        End early = announced.takeEnd(process.nonce());
        if (early != null) {
            tellEnd(process.process(), early, out);
        }
    }

    /**
     * A process has failed or departed, so this rank may have new neighbours in the overlay: newcomers among them are
     * sent the welcome.
     */
    void welcomeNeighbours(Outbox<ProcessId, ControlMessage> out) {
        welcomes.spread(out);
    }

    /**
     * Notes that an agreement that this rank has entered is decided. A running replace() or grow() takes the decision
     * for which it waits; any other decision is passed to the driver.
     */
    void onDecided(long communicator, long sequence, Decision decision, Outbox<ProcessId, ControlMessage> out) {
        onAgreedIn(communicator);
        if (change == null || !change.waitsFor(communicator, sequence)) {
            rank.effects().decided(communicator, sequence, decision);
        } else if (!rank.isFenced()) {
            change.onDecided(decision, out);
        }
    }

    private void onAgreedIn(long communicator) {
        if (!hasWorldAgreed && present != null && communicator == present.world()) {
            hasWorldAgreed = true;
            welcomes.end();
            dropReplaced();
        }
    }

    /** P12: once an agreement of the new world is decided, no process can ask for one of the old world any more. */
    void dropReplaced() {
        if (replacedWorld != null && hasWorldAgreed && replacedWorld.isFreed() && replacedWorld.isSettled()) {
            communicators.bury(replacedWorld.communicator());
            replacedWorld = null;
        }
    }

    @Override
    public String toString() {
        return (newcomer == null ? "" : " " + newcomer) + (change == null ? "" : " " + change);
    }

    /** The rank as its call of replace() or grow() sees it. */
    private final class ChangingRank implements ChangeContext {
        @Override
        public long nowNs() {
            return rank.nowNs();
        }

        @Override
        public FailureSet failures() {
            return failures;
        }

        @Override
        public Announcements announced() {
            return announced;
        }

        @Override
        public SortedMap<Integer, Contact> members() {
            return membersByContact();
        }

        @Override
        public boolean isRevoked(long communicator) {
            return communicators.isRevoked(communicator);
        }

        @Override
        public Ancestry ancestry() {
            return Worlds.this.ancestry();
        }

        @Override
        public void introduce(Contact contact) {
            rank.driver().introduce(contact);
        }

        @Override
        public Admission named(Kind kind, long communicator, long sequence, Admission unnamed) {
            long digest = unnamed.digest(rank.driver().placement(unnamed));
            CommunicatorIds ids = rank.driver().ids();
            return unnamed.named(
                    kind == Kind.GROW
                            ? ids.grow(communicator, sequence, digest)
                            : ids.replace(communicator, sequence, digest));
        }

        @Override
        public void admitted(Admission admission, SlotSet newcomers, Outbox<ProcessId, ControlMessage> out) {
            long replaced = change.communicator();
            change = null;
            // All members give up the communicator of the old world when they return, and nothing is agreed on it after
            // the confirmation. Another communicator of all members may stay in use at some of them.
            replacedWorld = inForce().isWorld(replaced) ? communicators.get(replaced) : null;
            enter(admission, newcomers, out);
            rank.effects().changeEnded(replaced, new ChangeOutcome.Admitted(admission));
        }

        @Override
        public void ended(ChangeOutcome outcome) {
            long communicator = change.communicator();
            change = null;
            rank.effects().changeEnded(communicator, outcome);
        }
    }
}
