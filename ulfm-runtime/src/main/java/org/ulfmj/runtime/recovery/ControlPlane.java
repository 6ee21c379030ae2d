package org.ulfmj.runtime.recovery;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.TreeSet;
import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.agree.SurvivorCore;
import org.ulfmj.agree.change.GrowTerms;
import org.ulfmj.agree.change.ReplaceTerms;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.Contribution;
import org.ulfmj.agree.message.ControlCodec;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Joiner;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.agree.tree.TreeShape;
import org.ulfmj.detector.DetectorMessage;
import org.ulfmj.detector.Evidence;
import org.ulfmj.detector.FailureSet;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotRuns;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.protocol.Timing;
import org.ulfmj.protocol.WireReader;
import org.ulfmj.runtime.collective.run.CollectiveRunner;
import org.ulfmj.runtime.member.Contacts;
import org.ulfmj.runtime.member.RankIdentity;
import org.ulfmj.runtime.message.CommunicatorTable;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.runtime.progress.Engine;
import org.ulfmj.runtime.transfer.Inbound;
import org.ulfmj.runtime.transfer.MessageContext;
import org.ulfmj.runtime.transfer.Traffic;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.MemberRecord;

/**
 * Drives the rank's {@link SurvivorCore} with the time of the rank's clock and with the messages and events that
 * arrive. Actions that the core asks for are carried out by {@link CoreEffects}, and its messages are sent by
 * {@link ControlSender}. Under the engine lock.
 */
public final class ControlPlane implements Inbound.Protocols, CollectiveRunner.Revoker {
    /** The rank for which the protocols run, and which carries out what they decide. */
    public interface Rank extends Engine {
        /** The communicators of the rank. */
        CommunicatorTable<? extends MessageContext> communicators();

        ProtocolHooks hooks();

        /** Leaves an event for the next poll. */
        void post(EngineEvents.Event event);

        /** Notes that the rank passes a named point of its code, at which the fault plan may let it die. */
        void pass(String point);

        /**
         * Returns the listener that ends operations and communicators which depend on what the protocols find out. It
         * exists before the protocols do.
         */
        VerdictListener verdicts();

        /** Ends this process, because others have marked it failed or because it must not go on for another reason. */
        void fence(String reason);

        /** Ends the job with this code. */
        void abort(int code, String reason);
    }

    /**
     * After so many polls since a deadline passed, the deadline counts even if more input is left to read: otherwise a
     * flood of data would keep this rank from its timers, and it would seem silent.
     */
    private static final int FULL_POLLS = 64;

    private record EarlyWelcome(ProcessId from, ControlMessage message) {}

    private final Rank engine;
    private final RankIdentity identity;
    private final boolean faultTolerance;
    private final ReplaceTerms replaceTerms;
    private final CommunicatorIds ids;
    private final AdmissionWait admission;
    private final CoreEffects effects;
    private final SurvivorCore core;
    private final ControlSender out;
    private final Decisions decisions;
    private final WireReader reader = new WireReader();

    private long deadlineNs = Long.MAX_VALUE;
    private int pollsSinceDeadline;
    /** Actions that wait until all input that could be read was read, for {@code FULL_POLLS} polls at most. */
    private final ArrayDeque<Runnable> atRest = new ArrayDeque<>(0);

    private int pollsSinceRest;
    private boolean leaving;
    /** Welcomes that came while this newcomer may not yet accept one. */
    private final ArrayDeque<EarlyWelcome> early = new ArrayDeque<>(0);

    public ControlPlane(
            Rank engine,
            RankIdentity identity,
            CommunicatorIds ids,
            Fabric fabric,
            Traffic traffic,
            RankSettings settings) {
        this.engine = engine;
        this.identity = identity;
        this.faultTolerance = settings.faultTolerance();
        this.replaceTerms = settings.replaceTerms();
        this.ids = ids;
        this.effects = new CoreEffects(this, engine, identity, ids, fabric, traffic);
        this.decisions = effects.decisions();
        this.admission = effects.admission();
        ProcessId me = identity.id();
        Timing timing = settings.timing();
        boolean needsMajority = settings.needsMajority();
        this.core = identity.isNewcomer()
                ? SurvivorCore.newcomer(me, identity.nonce(), timing, needsMajority, effects, engine.nowNs())
                : new SurvivorCore(me, identity.members(), timing, needsMajority, effects, engine.nowNs());
        this.out = new ControlSender(me, core, traffic, engine.hooks());
    }

    /**
     * Starts failure detection, and notes in an elastic world that no replacements will come. Without fault tolerance
     * it does nothing.
     */
    public void start() {
        if (faultTolerance) {
            core.start(engine.nowNs(), out);
            if (engine.hooks().mostMembers() > 1) {
                core.noMore("processes come into this world by grow()", engine.nowNs(), out);
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

    /** Returns the store of the agreements' decisions that calls of this rank wait for. */
    public Decisions decisions() {
        return decisions;
    }

    public FailureSet failures() {
        return core.failures();
    }

    /** Returns the slots of the communicator's members that this rank has marked failed. */
    public SlotSet knownFailed(MessageContext communicator) {
        return core.failures().failedAmong(communicator.members(), communicator.membership());
    }

    /**
     * Returns the given slots, and in addition the slots of failed processes that are not in the present world any
     * more.
     */
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
        return core.agreements().describe(communicator.id(), sequence);
    }

    /** Returns the slots of the members from which this rank still waits for a contribution to an agreement. */
    SlotSet awaited(MessageContext communicator, long sequence) {
        return core.agreements().awaited(communicator.id(), sequence);
    }

    /** Whether the members of a communicator are exactly those of the present world, in the same order. */
    public boolean isOfWholeWorld(MessageContext communicator) {
        return core.isOfWholeWorld(communicator.id());
    }

    /** Whether the agreement of Finalize has been decided at this rank, and the rank now leaves. */
    boolean isLeaving() {
        return core.isLeaving();
    }

    /** Returns the members of the present world. */
    public Membership membership() {
        return core.membership();
    }

    /**
     * Returns the slots of failed members for which a running replace waits until they have new processes; empty while
     * the call waits for other members, or if none is running.
     */
    SlotSet awaitedSlots() {
        return core.awaitedSlots();
    }

    /** Returns the number of the agreement that a running replace or grow has entered last; 0 if none is running. */
    long changeAgreement() {
        return core.changeAgreement();
    }

    /** Returns this newcomer's wait to be admitted; null at a process that was a member from its start. */
    public AdmissionWait admission() {
        return admission;
    }

    /** Returns how many messages of the protocols are held because their communicator is not made at this rank yet. */
    public int heldMessages() {
        return core.heldMessages();
    }

    public long nextDeadlineNs() {
        return deadlineNs;
    }

    /**
     * Runs the protocols' timers if a deadline has passed. A passed deadline counts only when all input that could be
     * read was read, or after {@code FULL_POLLS} polls: a peer must not seem silent because this rank has not read its
     * messages. Returns 1 if timers ran, else 0.
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
        core.onTick(nowNs, out);
        stepped();
        return 1;
    }

    /**
     * Runs the actions that wait until all input that could be read was read. If input keeps arriving, they run after
     * {@code FULL_POLLS} polls all the same. Returns how many actions ran.
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
        core.onMessage(from, message, engine.nowNs(), out);
        stepped();
        if (message instanceof ControlMessage.Revoke revoke && core.isRevoked(revoke.communicator())) {
            engine.verdicts().dropHeld(revoke.communicator());
        }
    }

    private boolean mayTakeWelcome() {
        return admission == null || admission.isDone() || engine.hooks().mayBeAdmitted();
    }

    /**
     * Passes the early welcomes to the survivor core if this newcomer may accept one now. Returns how many were passed
     * on.
     */
    public int takeEarlyWelcomes() {
        int count = 0;
        while (!early.isEmpty() && mayTakeWelcome()) {
            EarlyWelcome next = early.pollFirst();
            core.onMessage(next.from(), next.message(), engine.nowNs(), out);
            stepped();
            count++;
        }
        return count;
    }

    void onEvidence(ProcessId process, Evidence evidence) {
        if (core.isLeaving()) {
            // F5: a rank that leaves has the decision of Finalize and takes no failure into account. But it stops
            // waiting until its messages have arrived at a process that is certainly dead.
            if (evidence.kind() == Evidence.Kind.CERTAIN) {
                engine.verdicts().onEnded(process);
            }
        } else if (faultTolerance) {
            core.onEvidence(process, evidence, engine.nowNs(), out);
            stepped();
        } else if (!leaving) {
            engine.abort(
                    1,
                    "process " + process + " failed (" + evidence.reason()
                            + ") and fault tolerance is off; run with --with-ft ulfm to survive it");
        }
    }

    /**
     * J2: with fault tolerance, sends a heartbeat to each of these processes, which have reported that they hear
     * nothing from this rank. Then runs {@code then} in any case.
     */
    void beat(List<ProcessId> complainers, Runnable then) {
        if (faultTolerance) {
            core.beat(complainers, engine.nowNs(), out);
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
        core.onDrained(processes, engine.nowNs(), out);
        stepped();
        if (core.isLeaving()) {
            for (ProcessId process : processes) {
                engine.verdicts().onEnded(process);
            }
        }
    }

    void onDeparted(ProcessId process) {
        if (faultTolerance) {
            core.onDeparted(process, engine.nowNs(), out);
            stepped();
        }
    }

    /**
     * Called when the launcher of an elastic world says that the process with this nonce has ended.
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
            core.onEnd(nonce, evidence, engine.nowNs(), out);
            stepped();
        }
    }

    void onWaiting(Joiner joiner) {
        if (faultTolerance) {
            core.waiting(joiner);
        }
    }

    /** Returns how many waiting processes this rank knows that a grow would let into the world. */
    public int waiting() {
        return core.waiting(engine.hooks().mostMembers());
    }

    /** G10: the process with this nonce has answered that it is not the process {@code name}. */
    void onNotMe(ProcessId name, long nonce) {
        if (faultTolerance) {
            core.onNotMe(name, nonce, engine.nowNs(), out);
            stepped();
        }
    }

    /**
     * Whether this rank accepts connections from processes it was not told of. G10: a joining process was told only of
     * the members that the world had when it came. Members that have been let in since, or are let in together with it,
     * may be the ones that welcome it.
     */
    @Override
    public boolean takesStrangers() {
        return admission != null && !admission.isDone() && identity.id().incarnation() == 0;
    }

    /**
     * Called when the process at the peer's address has answered that it is not this peer. It matters only in an
     * elastic world: in a static world no process has two names.
     */
    @Override
    public void onNotMe(ProcessId peer) {
        if (engine.hooks().mostMembers() > 1) {
            onNotMe(peer, effects.contact(peer).nonce());
        }
    }

    /**
     * Called when a peer refuses to hear this rank, since the peer has marked it failed. The refusal is treated as an
     * obituary of this rank that came from the peer.
     */
    @Override
    public void onExcluded(ProcessId by) {
        Evidence evidence = new Evidence(Evidence.Kind.SUSPECTED, by, "its link refuses this process");
        core.onMessage(
                by,
                new ControlMessage.Detector(new DetectorMessage.Obituary(identity.id(), evidence)),
                engine.nowNs(),
                out);
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
        core.onEvidence(identity.id(), evidence, engine.nowNs(), out);
        stepped();
    }

    void onPending(Contact newcomer) {
        if (faultTolerance) {
            core.pending(newcomer, engine.nowNs(), out);
            stepped();
        }
    }

    /**
     * Called at a newcomer when the launcher says that all members of the world that it waited for have ended, and
     * which processes are the world now. This rank treats the news as a welcome, as if a member had sent it. It passes
     * this welcome to no other rank, since the launcher tells all of them. Earlier welcomes, from members of the ended
     * world, are dropped.
     */
    void onGathered(List<MemberRecord> members) {
        early.clear();
        ControlMessage welcome =
                new ControlMessage.Welcome(Contacts.gathered(members, ids), SlotSet.EMPTY, new TreeSet<>());
        core.onMessage(identity.id(), welcome, engine.nowNs(), out);
        stepped();
    }

    void onGoneOnWithout(String why) {
        effects.goneOnWithout(why);
    }

    void onNoMore(int slot, String why) {
        if (faultTolerance) {
            core.noMore(slot, why, engine.nowNs(), out);
            stepped();
        }
    }

    void onNoMoreReplacements(String why) {
        if (faultTolerance) {
            core.noMore(why, engine.nowNs(), out);
            stepped();
        }
    }

    // The methods below are called by the rest of this rank's runtime, mostly in or after a call of the program. All
    // but leave() begin a step of the protocols.

    public void register(MessageContext communicator) {
        Membership epoch = communicator.membership();
        core.register(communicator.id(), communicator.members(), TreeShape.WIDE, epoch, engine.nowNs(), out);
        stepped();
    }

    /**
     * Revokes a communicator whose creation failed at this rank, and drops the frames that are held for it.
     *
     * @param epoch the membership epoch of the communicator from which it was to be made
     */
    public void aborted(long id, SlotRuns members, long epoch) {
        core.aborted(id, members, epoch, engine.nowNs(), out);
        stepped();
        engine.verdicts().dropHeld(id);
    }

    public void freed(MessageContext communicator) {
        decisions.forget(communicator.id());
        core.freed(communicator.id(), engine.nowNs(), out);
        stepped();
    }

    @Override
    public void revoke(MessageContext communicator) {
        core.revoke(communicator.id(), engine.nowNs(), out);
        stepped();
    }

    /** Revokes a communicator, unless this rank has freed it meanwhile. */
    public void revokeIfKept(MessageContext communicator) {
        if (engine.communicators().get(communicator.id()) == communicator) {
            revoke(communicator);
        }
    }

    /**
     * Enters an agreement with this rank's contribution. Returns the number of the agreement.
     *
     * @throws org.ulfmj.runtime.error.CallError if another thread of this rank is in Finalize, whose agreement is the
     *     last
     */
    public long enter(MessageContext communicator, Contribution contribution) {
        if (core.isFinalizing()) {
            throw RecoveryErrors.finalizing(communicator, contribution.kind());
        }
        try {
            return core.enter(communicator.id(), contribution, engine.nowNs(), out);
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
     * @throws org.ulfmj.runtime.error.CallError if another thread of this rank is in Finalize, or in replace or grow
     */
    public void change(ChangeCall call) {
        if (core.isFinalizing()) {
            throw RecoveryErrors.finalizing(call.communicator, call.kind);
        }
        if (effects.changing() != null) {
            throw RecoveryErrors.changing(call.communicator, call.kind, effects.changing().kind);
        }
        effects.begin(call);
        try {
            if (call.kind == Kind.GROW) {
                GrowTerms terms =
                        call.terms == null ? new GrowTerms(engine.hooks().mostMembers()) : call.terms;
                core.grow(call.communicator.id(), terms, engine.nowNs(), out);
            } else {
                core.replace(call.communicator.id(), replaceTerms, engine.nowNs(), out);
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
     * Notes, in a job without fault tolerance, that this rank is about to leave. From now on the end of another rank is
     * no reason to abort the job.
     */
    public void leave() {
        leaving = true;
    }
}
