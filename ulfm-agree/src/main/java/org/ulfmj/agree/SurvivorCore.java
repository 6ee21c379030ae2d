package org.ulfmj.agree;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.agree.change.End;
import org.ulfmj.agree.change.GrowTerms;
import org.ulfmj.agree.change.ReplaceTerms;
import org.ulfmj.agree.consensus.Agreements;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Joiner;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.agree.tree.TreeShape;
import org.ulfmj.detector.Evidence;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.detector.RingDetector;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Protocol;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.Timing;

/**
 * What keeps one rank together with the other survivors: heartbeat ring, obituaries, revocations, agreements and
 * Finalize over one failure set. A rank's runtime and the simulator drive exactly this object.
 *
 * <p>Single-threaded, never blocks, reads no clock. Messages go to the outbox as they arise, so a driver may stop after
 * any of them, as a crash would; {@link Effects} are called at the end of a step. A process that has fenced itself
 * ignores messages, ticks and evidence.
 *
 * <p>Rule R0 stands in front of everything: no message from a process that is marked failed here is looked at. The
 * exception is an obituary of this process. It is obeyed from any sender, because the subject of an obituary must end
 * even if the sender is itself marked failed.
 *
 * <p>Most of the work is done by four parts, one per idea: {@link Losses} (who is lost, and who is told),
 * {@link Communicators} (agreements and revocations), {@link Worlds} (from one membership epoch to the next) and
 * {@link Goodbyes} (Finalize). What all of them read is in a {@link Survivor}.
 */
public final class SurvivorCore implements Protocol<ProcessId, ControlMessage> {
    private final Survivor rank;
    private final PendingEffects effects;
    private final FailureSet failures;
    private final Departure departure;
    private final Losses losses;
    private final UndrainedVerdicts undrained;
    private final Communicators communicators;
    private final Goodbyes goodbyes;
    private final Worlds worlds;
    private final Housekeeping housekeeping;
    private final AgreementReports reports;
    private final Handlers handlers = new Handlers();

    /**
     * A rank whose agreements need no majority.
     *
     * @param nowNs when this process began to expect heartbeats
     */
    public SurvivorCore(ProcessId me, Membership members, Timing timing, Effects effects, long nowNs) {
        this(me, members, timing, false, effects, nowNs);
    }

    /**
     * @param needsMajority whether this process ends itself rather than decide an agreement of every process with only
     *     half of them or fewer ({@code ulfm.ft.quorum=majority}); the same at all processes
     * @param nowNs when this process began to expect heartbeats
     */
    public SurvivorCore(
            ProcessId me, Membership members, Timing timing, boolean needsMajority, Effects effects, long nowNs) {
        this.rank = new Survivor(me, effects, nowNs);
        this.effects = rank.effects();
        this.failures = rank.failures();
        this.departure = rank.departure();
        this.losses = new Losses(rank, members, timing, new OtherParts());
        this.undrained = new UndrainedVerdicts(losses);
        this.communicators = new Communicators(rank, members, timing);
        this.reports = new AgreementReports(communicators);
        this.goodbyes = new Goodbyes(rank, losses, communicators);
        this.worlds = new Worlds(rank, losses, communicators, goodbyes, needsMajority, members);
        this.housekeeping = new Housekeeping(rank, communicators, worlds, timing);
        worlds.keepHouseWith(housekeeping);
    }

    /**
     * A process that is to fill a slot of a running world, or that is offered a new slot (P6, G7). It is in no
     * membership epoch until a member tells it that it is a member ({@link Effects#welcomed}). It ends if it hears that
     * it will never be one ({@link Effects#goneOnWithout}).
     *
     * @param me this process; its incarnation is above 0, or its slot is new
     * @param nonce the nonce that the launcher has announced
     * @param needsMajority the same as at the members
     */
    public static SurvivorCore newcomer(
            ProcessId me, long nonce, Timing timing, boolean needsMajority, Effects effects, long nowNs) {
        // A newcomer's membership has no member. It only names the incarnation of this process, for communicators that
        // the process registers for itself alone.
        SortedMap<Integer, Integer> incarnation = new TreeMap<>();
        incarnation.put(me.slot(), me.incarnation());
        Membership empty = Membership.of(-1, SlotRuns.of(), incarnation);
        SurvivorCore core = new SurvivorCore(me, empty, timing, needsMajority, effects, nowNs);
        core.worlds.waitToBeLetIn(nonce);
        return core;
    }

    /**
     * Ends a step: handles the messages that waited for drains, if these are over, begins a list of housekeeping if it
     * is time, and calls the driver's {@link Effects}.
     */
    private void end(Outbox<ProcessId, ControlMessage> out) {
        if (!undrained.isEmpty()) {
            handleDrained(out);
        }
        housekeeping.goOn(out);
        effects.flush();
    }

    /** Handles the held messages whose drains are over. */
    private void handleDrained(Outbox<ProcessId, ControlMessage> out) {
        for (HeldMessage next = undrained.takeNext(); next != null; next = undrained.takeNext()) {
            handleLate(next, out);
        }
    }

    /**
     * Handles all held messages of one sender, although the drains that they wait for are not over. The sender has
     * departed or has said goodbye.
     */
    private void handleAllOf(ProcessId sender, Outbox<ProcessId, ControlMessage> out) {
        if (!undrained.isEmpty()) {
            for (HeldMessage late : undrained.takeFrom(sender)) {
                handleLate(late, out);
            }
        }
    }

    private void handleLate(HeldMessage late, Outbox<ProcessId, ControlMessage> out) {
        if (!rank.isFenced() && !failures.hasFailed(late.from())) {
            late.message().tell(late.from(), handlers, out);
        }
    }

    /**
     * Sets how many freed communicators make the first live rank ask whether any process keeps them; later ranks need
     * more. For simulations.
     */
    public void keepHouseAt(int freed) {
        housekeeping.beginWith(freed);
    }

    /** Begins to beat and to listen. */
    public void start(long nowNs, Outbox<ProcessId, ControlMessage> out) {
        rank.at(nowNs);
        losses.start(out);
    }

    @Override
    public void onMessage(ProcessId from, ControlMessage message, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        if (rank.isFenced()) {
            return;
        }
        if (failures.hasFailed(from) && !rank.isObituaryOfMe(message)) { // R0: nothing from a process marked failed
            // Without this rule (R0) an old decision of the failed process could still be taken, after others have
            // decided without it.
            return;
        }
        rank.at(nowNs);
        if (!worlds.holds(from, message) && !undrained.holds(from, message)) {
            message.tell(from, handlers, out);
        }
        end(out);
    }

    @Override
    public void onTick(long nowNs, Outbox<ProcessId, ControlMessage> out) {
        if (rank.isFenced()) {
            return;
        }
        rank.at(nowNs);
        losses.onTick(out);
        worlds.goOn(out);
        end(out);
    }

    @Override
    public long nextDeadlineNs() {
        if (rank.isFenced()) {
            return Long.MAX_VALUE;
        }
        return Math.min(losses.nextDeadlineNs(), worlds.nextDeadlineNs());
    }

    /**
     * The driver has found out that a process failed. On certain evidence {@link Effects#drain} is called first; on
     * other evidence the process is marked at once. Evidence against this process fences it. Ignored for a process that
     * is known to have failed or departed or is being drained, and by a rank that leaves or is fenced.
     */
    public void onEvidence(ProcessId process, Evidence evidence, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        if (rank.isFenced()) {
            return;
        }
        rank.at(nowNs);
        losses.lose(process, evidence, out);
        end(out);
    }

    /**
     * J2: sends a heartbeat to each process that complains that it hears nothing of this one, also if it does not
     * observe this process. A rank that leaves beats until its goodbyes are handed over.
     */
    public void beat(List<ProcessId> complainers, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        if (rank.isFenced()) {
            return;
        }
        rank.at(nowNs);
        losses.beat(complainers, out);
        effects.flush();
    }

    /** Whether {@link Effects#silent} was called for this process, and the silence has not ended since. */
    public boolean isSilent(ProcessId process) {
        return losses.ring().isSilent(process);
    }

    /**
     * The messages that had arrived from the process were handed over: marks it failed. Ignored unless
     * {@link Effects#drain} asked for it, for a process that was marked or has departed since, and by a rank that
     * leaves or is fenced.
     */
    public void onDrained(ProcessId process, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        onDrained(List.of(process), nowNs, out);
    }

    /**
     * Marks several drained processes at once, which is cheaper than one after the other: each single mark could give
     * this rank new neighbours, to which it sends the news that it still spreads.
     */
    public void onDrained(List<ProcessId> processes, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        List<Loss> dead = losses.takeDrained(processes);
        if (rank.isFenced() || dead.isEmpty()) {
            return;
        }
        rank.at(nowNs);
        losses.mark(dead, out);
        end(out);
    }

    /**
     * F6: the launcher knows that the process has ended after its goodbye, and says so in its place. Ignored for a
     * process that is marked failed.
     */
    public void onDeparted(ProcessId process, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        if (rank.isFenced() || failures.hasFailed(process)) {
            return;
        }
        rank.at(nowNs);
        if (worlds.isPending()) {
            rank.goneOnWithout("process " + process + " has finalized");
        } else {
            noteDeparture(process, out);
        }
        end(out);
    }

    /** Held messages of the process are handled first: one of them may be the decision of Finalize. */
    private void noteDeparture(ProcessId process, Outbox<ProcessId, ControlMessage> out) {
        handleAllOf(process, out);
        if (!rank.isFenced() && !failures.hasFailed(process)) {
            goodbyes.onDeparted(process, out);
        }
    }

    /**
     * Makes a communicator known here, and dispatches the messages that were held for it.
     *
     * @param members the communicator's slots in rank order, this rank's among them
     */
    public void register(long communicator, SlotRuns members, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        register(communicator, members, TreeShape.BINARY, nowNs, out);
    }

    /**
     * Makes a communicator known here whose agreements travel over the given tree.
     *
     * @param shape the shape of the tree of members of one host, the same at all members
     */
    public void register(
            long communicator, SlotRuns members, TreeShape shape, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        register(communicator, members, shape, membership(), nowNs, out);
    }

    /**
     * Makes a communicator known here that was made of another one, which may be older than the membership epoch in
     * force.
     *
     * @param epoch the epoch of the members: that of the communicator from which this one was made
     */
    public void register(
            long communicator,
            SlotRuns members,
            TreeShape shape,
            Membership epoch,
            long nowNs,
            Outbox<ProcessId, ControlMessage> out) {
        Epoch itsEpoch = worlds.epoch(epoch);
        communicators.requireNew(communicator);
        rank.at(nowNs);
        communicators.register(communicator, members, shape, itsEpoch, out);
        end(out);
    }

    /**
     * The caller has freed a communicator. Its open agreements go on. Its decisions can still be asked for, and a
     * revocation is still passed on, until it is forgotten ({@link Effects#forgotten}).
     */
    public void freed(long communicator, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        rank.at(nowNs);
        if (!communicators.free(communicator)) {
            worlds.dropReplaced();
        }
        end(out);
    }

    /**
     * A communicator whose id was fixed could not be built here. It is revoked, so that members that have it do not
     * wait for this rank. Messages for it that come later are dropped.
     */
    public void aborted(long communicator, SlotRuns members, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        aborted(communicator, members, membership().epoch(), nowNs, out);
    }

    /**
     * A communicator could not be built here that was to be made of another one, which may be older than the membership
     * epoch in force.
     *
     * @param epoch the epoch of the communicator from which it was to be made
     */
    public void aborted(
            long communicator, SlotRuns members, long epoch, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        communicators.requireNew(communicator);
        rank.at(nowNs);
        communicators.abort(communicator, epoch, members, out);
        end(out);
    }

    /**
     * Revokes a registered communicator, here at once and at all its members in the end. Does nothing if the
     * communicator is revoked already, or if this process is fenced.
     */
    public void revoke(long communicator, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        Agreements agreements = communicators.get(communicator);
        if (rank.isFenced()) {
            return;
        }
        rank.at(nowNs);
        communicators.revoke(agreements, out);
        end(out);
    }

    public boolean isRevoked(long communicator) {
        return communicators.isRevoked(communicator);
    }

    /**
     * This rank makes its next agreement call on a communicator; Finalize is such a call on COMM_WORLD.
     *
     * @return the number of the agreement; the decision comes by {@link Effects#decided}, possibly before this method
     *     returns
     */
    public long enter(long communicator, Contribution mine, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        Agreements agreements = communicators.get(communicator);
        requireIn(mine.kind());
        rank.at(nowNs);
        if (mine.kind() == Kind.FINALIZE) {
            departure.enter(communicator, agreements.lastSequence() + 1);
        }
        long sequence = agreements.enter(mine, out);
        end(out);
        return sequence;
    }

    private void requireIn(Kind call) {
        if (rank.isFenced() || departure.phase() != Departure.Phase.IN) {
            throw new IllegalStateException(call.callName() + " called by a process that is "
                    + (rank.isFenced() ? "fenced" : departure.phase().toString()));
        }
    }

    /**
     * F1: this rank calls Finalize, in the agreement sequence of COMM_WORLD. The caller has completed all its requests
     * before.
     */
    public long enterFinalize(long worldCommunicator, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        return enter(worldCommunicator, new Contribution(Kind.FINALIZE, -1, SlotSet.ALL), nowNs, out);
    }

    /**
     * The launcher has announced a process that waits to be let in (P8). If several wait for one slot, the newest
     * counts. A process whose slot has a process at least as new is not let in. An earlier {@link #noMore} for this
     * slot does not hold any more.
     */
    public void pending(Contact waiting, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        rank.at(nowNs);
        worlds.pending(waiting, out);
        end(out);
    }

    /**
     * The launcher starts no process for this slot any more, until one is announced.
     *
     * @param why the reason in plain words, for the error of replace()
     */
    public void noMore(int slot, String why, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        rank.at(nowNs);
        worlds.noMore(slot, why, out);
        end(out);
    }

    /**
     * No process is started any more for any slot, for example because the launcher is gone. A process that waits
     * already can still be let in.
     *
     * @param why the reason in plain words, for the error of replace()
     */
    public void noMore(String why, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        rank.at(nowNs);
        worlds.noMore(why, out);
        end(out);
    }

    /**
     * This rank calls replace() on a communicator of all members of the present world. A call that makes another world
     * takes two or more agreements of that communicator. The outcome comes by {@link Effects#changeEnded}, possibly
     * before this method returns.
     */
    public void replace(long communicator, ReplaceTerms terms, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        Agreements agreements = communicators.get(communicator);
        requireIn(Kind.REPLACE);
        rank.at(nowNs);
        worlds.change(agreements, terms, out);
        end(out);
    }

    /**
     * The launcher has announced a process without a slot that waits to be let in by grow(). A process that grow() has
     * let into this world or one before it changes nothing.
     */
    public void waiting(Joiner joiner) {
        worlds.waiting(joiner);
    }

    /** The launcher knows that a process does not wait any more: it has ended, or has given up. */
    public void noLongerWaiting(long nonce) {
        worlds.noLongerWaiting(nonce);
    }

    /**
     * The launcher knows that the process with this nonce has ended; also if it waited. A launcher of a world that
     * grows names ends by nonce (G10): after a false suspicion two worlds may have given one name to two processes, and
     * the launcher follows one of the worlds. If no world known here has the process, the end is kept for a later one.
     * Otherwise as {@link #onEvidence}, or, without evidence, as {@link #onDeparted(ProcessId, long, Outbox)}.
     *
     * @param evidence null if the process had finalized
     */
    public void onEnd(long nonce, Evidence evidence, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        if (rank.isFenced()) {
            return;
        }
        rank.at(nowNs);
        ProcessId process = worlds.processWith(nonce);
        if (evidence == null && worlds.isPending()) {
            rank.goneOnWithout("process " + Long.toHexString(nonce) + " has finalized");
        } else if (evidence == null && process != null) {
            worlds.noLongerWaiting(nonce);
            noteDeparture(process, out);
        } else {
            worlds.ended(nonce, process, new End(evidence), out);
        }
        end(out);
    }

    /**
     * G10: the process with this nonce has answered that it is not the process of this name: evidence that the name has
     * failed. A name is given by a decision, which this rank may not have yet, or may never have: then the answer is
     * kept for a world that has this process under this name. Else the name, given to another process later, would mean
     * that process.
     */
    public void onNotMe(ProcessId name, long nonce, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        if (rank.isFenced()) {
            return;
        }
        rank.at(nowNs);
        worlds.notMe(name, nonce, out);
        end(out);
    }

    /** The member of the present world with this nonce; null if there is none. */
    public ProcessId memberWith(long nonce) {
        return worlds.memberWith(nonce);
    }

    /**
     * How many of the processes without a slot that this rank knows to wait would find room in a call of grow(), if the
     * members that it knows to have failed leave the world.
     *
     * @param most the most members that the world may have
     */
    public int waiting(int most) {
        return worlds.waiting(most);
    }

    /**
     * This rank calls grow() on a communicator of all members of the present world. A call that makes another world
     * takes two or more agreements of that communicator. The outcome comes by {@link Effects#changeEnded}, possibly
     * before this method returns.
     */
    public void grow(long communicator, GrowTerms terms, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        Agreements agreements = communicators.get(communicator);
        requireIn(Kind.GROW);
        rank.at(nowNs);
        worlds.change(agreements, terms, out);
        end(out);
    }

    /**
     * Whether a communicator has all members of the membership epoch in force, so that replace() and grow() can be
     * called on it.
     */
    public boolean isOfWholeWorld(long communicator) {
        return worlds.isWhole(communicators.get(communicator));
    }

    /** Whether this process waits to be let in. */
    public boolean isPending() {
        return worlds.isPending();
    }

    /** The members of the world now; none while this process waits to be let in. */
    public Membership membership() {
        return worlds.membership();
    }

    /** The processes that the slots of a communicator stand for. */
    public Membership membership(long communicator) {
        return communicators.get(communicator).context().membership();
    }

    /**
     * The failed slots of the last round of a running replace() that waits for replacements; empty if it waits for
     * members, or none is running.
     */
    public SlotSet awaitedSlots() {
        return worlds.awaited();
    }

    /** Number of the agreement that a running replace() or grow() waits for or had last; 0 if none is running. */
    public long changeAgreement() {
        return worlds.changeAgreement();
    }

    /**
     * Whether Finalize is decided here. The rank still answers messages and sends heartbeats until its goodbyes are
     * handed over.
     */
    public boolean isLeaving() {
        return departure.isLeaving();
    }

    /** Whether a Finalize that was called here waits for its decision, or is decided ({@link #isLeaving}). */
    public boolean isFinalizing() {
        return departure.phase() != Departure.Phase.IN;
    }

    /** Whether this process has ended itself, for example because others have marked it failed or go on without it. */
    public boolean isFenced() {
        return rank.isFenced();
    }

    /** The processes that this rank has marked failed or departed. To be read only. */
    public FailureSet failures() {
        return failures;
    }

    /** The heartbeat ring. To be read only. */
    public RingDetector ring() {
        return losses.ring();
    }

    /** Whether a communicator is forgotten here, and its tombstone is still kept. */
    public boolean hasForgotten(long communicator) {
        return communicators.hasForgotten(communicator);
    }

    /**
     * How many freed communicators are not forgotten yet, plus the tombstones, plus the lists of housekeeping that are
     * not decided here.
     */
    public int freedAndForgotten() {
        return communicators.freedAndForgotten() + housekeeping.open();
    }

    /** How many messages wait for a communicator to be created here. */
    public int heldMessages() {
        return communicators.heldMessages();
    }

    /**
     * How many membership epochs are kept here: the one in force, and each earlier one that still has communicators.
     */
    int epochsInUse() {
        return worlds.epochsInUse();
    }

    /** The reports on how far the agreements of this rank are. */
    public AgreementReports agreements() {
        return reports;
    }

    /**
     * Whether messages of the process are held here until a drain is over. The agreements have not seen these messages
     * yet.
     */
    public boolean holdsUntilDrained(ProcessId from) {
        return undrained.holdsFrom(from);
    }

    /** The state of this rank in all protocols, for a dump. */
    @Override
    public String toString() {
        return "process " + rank.me() + (rank.isFenced() ? " fenced " : " ") + departure.phase() + " " + failures
                + worlds.electorate() + " " + losses + undrained + " " + communicators + worlds;
    }

    /** What the other parts do when a process is lost. */
    private final class OtherParts implements LossContext {
        @Override
        public Membership membership() {
            return worlds.membership();
        }

        @Override
        public void newNeighbours(ProcessId gone, Outbox<ProcessId, ControlMessage> out) {
            communicators.replay(gone, out);
            worlds.welcomeNeighbours(out);
            housekeeping.replay(gone, out);
        }

        @Override
        public void failed(List<Loss> losses, Outbox<ProcessId, ControlMessage> out) {
            communicators.onFailed(losses, out);
            worlds.goOn(out);
        }

        @Override
        public void departed() {
            communicators.refresh();
        }
    }

    /** Which part each message is for. */
    private final class Handlers implements ControlMessage.Handler {
        @Override
        public void onDetector(ProcessId from, ControlMessage.Detector message, Outbox<ProcessId, ControlMessage> out) {
            losses.onMessage(from, message.message(), out);
        }

        @Override
        public void onRevoke(ProcessId from, ControlMessage.Revoke revoke, Outbox<ProcessId, ControlMessage> out) {
            communicators.spread(revoke, out);
        }

        @Override
        public void onAgreement(
                ProcessId from, ControlMessage.OfAgreement message, Outbox<ProcessId, ControlMessage> out) {
            communicators.onMessage(from, message, out);
        }

        @Override
        public void onGoodbye(ProcessId from, ControlMessage.Goodbye message, Outbox<ProcessId, ControlMessage> out) {
            handleAllOf(from, out);
            if (!rank.isFenced() && !failures.hasFailed(from)) {
                goodbyes.onGoodbye(from, message, out);
            }
        }

        @Override
        public void onWelcome(ProcessId from, ControlMessage.Welcome message, Outbox<ProcessId, ControlMessage> out) {
            for (HeldMessage early : worlds.onWelcome(from, message, out)) {
                handleLate(early, out);
            }
        }

        @Override
        public void onFreedList(
                ProcessId from, ControlMessage.FreedList message, Outbox<ProcessId, ControlMessage> out) {
            housekeeping.onList(message, out);
        }
    }
}
