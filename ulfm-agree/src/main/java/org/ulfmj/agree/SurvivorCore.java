package org.ulfmj.agree;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.detector.Evidence;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.detector.ReliableBroadcast;
import org.ulfmj.detector.RingDetector;
import org.ulfmj.detector.StallGuard;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Protocol;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.Timing;

/**
 * What keeps one rank together with the other survivors: heartbeat ring, obituaries, revocations, agreements and Finalize
 * over one failure set. A rank's runtime and the simulator drive exactly this object.
 *
 * <p>Single-threaded, never blocks, reads no clock. Messages go to the outbox as they arise, so a driver may stop after
 * any of them, as a crash would; {@link Effects} are called at the end of a step. A process that has fenced itself does
 * nothing any more, whatever it is told.
 *
 * <p>A failure takes one of two ways. On certain evidence the process is proven dead, so what had arrived from it is
 * still read ({@link Effects#drain}) before it is marked. On suspicion, or because an agreement lists it, it is marked at
 * once: it may live, and every further word of it would be one too many. Then rule R0 stands in front of everything:
 * nothing from a process that is held for failed here is looked at, except that an obituary of this process is obeyed
 * from anybody, for the subject of an obituary must end even if the messenger is itself on somebody's list.
 */
public final class SurvivorCore implements Protocol<ProcessId, ControlMessage> {
    /** A failure about to be marked. */
    private record Loss(ProcessId process, Evidence evidence) {}

    /** Detector messages on their way out, as control messages. */
    private record DetectorOutbox(Outbox<ProcessId, ControlMessage> out) implements Outbox<ProcessId, DetectorMessage> {
        @Override
        public void send(ProcessId to, DetectorMessage message) {
            out.send(to, new ControlMessage.Detector(message));
        }
    }

    private final ProcessId me;
    private final Timing timing;
    private final boolean needsMajority;
    private final PendingEffects effects;
    private final Effects driver;
    private final FailureSet failures = new FailureSet();
    private final RingDetector ring;
    private final ReliableBroadcast<DetectorMessage.Obituary> obituaries;
    private final ReliableBroadcast<ControlMessage.Revoke> revocations;
    private final Welcomes welcomes;
    private final Announcements announced = new Announcements();

    /** By epoch; each as the communicators that were registered in it see this rank. */
    private final SortedMap<Long, Host> hosts = new TreeMap<>();
    /** Of the membership that is in force. */
    private Host host;
    /** Null unless this process waits to be let in. */
    private Newcomer newcomer;
    /** Null unless a call of replace() has not returned here. */
    private Replacement replacement;
    /** What the present world replaced here, until nobody can ask for anything of it; null if there is no such thing. */
    private Agreements replacedWorld;
    /** The present world; null while it is the one that this process began in, or none. */
    private Admission present;
    /** Whether an agreement of the present world is decided here: so all its live members are in it. */
    private boolean hasWorldAgreed;

    private final SortedMap<Long, Agreements> communicators = new TreeMap<>();
    /** The one that was asked for last. */
    private Agreements latest;
    /** Given up before they existed here, or freed before anything was agreed on them: what comes for them is dropped. */
    private final IdSet tombstones = new IdSet();

    private final HeldMessages held = new HeldMessages();
    private final Departure departure = new Departure();

    /** Dead on certain evidence, and being read out. */
    private final SortedMap<ProcessId, Evidence> draining = new TreeMap<>();

    private boolean fenced;

    /** Time of the running step. */
    private long nowNs;

    /**
     * A rank whose agreements need no majority.
     *
     * @param nowNs when this process began to expect heartbeats
     */
    public SurvivorCore(ProcessId me, Membership members, Timing timing, Effects effects, long nowNs) {
        this(me, members, timing, false, effects, nowNs);
    }

    /**
     * @param needsMajority whether this process ends itself rather than decide an agreement of everybody with only half of
     *     them or fewer ({@code ulfm.ft.quorum=majority}); the same at all processes
     * @param nowNs when this process began to expect heartbeats
     */
    public SurvivorCore(
            ProcessId me, Membership members, Timing timing, boolean needsMajority, Effects effects, long nowNs) {
        this.me = me;
        this.timing = timing;
        this.needsMajority = needsMajority;
        this.driver = effects;
        this.effects = new PendingEffects(effects);
        this.nowNs = nowNs;
        this.welcomes = new Welcomes(me, failures);
        inForce(members);
        this.ring = new RingDetector(me, members, failures, timing, new StallGuard(), nowNs);
        this.obituaries = new ReliableBroadcast<>(me, members, failures);
        this.revocations = new ReliableBroadcast<>(me, members, failures);
    }

    /**
     * A process that is to fill a slot of a running world (P6). It is in no membership epoch until a member tells it that
     * it is one ({@link Effects#welcomed}), or that it will never be ({@link Effects#goneOnWithout}).
     *
     * @param me its incarnation is above 0
     * @param nonce as the launcher has announced it
     * @param needsMajority as at the members
     */
    public static SurvivorCore newcomer(
            ProcessId me, long nonce, Timing timing, boolean needsMajority, Effects effects, long nowNs) {
        // Of nobody, but what this process registers for itself alone is to know which process of its slot it is.
        SortedMap<Integer, Integer> incarnation = new TreeMap<>();
        incarnation.put(me.slot(), me.incarnation());
        Membership nobody = Membership.of(-1, SlotRuns.of(), incarnation);
        SurvivorCore core = new SurvivorCore(me, nobody, timing, needsMajority, effects, nowNs);
        core.newcomer = new Newcomer(me, nonce);
        return core;
    }

    /** Begins to beat and to listen. */
    public void start(long nowNs, Outbox<ProcessId, ControlMessage> out) {
        ring.start(nowNs, detectorOutbox(out));
    }

    @Override
    public void onMessage(ProcessId from, ControlMessage message, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        if (fenced) {
            return;
        }
        if (failures.hasFailed(from) && !isObituaryOfMe(message)) { // R0: nothing from a process that is failed here
            // Else its old decision could still be taken, after others have decided without it.
            return;
        }
        this.nowNs = nowNs;
        if (newcomer == null || !holds(from, message, out)) {
            dispatch(from, message, out);
        }
        effects.flush();
    }

    private void dispatch(ProcessId from, ControlMessage message, Outbox<ProcessId, ControlMessage> out) {
        if (message instanceof ControlMessage.Detector detector) {
            if (detector.message() instanceof DetectorMessage.Obituary obituary) {
                onObituary(from, obituary, out);
            } else {
                ring.onMessage(from, detector.message(), nowNs, detectorOutbox(out));
            }
        } else if (message instanceof ControlMessage.Revoke revoke) {
            spreadRevocation(revoke, out);
        } else if (message instanceof ControlMessage.Goodbye goodbye) {
            onGoodbye(from, goodbye, out);
        } else if (message instanceof ControlMessage.OfAgreement ofAgreement) {
            onAgreementMessage(from, ofAgreement, out);
        } else if (message instanceof ControlMessage.Welcome welcome) {
            onWelcome(from, welcome, out);
        } else {
            throw new IllegalStateException("no handler for " + message);
        }
    }

    private boolean isObituaryOfMe(ControlMessage message) {
        return message instanceof ControlMessage.Detector detector
                && detector.message() instanceof DetectorMessage.Obituary obituary
                && obituary.failed().equals(me);
    }

    @Override
    public void onTick(long nowNs, Outbox<ProcessId, ControlMessage> out) {
        if (fenced) {
            return;
        }
        this.nowNs = nowNs;
        ring.onTick(nowNs, detectorOutbox(out));
        List<Loss> suspects = new ArrayList<>();
        for (ProcessId suspect : ring.takeSuspects()) {
            String silence = "no heartbeat for " + timing.detectorTimeoutNs() / 1_000_000 + " ms";
            suspects.add(new Loss(suspect, new Evidence(Evidence.Kind.SUSPECTED, me, silence)));
        }
        mark(suspects, out);
        goOnReplacing(out);
        effects.flush();
    }

    @Override
    public long nextDeadlineNs() {
        if (fenced) {
            return Long.MAX_VALUE;
        }
        long ringNs = ring.nextDeadlineNs();
        return replacement == null ? ringNs : Math.min(ringNs, replacement.nextDeadlineNs());
    }

    /**
     * The driver has found out that a process failed. Certain evidence asks for {@link Effects#drain} first; everything
     * else marks at once. Ignored for a process that is known to have failed or departed, and by a rank that leaves.
     */
    public void onEvidence(ProcessId process, Evidence evidence, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        if (fenced) {
            return;
        }
        this.nowNs = nowNs;
        lose(process, evidence, out);
        effects.flush();
    }

    /** What had arrived from the process was handed over. Ignored unless {@link Effects#drain} asked for it. */
    public void onDrained(ProcessId process, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        onDrained(List.of(process), nowNs, out);
    }

    /**
     * The same for several processes at once, which is far cheaper than one after the other: each mark alone would give
     * this rank other neighbours, and everything that is sticky goes to each of those.
     */
    public void onDrained(List<ProcessId> processes, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        List<Loss> dead = new ArrayList<>();
        for (ProcessId process : processes) {
            Evidence evidence = draining.remove(process);
            if (evidence != null) {
                dead.add(new Loss(process, evidence));
            }
        }
        if (fenced || dead.isEmpty()) {
            return;
        }
        this.nowNs = nowNs;
        mark(dead, out);
        effects.flush();
    }

    /** F6: the launcher knows that the process has ended after its goodbye, and answers for it. */
    public void onDeparted(ProcessId process, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        if (fenced || failures.hasFailed(process)) {
            return;
        }
        this.nowNs = nowNs;
        if (newcomer != null) {
            goneOnWithout("process " + process + " has finalized");
            effects.flush();
            return;
        }
        noteDeparted(process, out);
        if (departure.isFinalizing()) {
            communicators.get(departure.communicator()).decideAlone(departure.sequence(), out);
        } else {
            fenceUnlessLeaving("process " + process + " has finalized before this process called Finalize");
        }
        effects.flush();
    }

    /**
     * A communicator exists here from now on; what was held for it is dispatched.
     *
     * @param members its slots in rank order, this rank's among them
     */
    public void register(long communicator, SlotRuns members, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        register(communicator, members, TreeShape.BINARY, nowNs, out);
    }

    /**
     * The same for a communicator whose agreements travel over another tree.
     *
     * @param shape the same at all members
     */
    public void register(
            long communicator, SlotRuns members, TreeShape shape, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        register(communicator, members, shape, membership().epoch(), nowNs, out);
    }

    /**
     * The same for a communicator that was made of one that is older than the membership epoch in force.
     *
     * @param epoch of the communicator it was made of
     */
    public void register(
            long communicator,
            SlotRuns members,
            TreeShape shape,
            long epoch,
            long nowNs,
            Outbox<ProcessId, ControlMessage> out) {
        Host itsHost = hosts.get(epoch);
        if (itsHost == null) {
            throw new IllegalStateException("epoch " + epoch + " was never in force here, but " + hosts.keySet());
        }
        if (communicators.containsKey(communicator) || tombstones.contains(communicator)) {
            throw new IllegalStateException("communicator " + Long.toHexString(communicator) + " exists already");
        }
        this.nowNs = nowNs;
        communicators.put(communicator, new Agreements(communicator, members, me.slot(), shape, itsHost));
        if (isRevoked(communicator)) {
            effects.revoked(communicator);
        }
        for (HeldMessages.Held early : held.take(communicator)) {
            if (!fenced && !failures.hasFailed(early.from())) {
                onAgreementMessage(early.from(), early.message(), out);
            }
        }
        effects.flush();
    }

    /**
     * The caller has freed a communicator. Its open agreements go on, its decisions can still be asked for, and a
     * revocation is still passed on. Where this rank has agreed on nothing there is nothing to ask for: all that stays of
     * most communicators is that their id is over.
     */
    public void freed(long communicator) {
        Agreements agreements = agreements(communicator);
        agreements.free();
        if (agreements.isUnused()) {
            bury(communicator);
        } else {
            dropReplacedWorld();
        }
    }

    private void bury(long communicator) {
        communicators.remove(communicator);
        latest = null;
        tombstones.add(communicator);
    }

    /**
     * A communicator whose id was fixed could not be built here: it is revoked, so that those who have it do not wait for
     * this rank, and what comes for it later is dropped.
     */
    public void aborted(long communicator, SlotRuns members, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        if (communicators.containsKey(communicator) || !tombstones.add(communicator)) {
            throw new IllegalStateException("communicator " + Long.toHexString(communicator) + " exists already");
        }
        this.nowNs = nowNs;
        held.take(communicator);
        spreadRevocation(new ControlMessage.Revoke(communicator, members, me.slot()), out);
        effects.flush();
    }

    /** Revokes a registered communicator, here at once and everywhere in the end. Once revoked, does nothing. */
    public void revoke(long communicator, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        Agreements agreements = agreements(communicator);
        if (fenced) {
            return;
        }
        this.nowNs = nowNs;
        spreadRevocation(new ControlMessage.Revoke(communicator, agreements.members(), me.slot()), out);
        effects.flush();
    }

    public boolean isRevoked(long communicator) {
        return revocations.holds(communicator);
    }

    /**
     * This rank makes its next agreement call on a communicator; Finalize is one on COMM_WORLD.
     *
     * @return its number; the decision comes by {@link Effects#decided}, possibly before this returns
     */
    public long enter(long communicator, Contribution mine, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        Agreements agreements = agreements(communicator);
        requireIn(mine.kind());
        this.nowNs = nowNs;
        if (mine.kind() == Kind.FINALIZE) {
            departure.enter(communicator, agreements.lastSequence() + 1);
        }
        long sequence = agreements.enter(mine, out);
        effects.flush();
        return sequence;
    }

    private void requireIn(Kind call) {
        if (fenced || departure.phase() != Departure.Phase.IN) {
            throw new IllegalStateException(call.callName() + " called by a process that is "
                    + (fenced ? "fenced" : departure.phase().toString()));
        }
    }

    /** F1: this rank calls Finalize, in the agreement sequence of COMM_WORLD. All its requests are complete. */
    public long enterFinalize(long worldCommunicator, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        return enter(worldCommunicator, new Contribution(Kind.FINALIZE, -1, SlotSet.ALL), nowNs, out);
    }

    /**
     * The launcher has announced a process that waits to be let in (P8). Of several for one slot the newest counts. Known
     * ones and those of slots that are full change nothing.
     */
    public void pending(Contact waiting, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        this.nowNs = nowNs;
        announced.pending(waiting);
        if (newcomer != null
                && waiting.process().slot() != me.slot()) { // P6: it may be this one that passes the welcome on
            // Else what it says would wait for the very welcome that it brings.
            driver.introduce(waiting);
        }
        goOnReplacing(out);
        effects.flush();
    }

    /**
     * Nobody starts a process for this slot any more, until one is announced.
     *
     * @param why in plain words, for the error of replace()
     */
    public void noMore(int slot, String why, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        this.nowNs = nowNs;
        announced.noMore(slot, why);
        goOnReplacing(out);
        effects.flush();
    }

    /** Nobody starts processes any more for any slot: the launcher is gone. Whoever waits already can still be let in. */
    public void noMore(String why, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        this.nowNs = nowNs;
        announced.noMore(why);
        goOnReplacing(out);
        effects.flush();
    }

    /**
     * This rank calls replace() on a communicator of all members of the present world; it takes two agreements of it, or
     * more. The outcome comes by {@link Effects#replaced}, possibly before this returns.
     */
    public void replace(long communicator, ReplaceTerms terms, long nowNs, Outbox<ProcessId, ControlMessage> out) {
        Agreements agreements = agreements(communicator);
        requireIn(Kind.REPLACE);
        if (!isOfWholeWorld(communicator) || replacement != null) {
            throw new IllegalStateException("replace on communicator " + Long.toHexString(communicator)
                    + (replacement == null
                            ? ", which is not of all members of " + membership()
                            : " while in " + replacement));
        }
        this.nowNs = nowNs;
        replacement = new Replacement(agreements, membership(), terms, new ReplacingRank());
        replacement.begin(out);
        effects.flush();
    }

    /** Whether a communicator has all members of the membership epoch in force, so that replace() can be called on it. */
    public boolean isOfWholeWorld(long communicator) {
        Agreements agreements = agreements(communicator);
        return agreements.host() == host
                && agreements.members().equals(membership().slots());
    }

    /** Whether this process waits to be let in. */
    public boolean isPending() {
        return newcomer != null;
    }

    /** Who is in the world now; of nobody while this process waits to be let in. */
    public Membership membership() {
        return host.membership();
    }

    /** Who the slots of a communicator stand for. */
    public Membership membership(long communicator) {
        return agreements(communicator).host().membership();
    }

    /** Slots that a running replace() waits for to be filled; empty if it waits for members, or none is running. */
    public SlotSet awaitedSlots() {
        return replacement == null ? SlotSet.EMPTY : replacement.awaited();
    }

    /** Number of the agreement that a running replace() waits for or had last; 0 if none is running. */
    public long replaceAgreement() {
        return replacement == null ? 0 : replacement.sequence();
    }

    /** Whether Finalize is decided here: the rank answers and beats until its goodbyes are handed over. */
    public boolean isLeaving() {
        return departure.isLeaving();
    }

    /** Whether Finalize was called here; also true while {@link #isLeaving}. */
    public boolean isFinalizing() {
        return departure.phase() != Departure.Phase.IN;
    }

    /** Whether this process has ended itself for others. */
    public boolean isFenced() {
        return fenced;
    }

    /** What this rank holds for failed and departed. To be read only. */
    public FailureSet failures() {
        return failures;
    }

    /** The heartbeat ring. To be read only. */
    public RingDetector ring() {
        return ring;
    }

    /** Messages that wait for a communicator to be created here; shown where a rank says what it waits for. */
    public int heldMessages() {
        return held.size();
    }

    /** Number of the last agreement that this rank entered on a communicator; 0 before the first. */
    public long lastAgreement(long communicator) {
        return agreements(communicator).lastSequence();
    }

    /** Decisions of a communicator kept for those that may ask; one in the steady state. */
    public int storedDecisions(long communicator) {
        return agreements(communicator).storedDecisions();
    }

    /** Slots whose value, or whose decision, an agreement waits for here; empty if it is not open. */
    public SlotSet awaited(long communicator, long sequence) {
        EarlyReturningAgreement open = agreements(communicator).waitedFor(sequence);
        if (open == null) {
            return SlotSet.EMPTY;
        }
        return open.waitingFor() >= 0 ? SlotSet.of(open.waitingFor()) : open.missing();
    }

    /** The slot that has this rank's value, and whose decision it waits for; −1 if it waits for values, or for nothing. */
    public int waitsForDecisionOf(long communicator, long sequence) {
        EarlyReturningAgreement open = agreements(communicator).waitedFor(sequence);
        return open == null ? -1 : open.waitingFor();
    }

    /** Whether an open agreement will be answered to a member when it is decided, since its value or its question came. */
    public boolean owesDecision(long communicator, long sequence, int slot) {
        Agreements known = communicators.get(communicator);
        EarlyReturningAgreement open = known == null ? null : known.waitedFor(sequence);
        return open != null && open.owes(slot);
    }

    /** How far an agreement is, for a dump of who waits for whom; null if it is not open here. */
    public String describe(long communicator, long sequence) {
        Agreements known = communicators.get(communicator);
        EarlyReturningAgreement open = known == null ? null : known.waitedFor(sequence);
        return open == null ? null : open.toString();
    }

    /** A decision that is kept for those that may ask, or null; of agree(UNIFORM) the second has the next number. */
    public Decision storedDecision(long communicator, long sequence) {
        Agreements known = communicators.get(communicator);
        return known == null ? null : known.decision(sequence);
    }

    private void onObituary(ProcessId from, DetectorMessage.Obituary obituary, Outbox<ProcessId, ControlMessage> out) {
        ProcessId failed = obituary.failed();
        if (failed.equals(me)) {
            fenceUnlessLeaving("process " + from + " told that process "
                    + obituary.evidence().declaredBy() + " holds this process for failed: "
                    + obituary.evidence().reason());
        } else if (!departure.isLeaving() && !obituaries.holds(failed) && !isOfThePast(failed)) {
            if (obituary.evidence().kind() == Evidence.Kind.CERTAIN || failures.isGone(failed)) {
                // Passed on at once: the mark comes only after draining, or not at all.
                obituaries.spread(obituary, detectorOutbox(out));
                tellSubject(obituary, out);
            }
            // Else the mark passes it on, to the neighbours that are left, and once to its subject.
            lose(failed, obituary.evidence(), out);
        }
    }

    /** Whether it failed and all who are in the membership epoch know: they had marked it before they entered. */
    private boolean isOfThePast(ProcessId process) {
        return failures.hasFailed(process) && !membership().contains(process);
    }

    /** Evidence of a failure, our own or an obituary's: drained first if it is certain, marked at once if not. */
    private void lose(ProcessId process, Evidence evidence, Outbox<ProcessId, ControlMessage> out) {
        if (departure.isLeaving() || failures.isGone(process)) {
            return;
        }
        if (process.equals(me)) {
            fenceUnlessLeaving(evidence.reason());
        } else if (evidence.kind() != Evidence.Kind.CERTAIN) {
            mark(List.of(new Loss(process, evidence)), out);
        } else if (draining.putIfAbsent(process, evidence) == null) {
            effects.drain(process);
        }
    }

    /**
     * Marks processes failed. All of them are in the failure set before any agreement hears of one, so that nobody turns
     * to a process that the same step has declared dead.
     */
    private void mark(List<Loss> losses, Outbox<ProcessId, ControlMessage> out) {
        List<Loss> fresh = new ArrayList<>();
        for (Loss loss : losses) {
            if (departure.isLeaving() || failures.hasFailed(loss.process())) {
                continue;
            }
            // What is certain stays certain, even if an agreement was faster than the draining.
            Evidence certain = draining.remove(loss.process());
            Loss marked = certain == null ? loss : new Loss(loss.process(), certain);
            failures.markFailed(marked.process(), marked.evidence(), nowNs);
            held.dropFrom(marked.process());
            effects.failed(marked.process(), marked.evidence());
            fresh.add(marked);
        }
        if (fresh.isEmpty()) {
            return;
        }
        for (Loss loss : fresh) {
            DetectorMessage.Obituary obituary = new DetectorMessage.Obituary(loss.process(), loss.evidence());
            if (obituaries.spread(obituary, detectorOutbox(out))) {
                tellSubject(obituary, out);
            }
            ring.onGone(loss.process(), nowNs, detectorOutbox(out)); // its questions come after the news
        }
        replay(fresh.get(fresh.size() - 1).process(), out);
        for (Agreements agreements : new ArrayList<>(communicators.values())) {
            SlotSet slots = slotsOf(fresh, agreements.host().membership());
            if (!slots.isEmpty()) {
                agreements.onFailed(slots, out);
            }
        }
        goOnReplacing(out);
    }

    /** The slots of these processes, where they and no earlier or later ones hold them. */
    private static SlotSet slotsOf(List<Loss> losses, Membership membership) {
        SlotSet slots = SlotSet.EMPTY;
        for (Loss loss : losses) {
            ProcessId process = loss.process();
            if (membership.incarnation(process.slot()) == process.incarnation()) {
                slots = slots.with(process.slot());
            }
        }
        return slots;
    }

    /** The failed process itself may live, and the overlay passes over it: so everyone who learns of its failure says so. */
    private void tellSubject(DetectorMessage.Obituary obituary, Outbox<ProcessId, ControlMessage> out) {
        if (obituary.evidence().kind() != Evidence.Kind.CERTAIN) {
            out.send(obituary.failed(), new ControlMessage.Detector(obituary));
        }
    }

    private void replay(ProcessId gone, Outbox<ProcessId, ControlMessage> out) {
        obituaries.onGone(gone, detectorOutbox(out));
        revocations.onGone(gone, out);
        welcomes.spread(out);
    }

    private void spreadRevocation(ControlMessage.Revoke revoke, Outbox<ProcessId, ControlMessage> out) {
        // Passed on at the first receipt, known here or not: neighbours that abandoned the communicator must not cut
        // off
        // one that has it.
        if (revocations.spread(revoke, out)) {
            Agreements known = communicators.get(revoke.communicator());
            if (known != null && !known.isFreed()) {
                effects.revoked(revoke.communicator());
            }
        }
    }

    private void onAgreementMessage(
            ProcessId from, ControlMessage.OfAgreement message, Outbox<ProcessId, ControlMessage> out) {
        Agreements known = find(message.communicator());
        if (known != null) {
            known.onMessage(from, message, out);
        } else if (!tombstones.contains(message.communicator())) {
            held.hold(from, message);
        }
    }

    /** F2: a goodbye is the decision on another road. */
    private void onGoodbye(ProcessId from, ControlMessage.Goodbye goodbye, Outbox<ProcessId, ControlMessage> out) {
        noteDeparted(from, out);
        if (departure.isFinalizing()) {
            communicators
                    .get(departure.communicator())
                    .onDown(from.slot(), goodbye.sequence(), goodbye.decision(), out);
        } else {
            fenceUnlessLeaving("process " + from + " has finalized before this process called Finalize");
        }
    }

    private void noteDeparted(ProcessId process, Outbox<ProcessId, ControlMessage> out) {
        if (!failures.markDeparted(process)) {
            return;
        }
        draining.remove(process);
        effects.departed(process);
        ring.onGone(process, nowNs, detectorOutbox(out));
        if (!departure.isLeaving()) {
            replay(process, out);
        } // else F5: a leaver owes nothing any more, and where many leave together each departure makes new neighbours
        for (Agreements agreements : communicators.values()) {
            agreements.refresh();
        }
    }

    /** F4: a rank that leaves has its decision, and nobody can take it back. */
    private void fenceUnlessLeaving(String why) {
        if (!fenced && !departure.isLeaving()) {
            fenced = true;
            effects.fenced(why);
        }
    }

    /**
     * F3: the decision and the obituaries are sent (every obituary this rank knows went out when it was learnt, those that
     * the decision lists just now: a leaver must not take the only one with it); then the goodbye, to all who could miss
     * this rank.
     */
    private void sendGoodbyes(ControlMessage.Goodbye goodbye, Outbox<ProcessId, ControlMessage> out) {
        SortedSet<ProcessId> talkedTo = new TreeSet<>(ring.observers());
        talkedTo.addAll(driver.peersWithSession());
        for (ProcessId peer : Departure.audience(me, membership(), failures, talkedTo)) {
            out.send(peer, goodbye);
        }
    }

    /** Whether a message has to wait until this process is let in; what it may know now is told. */
    private boolean holds(ProcessId from, ControlMessage message, Outbox<ProcessId, ControlMessage> out) {
        if (message instanceof ControlMessage.Goodbye) {
            // Had anybody admitted this process, then nobody would have finalized without it.
            goneOnWithout("process " + from + " has finalized");
            return true;
        }
        boolean isOfRing = message instanceof ControlMessage.Detector detector
                && !(detector.message() instanceof DetectorMessage.Obituary);
        if (isOfRing || message instanceof ControlMessage.Welcome || isObituaryOfMe(message)) {
            return false; // B3: a newcomer beats for whoever asks
        }
        newcomer.hold(from, message); // P6: not lost, and not looked at in no world
        return true;
    }

    private void goneOnWithout(String why) {
        if (!fenced) {
            fenced = true;
            effects.goneOnWithout(why);
        }
    }

    private void onWelcome(ProcessId from, ControlMessage.Welcome welcome, Outbox<ProcessId, ControlMessage> out) {
        Admission admission = welcome.admission();
        if (newcomer == null) {
            boolean isOfMyEpoch = present != null && admission.epoch() == present.epoch();
            if (isOfMyEpoch && admission.world() != present.world()) { // P7: another world
                fenceUnlessLeaving("process " + from + " is in another world of epoch " + admission.epoch()
                        + ": one of the two has wrongly held members of the other for failed");
            }
        } else if (newcomer.isIn(admission)) {
            admit(from, welcome, out);
        } else {
            goneOnWithout("the world has gone on with another process in slot " + me.slot() + ", or with none");
        }
    }

    /** P6: the first welcome says which world this newcomer is in. */
    private void admit(ProcessId from, ControlMessage.Welcome welcome, Outbox<ProcessId, ControlMessage> out) {
        if (welcome.failed().contains(me)) {
            fenceUnlessLeaving("process " + from + " welcomes this process and holds it for failed");
            return;
        }
        List<Newcomer.Held> early = newcomer.held();
        newcomer = null;
        for (Contact member : welcome.admission().members().values()) {
            if (!member.process().equals(me)) {
                driver.introduce(member);
            }
        }
        Evidence told = new Evidence(Evidence.Kind.AGREED, from, "known to have failed before this process came");
        Membership next = welcome.admission().membership();
        List<Loss> losses = new ArrayList<>();
        for (ProcessId failed : welcome.failed()) {
            if (next.contains(failed)) {
                // Perhaps only this process is left to know: so it tells the others.
                losses.add(new Loss(failed, told));
            } else if (failures.markFailed(failed, told, nowNs)) {
                effects.failed(failed, told);
                // It may have asked for heartbeats before it was replaced.
                ring.onGone(failed, nowNs, detectorOutbox(out));
            }
        }
        mark(losses, out);
        enterEpoch(welcome.admission(), welcome.newcomers(), out);
        effects.welcomed(welcome.admission());
        for (Newcomer.Held held : early) {
            if (!fenced && !failures.hasFailed(held.from())) {
                dispatch(held.from(), held.message(), out);
            }
        }
    }

    /**
     * P5, P6: another membership epoch is in force here. Whom it replaces, and whomever agreements of the old world list, is
     * marked failed.
     */
    private void enterEpoch(Admission admission, SlotSet newcomers, Outbox<ProcessId, ControlMessage> out) {
        Membership next = admission.membership();
        inForce(next);
        present = admission;
        hasWorldAgreed = false;
        announced.enter(next);
        SortedSet<ProcessId> failed = new TreeSet<>(failures.failedInOrder());
        welcomes.begin(new ControlMessage.Welcome(admission, newcomers, failed), next, out);
        ring.enter(next, nowNs, detectorOutbox(out));
        for (ProcessId each : failed) {
            if (!next.contains(each)) {
                // Members have marked it before they came here, and newcomers are told with their welcome.
                obituaries.forget(each);
            }
        }
        obituaries.enter(next, detectorOutbox(out));
        revocations.enter(next, out);
    }

    private void inForce(Membership members) {
        host = new Host(members, new Electorate(needsMajority, members.slots()));
        hosts.put(members.epoch(), host);
    }

    private void goOnReplacing(Outbox<ProcessId, ControlMessage> out) {
        if (replacement != null && !fenced) {
            replacement.goOn(out);
        }
    }

    /** P12: once an agreement of the new world is decided, nobody can ask for one of the old world any more. */
    private void dropReplacedWorld() {
        if (replacedWorld != null && hasWorldAgreed && replacedWorld.isFreed() && replacedWorld.isSettled()) {
            bury(replacedWorld.communicator());
            replacedWorld = null;
        }
    }

    private void onAgreedIn(long communicator) {
        if (!hasWorldAgreed && present != null && communicator == present.world()) {
            hasWorldAgreed = true;
            welcomes.end();
            dropReplacedWorld();
        }
    }

    private Agreements find(long communicator) {
        if (latest == null || latest.communicator() != communicator) {
            latest = communicators.get(communicator);
        }
        return latest;
    }

    private Agreements agreements(long communicator) {
        Agreements agreements = find(communicator);
        if (agreements == null) {
            throw new IllegalStateException("communicator " + Long.toHexString(communicator) + " is not known here");
        }
        return agreements;
    }

    private static Outbox<ProcessId, DetectorMessage> detectorOutbox(Outbox<ProcessId, ControlMessage> out) {
        return new DetectorOutbox(out);
    }

    /** All there is to know about this rank's part in the protocols, for a dump. */
    @Override
    public String toString() {
        return "process " + me + (fenced ? " fenced " : " ") + departure.phase() + " " + failures + host.electorate()
                + " draining " + draining.keySet() + " held " + held.size() + " " + communicators.values()
                + (newcomer == null ? "" : " " + newcomer) + (replacement == null ? "" : " " + replacement);
    }

    /** The rank as the agreements of one membership epoch see it. */
    private final class Host implements AgreementHost {
        private final Membership membership;
        private final Electorate electorate;

        Host(Membership membership, Electorate electorate) {
            this.membership = membership;
            this.electorate = electorate;
        }

        @Override
        public Membership membership() {
            return membership;
        }

        @Override
        public ProcessId process(int slot) {
            return membership.process(slot);
        }

        @Override
        public SlotSet failed(SlotRuns members) {
            return failures.failedAmong(members, membership);
        }

        @Override
        public SlotSet gone(SlotRuns members) {
            return failures.goneAmong(members, membership);
        }

        @Override
        public void fail(SlotSet slots, ProcessId toldBy, Outbox<ProcessId, ControlMessage> out) {
            Evidence evidence = new Evidence(Evidence.Kind.AGREED, toldBy, "listed as failed in an agreement");
            List<Loss> losses = new ArrayList<>();
            for (int slot : slots.toArray()) {
                ProcessId process = membership.process(slot);
                if (process.equals(me)) {
                    throw new IllegalStateException("an agreement makes process " + me + " mark itself failed");
                }
                if (!failures.hasFailed(process)) {
                    losses.add(new Loss(process, evidence));
                }
            }
            mark(losses, out);
        }

        @Override
        public void fence(String why) {
            fenceUnlessLeaving(why);
        }

        @Override
        public void settle(SlotSet failed, Outbox<ProcessId, ControlMessage> out) {
            if (!failed.isEmpty()) {
                fail(failed, me, out);
            }
        }

        @Override
        public Electorate electorate() {
            return electorate;
        }

        @Override
        public void decided(
                long communicator, long sequence, Decision decision, Outbox<ProcessId, ControlMessage> out) {
            if (departure.decide(communicator, sequence, decision)) {
                sendGoodbyes(new ControlMessage.Goodbye(communicator, sequence, decision), out);
            }
            onAgreedIn(communicator);
            if (replacement == null || !replacement.waitsFor(communicator, sequence)) {
                effects.decided(communicator, sequence, decision);
            } else if (!fenced) {
                replacement.onDecided(decision, out);
            }
        }
    }

    /** The rank as its call of replace() sees it. */
    private final class ReplacingRank implements ReplaceHost {
        @Override
        public long nowNs() {
            return nowNs;
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
        public Contact contact(ProcessId member) {
            // A newcomer was told of all members, itself included, and so were those that let it in: all say the same.
            Contact contact =
                    present == null ? driver.contact(member) : present.members().get(member.slot());
            if (!contact.process().equals(member)) {
                throw new IllegalStateException("asked for process " + member + " the driver named " + contact);
            }
            return contact;
        }

        @Override
        public void introduce(Contact contact) {
            driver.introduce(contact);
        }

        @Override
        public long world(long communicator, long sequence, long digest) {
            return driver.ids().replace(communicator, sequence, digest);
        }

        @Override
        public void admitted(Admission admission, SlotSet newcomers, Outbox<ProcessId, ControlMessage> out) {
            long replaced = replacement.communicator();
            replacement = null;
            replacedWorld = agreements(replaced);
            enterEpoch(admission, newcomers, out);
            effects.replaced(replaced, new ReplaceOutcome.Admitted(admission));
        }

        @Override
        public void ended(ReplaceOutcome outcome) {
            long communicator = replacement.communicator();
            replacement = null;
            effects.replaced(communicator, outcome);
        }
    }
}
