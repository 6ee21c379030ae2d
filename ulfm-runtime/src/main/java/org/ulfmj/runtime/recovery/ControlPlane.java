package org.ulfmj.runtime.recovery;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.agree.Effects;
import org.ulfmj.agree.GrowTerms;
import org.ulfmj.agree.ChangeOutcome;
import org.ulfmj.agree.ReplaceTerms;
import org.ulfmj.agree.SurvivorCore;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.ControlCodec;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.agree.message.Joiner;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.agree.tree.TreeShape;
import org.ulfmj.detector.BinomialGraph;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.detector.Evidence;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.Placement;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.Timing;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.runtime.collective.CollectiveRunner;
import org.ulfmj.runtime.inject.KillPoints;
import org.ulfmj.runtime.member.Contacts;
import org.ulfmj.runtime.member.RankIdentity;
import org.ulfmj.runtime.message.LateMessage;
import org.ulfmj.runtime.message.Notice;
import org.ulfmj.runtime.message.WrittenPayload;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.runtime.progress.Engine;
import org.ulfmj.runtime.transfer.CommunicatorTable;
import org.ulfmj.runtime.transfer.Inbound;
import org.ulfmj.runtime.transfer.MessageContext;
import org.ulfmj.runtime.transfer.Traffic;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.MemberRecord;

/**
 * Drives the rank's {@link SurvivorCore} with real time and real lanes, and carries out what it asks for. Under the
 * engine lock.
 */
public final class ControlPlane
        implements Outbox<ProcessId, ControlMessage>, Effects, Inbound.Protocols, CollectiveRunner.Revoker {
    /** The rank for which the protocols run, and which carries out what they decide. */
    public interface Rank extends Engine {
        /** The communicators of the rank. */
        CommunicatorTable<?> communicators();

        ProtocolHooks hooks();

        /** Leaves an event for the next poll. */
        void post(EngineEvents.Event event);

        /** Notes that the rank passes a named point, for which an injected death may be planned. */
        void pass(String point);

        /** Notes that the process is marked failed, and ends what depends on that process. */
        void onFailed(ProcessId process, Evidence evidence);

        /** The process has said goodbye. */
        void onDeparted(ProcessId process);

        /** Notes that the process is dead while this rank is leaving. */
        void onEnded(ProcessId process);

        void onRevoked(long communicator);

        /** Drops the frames that are held for a communicator, which may not exist here. */
        void dropHeld(long communicator);

        /** Another world is in force. */
        void enter(Membership world);

        /** Ends this process: others have marked it failed, or it must not go on for another reason. */
        void fence(String reason);

        /** Ends the job with this code. */
        void abort(int code, String reason);
    }

    /**
     * After so many polls since a deadline passed, everything that had arrived by then counts as read, even if more
     * keeps arriving: a flood of data must not silence this rank.
     */
    private static final int FULL_POLLS = 64;

    private record EarlyWelcome(ProcessId from, ControlMessage message) {}

    private final Rank engine;
    private final Traffic traffic;
    private final Decisions decisions = new Decisions();
    private final RankIdentity identity;
    private final Fabric fabric;
    private final boolean faultTolerance;
    private final ReplaceTerms replaceTerms;
    private final CommunicatorIds ids;
    private final Contacts contacts;
    private final AdmissionWait admission;
    private final SurvivorCore core;
    private final WireReader reader = new WireReader();
    private final WrittenPayload written = new WrittenPayload(ControlCodec.MAX_BYTES);
    /** The message in {@link #written}. A message that goes to several processes is written once. */
    private ControlMessage lastWritten;
    /** The message that was put off last. */
    private LateMessage lastPutOff;

    private Notice lastPutOffNotice;

    private long deadlineNs = Long.MAX_VALUE;
    private int pollsSinceDeadline;
    /** Actions to run once everything that could be read was read. */
    private final ArrayDeque<Runnable> atRest = new ArrayDeque<>(0);

    private int pollsSinceRest;
    private boolean leaving;
    /** Welcomes that came at a time when this newcomer may not take them. */
    private final ArrayDeque<EarlyWelcome> early = new ArrayDeque<>(0);
    /** The call of replace or grow that waits for its outcome, or null. */
    private ChangeCall changing;

    public ControlPlane(
            Rank engine,
            RankIdentity identity,
            CommunicatorIds ids,
            Fabric fabric,
            Traffic traffic,
            RankSettings settings) {
        this.engine = engine;
        this.traffic = traffic;
        this.identity = identity;
        this.fabric = fabric;
        this.faultTolerance = settings.faultTolerance();
        this.replaceTerms = settings.replaceTerms();
        this.contacts = new Contacts(identity.table());
        this.admission = identity.isNewcomer() ? new AdmissionWait(callThatLetsIn(identity.id())) : null;
        this.ids = ids;
        ProcessId me = identity.id();
        Timing timing = settings.timing();
        boolean needsMajority = settings.needsMajority();
        this.core = identity.isNewcomer()
                ? SurvivorCore.newcomer(me, identity.nonce(), timing, needsMajority, this, engine.nowNs())
                : new SurvivorCore(me, identity.members(), timing, needsMajority, this, engine.nowNs());
    }

    private static String callThatLetsIn(ProcessId process) {
        return (process.incarnation() > 0 ? Kind.REPLACE : Kind.GROW).callName();
    }

    /** Begins to watch and to be watched; without fault tolerance no rank watches. */
    public void start() {
        if (faultTolerance) {
            core.start(engine.nowNs(), this);
            if (engine.hooks().mostMembers() > 1) {
                core.noMore("processes come into this world by grow()", engine.nowNs(), this);
            }
            stepped();
        }
    }

    @Override
    public boolean isRevoked(long communicator) {
        return core.isRevoked(communicator);
    }

    @Override
    public boolean hasForgotten(long communicator) {
        return core.hasForgotten(communicator);
    }

    /** Returns the decisions of agreements that calls of this rank wait for. */
    public Decisions decisions() {
        return decisions;
    }

    public FailureSet failures() {
        return core.failures();
    }

    /** Returns the slots of the communicator's members that are marked failed here. */
    public SlotSet knownFailed(MessageContext communicator) {
        return core.failures().failedAmong(communicator.members(), communicator.membership());
    }

    /** Returns the given slots, and those of failed processes whose slots are not in the present world any more. */
    public SlotSet withLeftOut(SlotSet failed) {
        SlotSet all = failed;
        for (ProcessId process : core.failures().failedInOrder()) {
            if (!core.membership().slots().contains(process.slot())) {
                all = all.with(process.slot());
            }
        }
        return all;
    }

    String describe(MessageContext communicator, long sequence) {
        return core.describe(communicator.id(), sequence);
    }

    /** Returns the slots of the members whose part in an agreement this rank still waits for. */
    SlotSet awaited(MessageContext communicator, long sequence) {
        return core.awaited(communicator.id(), sequence);
    }

    /** Whether the members of a communicator are exactly those of the present world, in the order of COMM_WORLD. */
    public boolean isOfWholeWorld(MessageContext communicator) {
        return core.isOfWholeWorld(communicator.id());
    }

    /** Returns the members of the present world. */
    public Membership membership() {
        return core.membership();
    }

    /**
     * Returns the slots for which a running replace waits until they have new processes; empty while it waits for
     * members.
     */
    SlotSet awaitedSlots() {
        return core.awaitedSlots();
    }

    /** Number of the agreement that a running replace or grow is in, or was in last. */
    long changeAgreement() {
        return core.changeAgreement();
    }

    /** What a newcomer waits for; null at a process of the first world. */
    public AdmissionWait admission() {
        return admission;
    }

    /** How many messages of the protocols wait until their communicator is made here. */
    public int heldMessages() {
        return core.heldMessages();
    }

    public long nextDeadlineNs() {
        return deadlineNs;
    }

    /**
     * Runs due timers. A deadline counts only when everything that could be read was read: a peer must not seem silent
     * because this rank has not read its messages. Returns 1 if timers ran.
     */
    public int tickIfDue(long nowNs, boolean inputLeft) {
        if (deadlineNs == Long.MAX_VALUE || nowNs - deadlineNs < 0) {
            pollsSinceDeadline = 0;
            return 0;
        }
        if (inputLeft && pollsSinceDeadline++ < FULL_POLLS) {
            return 0;
        }
        pollsSinceDeadline = 0;
        core.onTick(nowNs, this);
        stepped();
        return 1;
    }

    /**
     * Runs the actions that wait until everything that could be read was read. As with a deadline, a flood of input
     * ends the wait. Returns how many actions ran.
     */
    public int runAtRest(boolean inputLeft) {
        if (atRest.isEmpty() || inputLeft && pollsSinceRest++ < FULL_POLLS) {
            return 0;
        }
        pollsSinceRest = 0;
        int count = atRest.size();
        for (int i = 0; i < count; i++) {
            atRest.pollFirst().run();
        }
        return count;
    }

    public boolean hasAtRest() {
        return !atRest.isEmpty();
    }

    private void stepped() {
        deadlineNs = faultTolerance ? core.nextDeadlineNs() : Long.MAX_VALUE;
    }

    // What other processes and threads tell.

    @Override
    public void onMessage(ProcessId from, ByteBuffer bytes) {
        ControlMessage message = ControlCodec.decode(reader.over(bytes));
        if (message instanceof ControlMessage.Welcome && !mayTakeWelcome()) {
            early.addLast(new EarlyWelcome(from, message));
            return;
        }
        core.onMessage(from, message, engine.nowNs(), this);
        stepped();
        if (message instanceof ControlMessage.Revoke revoke && core.isRevoked(revoke.communicator())) {
            engine.dropHeld(revoke.communicator());
        }
    }

    private boolean mayTakeWelcome() {
        return admission == null || admission.isDone() || engine.hooks().mayBeAdmitted();
    }

    /** Takes the early welcomes, if they may be taken now. Returns how many it took. */
    public int takeEarlyWelcomes() {
        int count = 0;
        while (!early.isEmpty() && mayTakeWelcome()) {
            EarlyWelcome next = early.pollFirst();
            core.onMessage(next.from(), next.message(), engine.nowNs(), this);
            stepped();
            count++;
        }
        return count;
    }

    void onEvidence(ProcessId process, Evidence evidence) {
        if (core.isLeaving()) {
            // F5: a rank that leaves has its decision and takes no failure into account; but messages to a rank that is
            // dead for certain need not arrive any more.
            if (evidence.kind() == Evidence.Kind.CERTAIN) {
                engine.onEnded(process);
            }
        } else if (faultTolerance) {
            core.onEvidence(process, evidence, engine.nowNs(), this);
            stepped();
        } else if (!leaving) {
            engine.abort(
                    1,
                    "process " + process + " failed (" + evidence.reason()
                            + ") and fault tolerance is off; run with --with-ft ulfm to survive it");
        }
    }

    /**
     * J2: sends a heartbeat to each of these processes, which complain of this rank's silence. Then runs {@code then}.
     */
    void beat(List<ProcessId> complainers, Runnable then) {
        if (faultTolerance) {
            core.beat(complainers, engine.nowNs(), this);
            stepped();
        }
        then.run();
    }

    void whenAllIsRead(Runnable action) {
        atRest.addLast(action);
    }

    public boolean isSilent(ProcessId process) {
        return core.isSilent(process);
    }

    @Override
    public void onDrained(List<ProcessId> processes) {
        core.onDrained(processes, engine.nowNs(), this);
        stepped();
        if (core.isLeaving()) {
            for (ProcessId process : processes) {
                engine.onEnded(process);
            }
        }
    }

    void onDeparted(ProcessId process) {
        if (faultTolerance) {
            core.onDeparted(process, engine.nowNs(), this);
            stepped();
        }
    }

    /**
     * The launcher of an elastic world says that the process with this nonce has ended.
     *
     * @param evidence null if the process had finalized
     */
    void onEnd(long nonce, Evidence evidence) {
        if (evidence != null && (core.isLeaving() || !faultTolerance)) {
            ProcessId ended = core.memberWith(nonce);
            if (ended != null) {
                onEvidence(ended, evidence);
            }
        } else if (faultTolerance) {
            core.onEnd(nonce, evidence, engine.nowNs(), this);
            stepped();
        }
    }

    void onWaiting(Joiner joiner) {
        if (faultTolerance) {
            core.waiting(joiner);
        }
    }

    /** How many processes are known here that grow would let in. */
    public int waiting() {
        return core.waiting(engine.hooks().mostMembers());
    }

    /** G10: a process with this nonce has answered that it is not the process of this name. */
    void onNotMe(ProcessId name, long nonce) {
        if (faultTolerance) {
            core.onNotMe(name, nonce, engine.nowNs(), this);
            stepped();
        }
    }

    /**
     * G10: a process that joins was told of the members that the world had when it came. Those that have been let in
     * since, or are let in with it, may be the ones that welcome it.
     */
    @Override
    public boolean takesStrangers() {
        return admission != null && !admission.isDone() && identity.id().incarnation() == 0;
    }

    /** The process at the address of this one has answered so itself. In a static world no process has two names. */
    @Override
    public void onNotMe(ProcessId peer) {
        if (engine.hooks().mostMembers() > 1) {
            onNotMe(peer, contacts.of(peer).nonce());
        }
    }

    /** Takes the peer's refusal to hear this rank as an obituary of this rank from the peer. */
    @Override
    public void onExcluded(ProcessId by) {
        Evidence evidence = new Evidence(Evidence.Kind.SUSPECTED, by, "its link refuses this process");
        core.onMessage(
                by,
                new ControlMessage.Detector(new DetectorMessage.Obituary(identity.id(), evidence)),
                engine.nowNs(),
                this);
        stepped();
    }

    @Override
    public boolean isOver() {
        return engine.isOver();
    }

    @Override
    public void onLinkBroken(ProcessId peer) {
        engine.hooks().onLinkBroken(peer);
    }

    @Override
    public void onLinkRestored(ProcessId peer) {
        engine.hooks().onLinkRestored(peer);
    }

    @Override
    public void onLifelineLost(ProcessId peer) {
        engine.hooks().onLifelineLost(peer);
    }

    void onFence(String reason) {
        Evidence evidence = new Evidence(Evidence.Kind.AGREED, identity.id(), reason);
        core.onEvidence(identity.id(), evidence, engine.nowNs(), this);
        stepped();
    }

    void onPending(Contact newcomer) {
        if (faultTolerance) {
            core.pending(newcomer, engine.nowNs(), this);
            stepped();
        }
    }

    /**
     * Called when the launcher says that all members of the world that this newcomer waited for have ended, and which
     * processes are the world now. This rank takes that as a welcome, as if a member had sent it. No rank passes it on,
     * since the launcher tells all of them. Welcomes of members of the earlier world count no more.
     */
    void onGathered(List<MemberRecord> members) {
        early.clear();
        ControlMessage welcome =
                new ControlMessage.Welcome(Contacts.gathered(members, ids), SlotSet.EMPTY, new TreeSet<>());
        core.onMessage(identity.id(), welcome, engine.nowNs(), this);
        stepped();
    }

    void onNoMore(int slot, String why) {
        if (faultTolerance) {
            core.noMore(slot, why, engine.nowNs(), this);
            stepped();
        }
    }

    void onNoMoreReplacements(String why) {
        if (faultTolerance) {
            core.noMore(why, engine.nowNs(), this);
            stepped();
        }
    }

    // The methods below begin what the rank's own calls ask for.

    public void register(MessageContext communicator) {
        Membership epoch = communicator.membership();
        core.register(communicator.id(), communicator.members(), TreeShape.WIDE, epoch, engine.nowNs(), this);
        stepped();
    }

    /**
     * Revokes a communicator that could not be built here, and drops the frames that are held for it.
     *
     * @param epoch the membership epoch of the communicator from which it was to be made
     */
    public void aborted(long id, SlotRuns members, long epoch) {
        core.aborted(id, members, epoch, engine.nowNs(), this);
        stepped();
        engine.dropHeld(id);
    }

    public void freed(MessageContext communicator) {
        decisions.forget(communicator.id());
        core.freed(communicator.id(), engine.nowNs(), this);
        stepped();
    }

    @Override
    public void revoke(MessageContext communicator) {
        core.revoke(communicator.id(), engine.nowNs(), this);
        stepped();
    }

    /** Revokes a communicator, unless it has been freed meanwhile. */
    public void revokeIfKept(MessageContext communicator) {
        if (engine.communicators().get(communicator.id()) == communicator) {
            revoke(communicator);
        }
    }

    /**
     * Begins this rank's part in an agreement.
     *
     * @throws org.ulfmj.runtime.error.CallError if another thread of this rank is in Finalize: no agreement follows
     *     that one
     */
    public long enter(MessageContext communicator, Contribution contribution) {
        if (core.isFinalizing()) {
            throw RecoveryErrors.finalizing(communicator, contribution.kind());
        }
        try {
            return core.enter(communicator.id(), contribution, engine.nowNs(), this);
        } catch (IllegalStateException e) {
            engine.breakDown(e);
            throw e;
        } finally {
            stepped();
        }
    }

    /**
     * Begins a call of replace or grow.
     *
     * @throws org.ulfmj.runtime.error.CallError if another thread of this rank is in Finalize, or in the same call
     */
    public void change(ChangeCall call) {
        if (core.isFinalizing()) {
            throw RecoveryErrors.finalizing(call.communicator, call.kind);
        }
        if (changing != null) {
            throw RecoveryErrors.changing(call.communicator, call.kind, changing.kind);
        }
        changing = call;
        try {
            if (call.kind == Kind.GROW) {
                GrowTerms terms =
                        call.terms == null ? new GrowTerms(engine.hooks().mostMembers()) : call.terms;
                core.grow(call.communicator.id(), terms, engine.nowNs(), this);
            } else {
                core.replace(call.communicator.id(), replaceTerms, engine.nowNs(), this);
            }
        } catch (IllegalStateException e) {
            engine.breakDown(e);
            throw e;
        } finally {
            stepped();
        }
    }

    public long enterFinalize(MessageContext world) {
        return enter(world, new Contribution(Kind.FINALIZE, -1, SlotSet.ALL));
    }

    /**
     * Notes that this rank is about to leave, without fault tolerance. From now on the end of another rank is no reason
     * to end the job.
     */
    public void leave() {
        leaving = true;
    }

    // What the core asks for.

    @Override
    public void send(ProcessId to, ControlMessage message) {
        if (!traffic.knows(to)) {
            return;
        }
        if (isUnhurried(message, to)) {
            putOff(to, message);
            return;
        }
        if (message != lastWritten) {
            lastWritten = null;
            ControlCodec.encode(message, written.begin());
            lastWritten = message;
        }
        if (message instanceof ControlMessage.Detector detector
                && detector.message() instanceof DetectorMessage.Heartbeat) {
            traffic.sendHeartbeat(to, written);
            return;
        }
        // A goodbye is waited for.
        traffic.sendControl(to, written, message instanceof ControlMessage.Goodbye);
    }

    private void putOff(ProcessId to, ControlMessage message) {
        if (lastPutOff == null || !lastPutOff.isOf(message)) {
            lastPutOff = new LateMessage(message);
            lastPutOffNotice = Notice.unhurried(lastPutOff);
        }
        traffic.putOff(to, lastPutOffNotice);
    }

    /**
     * Whether a message need not wake its receiver. A revocation that is passed on wakes neither its originator nor the
     * ranks that the originator wakes: they know already, at a time when all ranks need the cores. An obituary of a
     * certain death wakes no rank while the launcher tells all ranks of deaths: it is passed on for the case that the
     * launcher is gone, and waking all neighbours would keep the cores from ranks that have not heard yet.
     */
    private boolean isUnhurried(ControlMessage message, ProcessId to) {
        if (message instanceof ControlMessage.Revoke revoke) {
            return isKnownTo(revoke, to);
        }
        boolean isOfDeath = message instanceof ControlMessage.Detector detector
                && detector.message() instanceof DetectorMessage.Obituary obituary
                && obituary.evidence().kind() == Evidence.Kind.CERTAIN;
        return isOfDeath && engine.hooks().isToldOfDeaths();
    }

    /**
     * Whether a rank knows of a revocation for sure: that rank is the originator or a neighbour of the originator.
     * Where a member is gone, the ranks may disagree on neighbours, and nothing is sure.
     */
    private boolean isKnownTo(ControlMessage.Revoke revoke, ProcessId to) {
        SlotRuns members = revoke.members();
        int origin = members.rank(revoke.originSlot());
        int receiver = members.rank(to.slot());
        return revoke.originSlot() != identity.id().slot()
                && origin >= 0
                && receiver >= 0
                && core.failures().goneAmong(members, core.membership()).isEmpty()
                && (origin == receiver || BinomialGraph.areNeighbours(origin, receiver, members.size()));
    }

    /**
     * Passes a silence on to the hooks, unless this rank leaves: then it has its decision, and waits for no rank (F5).
     */
    @Override
    public void silent(ProcessId process) {
        if (!core.isLeaving()) {
            engine.hooks().onSilent(process);
        }
    }

    @Override
    public void heard(ProcessId process) {
        engine.hooks().onHeard(process);
    }

    @Override
    public void drain(ProcessId process) {
        if (!traffic.knows(process) || process.slot() == identity.id().slot()) {
            // The process was not introduced, or had this rank's own slot before, so no medium has anything from it.
            engine.post(new EngineEvents.Drained(process));
        } else {
            fabric.drain(process);
        }
    }

    @Override
    public void failed(ProcessId process, Evidence evidence) {
        engine.onFailed(process, evidence);
    }

    @Override
    public void departed(ProcessId process) {
        engine.onDeparted(process);
    }

    @Override
    public void revoked(long communicator) {
        engine.onRevoked(communicator);
        engine.pass(KillPoints.REVOKED);
    }

    @Override
    public void forgotten(long communicator) {
        engine.communicators().forget(communicator);
    }

    @Override
    public void decided(long communicator, long sequence, Decision decision) {
        engine.pass(KillPoints.AGREED);
        if (engine.communicators().get(communicator) != null) {
            decisions.onDecided(communicator, sequence, decision);
        }
    }

    @Override
    public void fenced(String reason) {
        engine.fence(reason);
    }

    @Override
    public Contact contact(ProcessId process) {
        return contacts.of(process);
    }

    @Override
    public Placement placement(Admission world) {
        return Contacts.placement(Contacts.records(world));
    }

    @Override
    public CommunicatorIds ids() {
        return ids;
    }

    @Override
    public void introduce(Contact contact) {
        if (changing != null) {
            engine.pass(KillPoints.REPLACE_OFFERED);
        }
        contacts.add(contact);
        traffic.introduce(contact.process());
        if (!contact.process().equals(identity.id())) {
            fabric.admit(Contacts.record(contact));
        }
    }

    @Override
    public void changeEnded(long communicator, ChangeOutcome outcome) {
        if (outcome instanceof ChangeOutcome.Admitted admitted) {
            engine.pass(KillPoints.REPLACE_ADMITTED);
            onAdmitted(admitted.admission());
        }
        ChangeCall call = changing;
        changing = null;
        call.end(outcome);
    }

    @Override
    public void welcomed(Admission world) {
        onAdmitted(world);
        admission.admit(world);
    }

    private void onAdmitted(Admission world) {
        engine.enter(core.membership());
        contacts.enter(world);
        engine.hooks().onAdmitted(world, Contacts.records(world));
    }

    @Override
    public void goneOnWithout(String why) {
        if (admission != null && !admission.isDone()) {
            admission.refuse(why);
            engine.hooks().onGoneOnWithout(why);
        }
    }

    @Override
    public Collection<ProcessId> peersWithSession() {
        List<ProcessId> peers = new ArrayList<>();
        for (ProcessId peer : fabric.connected()) {
            peers.add(peer);
        }
        return peers;
    }
}
