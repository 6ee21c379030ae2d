package org.ulfmj.runtime;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.error.WaitGivenUp;
import org.ulfmj.runtime.flight.WaitEvent;
import org.ulfmj.runtime.inject.FaultPoints;
import org.ulfmj.runtime.lent.Lending;
import org.ulfmj.runtime.message.HeldFrames;
import org.ulfmj.runtime.message.Loopback;
import org.ulfmj.runtime.message.MessageKey;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.runtime.progress.Clock;
import org.ulfmj.runtime.progress.Completion;
import org.ulfmj.runtime.progress.Engine;
import org.ulfmj.runtime.progress.Progress;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.HostMemory;

/**
 * One rank's state and the order in which its parts have their turn. A fair lock guards all of it; any thread that
 * waits in MPI holds it and polls ({@link Progress}), and while no rank does, a thread in the background. The lock is
 * never held across the program's code or a copy of more than 64 KiB, but for a megabyte where a send that goes from
 * where it lies ends early.
 */
final class RankEngine implements Engine {
    private final ReentrantLock lock = new ReentrantLock(true);
    private final RankIdentity identity;
    private final Fabric fabric;
    private final Clock clock;
    private final RankHooks hooks;
    private final FaultPoints faultPoints;
    private final Peers peers;
    private final Loopback loopback;
    private final CommunicatorTable communicators = new CommunicatorTable();
    private final Lending lending;
    private final Outbound outbound;
    private final Matching matching;
    private final Inbound inbound;
    private final EngineEvents events = new EngineEvents();
    private final ControlPlane control;
    private final Transfers transfers;
    private final ScheduleRuns runs;
    private final Decisions decisions = new Decisions();
    private final Progress progress;
    private final CallErrors errors = new CallErrors(this);
    private final FlightRecord flight;
    private final ArrayDeque<OperationSet> idleSets = new ArrayDeque<>();
    /** Freed by the program, with operations under way. */
    private final List<CommunicatorState> freeing = new ArrayList<>();

    private long polls;
    private long lastSeatPollNs;
    private long calls;
    private long callsSeen;
    private long quietSinceNs;

    private volatile boolean over;
    /** Why any thread that waits is to stop waiting, once; null otherwise. */
    private volatile String givenUpBecause;

    private volatile boolean finished;
    /** Why it is over if it has not finalized. */
    private volatile Error death;

    /** Why it is over if it was never a member of the world. */
    private volatile String outBecause;

    private volatile String fencedBecause;
    private volatile Throwable brokenBy;

    RankEngine(
            RankIdentity identity,
            CommunicatorIds ids,
            Fabric fabric,
            Clock clock,
            RankSettings settings,
            RankHooks hooks,
            Progress.Maker waiting) {
        this.identity = identity;
        this.fabric = fabric;
        this.clock = clock;
        this.hooks = hooks;
        this.faultPoints = settings.triggers().isEmpty() ? null : new FaultPoints(settings.triggers());
        this.flight = new FlightRecord(settings.recorded());
        this.peers = new Peers(identity.id(), identity.members(), settings.eagerCreditBytes());
        this.loopback = new Loopback(identity.id());
        this.lending = new Lending(identity.id(), fabric.hostMemory());
        HostMemory memory = fabric.hostMemory();
        Contributions contributions = new Contributions(memory, lock);
        this.outbound = new Outbound(fabric, loopback, lending, contributions, clock, settings.eagerLimitBytes());
        Notices notices = outbound.notices();
        Division division = new Division(memory, lending, notices, clock, settings);
        this.matching = new Matching(notices, new Pulls(memory, division, notices, lock), division);
        this.inbound = new Inbound(this, peers, communicators, matching, outbound);
        this.control = new ControlPlane(this, identity, ids, fabric, notices, settings);
        this.transfers = new Transfers(peers, outbound, matching);
        this.runs = new ScheduleRuns(fabric, transfers);
        this.progress = waiting.of(this, fabric, settings);
    }

    @Override
    public ReentrantLock lock() {
        return lock;
    }

    @Override
    public ProcessId id() {
        return identity.id();
    }

    Fabric fabric() {
        return fabric;
    }

    RankHooks hooks() {
        return hooks;
    }

    /** The points at which this rank is to be killed; null unless there are any. */
    FaultPoints faultPoints() {
        return faultPoints;
    }

    /** This rank passes a named point: where ranks are killed for real, and this is to be one of them, it ends here. */
    void pass(String point) {
        if (faultPoints != null) {
            int rule = faultPoints.onPoint(point);
            if (rule >= 0) {
                hooks.onFaultPoint(rule);
            }
        }
    }

    FlightRecord flight() {
        return flight;
    }

    @Override
    public WaitEvent beginWait(Completion completion) {
        return flight.beginWait(completion);
    }

    Peers peers() {
        return peers;
    }

    CommunicatorTable communicators() {
        return communicators;
    }

    Matching matching() {
        return matching;
    }

    Lending lending() {
        return lending;
    }

    Outbound outbound() {
        return outbound;
    }

    ControlPlane control() {
        return control;
    }

    Transfers transfers() {
        return transfers;
    }

    ScheduleRuns runs() {
        return runs;
    }

    Decisions decisions() {
        return decisions;
    }

    Progress progress() {
        return progress;
    }

    CallErrors errors() {
        return errors;
    }

    Inbound inbound() {
        return inbound;
    }

    HeldFrames<Peer> held() {
        return inbound.held();
    }

    @Override
    public long nowNs() {
        return clock.nowNs();
    }

    /** Begins a call of the program; throws if this rank is over. Ended by {@link #leave}. */
    void enter() {
        lock.lock();
        if (over) {
            lock.unlock();
            checkRunning();
        }
        calls++;
    }

    /** The same for a call on a communicator, which must not have been freed. */
    void enter(CommunicatorState communicator, String operation) {
        enter();
        if (communicator.freed) {
            leave();
            throw errors.freed(communicator, operation);
        }
    }

    /** Any rank that waits stops; null takes that back. */
    void giveUp(String why) {
        givenUpBecause = why;
        if (why != null) {
            progress.signalAll();
            fabric.wake();
        }
    }

    @Override
    public boolean isWaitOver() {
        return over || givenUpBecause != null;
    }

    void leave() {
        progress.onLeave();
        lock.unlock();
    }

    /** A set for one call; it is given back by its {@link OperationSet#close}. */
    OperationSet takeSet(String call) {
        OperationSet set = idleSets.isEmpty() ? new OperationSet(this) : idleSets.pollLast();
        set.begin(call);
        return set;
    }

    void giveBack(OperationSet set) {
        idleSets.addLast(set);
    }

    /**
     * One turn of everything: what arrived (control lanes first), what other threads reported, timers if no input is
     * left, decisions and collective operations that can go on, what waited for room. Returns how much was done; 0
     * means that waiting is in order.
     *
     * @param withSeat the caller has the seat: the selector is read too, and timers run
     */
    @Override
    public int poll(boolean withSeat) {
        if (over) {
            return 0;
        }
        polls++;
        try {
            int work = withSeat ? fabric.pollWithSeat(inbound) : fabric.poll(inbound);
            inbound.markDrained();
            if (!loopback.isEmpty()) {
                work += loopback.poll(inbound);
            }
            work += events.apply(control);
            if (withSeat) {
                lastSeatPollNs = nowNs();
                hooks.onSeatPoll(lastSeatPollNs);
                work += control.takeEarlyWelcomes();
                work += control.runAtRest(work > 0);
                work += control.tickIfDue(lastSeatPollNs, work > 0);
            }
            work += decisions.tellReady();
            work += runs.advanceReady();
            work += outbound.flush();
            work += matching.pull();
            if (!freeing.isEmpty()) {
                reap();
            }
            return work;
        } catch (RuntimeException | Error e) {
            if (!over) {
                breakDown(e);
            }
            throw e;
        }
    }

    /**
     * The progress thread looks whether the program has called MPI since its last look: so "computes since" is known to
     * some 50 ms and costs a call nothing.
     */
    @Override
    public void watchCalls() {
        if (calls != callsSeen || quietSinceNs == 0) {
            callsSeen = calls;
            quietSinceNs = nowNs();
        }
    }

    /** The least time since the program last called MPI. */
    long quietNs() {
        watchCalls();
        return nowNs() - quietSinceNs;
    }

    @Override
    public long polls() {
        return polls;
    }

    @Override
    public long lastSeatPollNs() {
        return lastSeatPollNs;
    }

    @Override
    public long nextDeadlineNs() {
        long deadlineNs = earlier(control.nextDeadlineNs(), fabric.nextDeadlineNs());
        return earlier(earlier(deadlineNs, hooks.nextDeadlineNs()), outbound.nextDeadlineNs());
    }

    private static long earlier(long oneNs, long otherNs) {
        if (oneNs == Long.MAX_VALUE || otherNs == Long.MAX_VALUE) {
            return oneNs == Long.MAX_VALUE ? otherNs : oneNs;
        }
        return oneNs - otherNs < 0 ? oneNs : otherNs;
    }

    @Override
    public boolean hasWork() {
        return !events.isEmpty()
                || !loopback.isEmpty()
                || outbound.hasBacklog()
                || matching.isPulling()
                || runs.hasReady()
                || decisions.hasReady()
                || control.hasAtRest();
    }

    /** Leaves an event for the next poll. Any thread. */
    void post(EngineEvents.Event event) {
        events.post(event);
        fabric.wake();
    }

    // Communicators.

    /** A communicator exists from now on; what came early for it is dispatched. */
    void add(CommunicatorState communicator) {
        for (ProcessId failed : control.failures().failedInOrder()) {
            int rank = communicator.rankOf(failed);
            if (rank >= 0) {
                communicator.failures.add(rank);
                communicator.collectivesBroken = true;
            }
        }
        if (communicator.membership.epoch() < control.membership().epoch()) {
            // Of those that were replaced long ago nothing is known but that they are over.
            for (int rank = 0; rank < communicator.members.size(); rank++) {
                ProcessId process = communicator.process(rank);
                if (control.failures().isOfThePast(process) && !communicator.failures.contains(rank)) {
                    peers.introduce(process);
                    peers.of(process).failed = true;
                    communicator.failures.add(rank);
                    communicator.collectivesBroken = true;
                }
            }
        }
        communicators.add(communicator);
        control.register(communicator);
        inbound.release(communicator);
        for (int rank : communicator.failures.inOrder()) {
            matching.loseOffers(communicator, peers.of(communicator, rank));
        }
    }

    /** The program has freed it: it goes when its operations are done. */
    void free(CommunicatorState communicator) {
        communicator.freed = true;
        freeing.add(communicator);
        reap();
    }

    private void reap() {
        for (int i = freeing.size() - 1; i >= 0; i--) {
            CommunicatorState communicator = freeing.get(i);
            if (communicator.active.isEmpty() && communicator.runs.isEmpty() && !communicator.hasOpenCalls()) {
                freeing.remove(i);
                matching.purge(communicator, MessageKey.POINT_TO_POINT, null);
                matching.purge(communicator, MessageKey.COLLECTIVE, null);
                outbound.dropHeld(communicator);
                communicators.remove(communicator);
                control.freed(communicator);
            }
        }
    }

    // Failures, as the core reports them.

    /** The process is marked failed: what depends on it ends, and nothing of it is looked at any more. */
    void onFailed(ProcessId process, Evidence evidence) {
        Peer peer = peers.of(process);
        if (peer != null) {
            peer.failed = true;
            outbound.dropAll(peer);
            inbound.held().dropFrom(peer);
            for (CommunicatorState communicator : communicators.all()) {
                int rank = communicator.rankOf(process);
                if (rank >= 0) {
                    communicator.failures.add(rank);
                    onMemberGone(communicator, peer);
                }
            }
        }
        if (process.slot() != id().slot()) {
            // Also if it was never introduced: it must not be let in later.
            fabric.abandon(process);
        }
        flight.failed(process, evidence);
        hooks.onFailed(process, evidence);
    }

    /** Another world is in force: what is kept of processes goes whose slot has another one since. */
    void enter(Membership world) {
        List<Peer> unused = new ArrayList<>();
        for (Peer former : peers.formerOf(world)) {
            if (!former.failed) {
                // It had waited to be let in, and this rank was not told of its end.
                onFailed(former.id, control.failures().evidence(former.id));
            }
            if (!isMember(former.id)) {
                unused.add(former);
            }
        }
        peers.forget(unused);
    }

    private boolean isMember(ProcessId process) {
        for (CommunicatorState communicator : communicators.all()) {
            if (communicator.rankOf(process) >= 0) {
                return true;
            }
        }
        return false;
    }

    /** The process has said goodbye. */
    void onDeparted(ProcessId process) {
        Peer peer = peers.of(process);
        if (peer == null) {
            return;
        }
        peer.departed = true;
        outbound.endStreamed(peer);
        for (CommunicatorState communicator : communicators.all()) {
            if (communicator.rankOf(process) >= 0) {
                onMemberGone(communicator, peer);
            }
        }
        fabric.depart(process);
        hooks.onDeparted(process);
    }

    /** The process is dead, and this rank leaves: no rank waits for the arrival of what was sent to it. */
    void onEnded(ProcessId process) {
        Peer peer = peers.of(process);
        if (peer == null || peer.isGone()) {
            return;
        }
        peer.ended = true;
        outbound.dropAll(peer);
        fabric.abandon(process);
    }

    private void onMemberGone(CommunicatorState communicator, Peer gone) {
        communicator.collectivesBroken = true;
        dropHostMemory(communicator);
        runs.failAll(communicator, ErrorClass.PROC_FAILED);
        endByRules(communicator);
        matching.purge(communicator, MessageKey.COLLECTIVE, null);
        matching.loseOffers(communicator, gone);
    }

    private static void dropHostMemory(CommunicatorState communicator) {
        HostCollective host = communicator.hostShare.host();
        if (host != null) {
            host.onVerdict();
        }
    }

    void onRevoked(long id) {
        CommunicatorState communicator = communicators.get(id);
        if (communicator == null || communicator.revoked) {
            return;
        }
        communicator.revoked = true;
        dropHostMemory(communicator);
        flight.revoked(communicator);
        runs.failAll(communicator, ErrorClass.REVOKED);
        endByRules(communicator);
        outbound.dropHeld(communicator);
        matching.purge(communicator, MessageKey.POINT_TO_POINT, ErrorClass.REVOKED);
        matching.purge(communicator, MessageKey.COLLECTIVE, ErrorClass.REVOKED);
        for (CommunicatorState made : communicator.offspring()) {
            onRevoked(made.id);
            // Members that have not made it yet never will: they must hear of it, to let go of what they hold for it.
            // Not now, since the core is in the middle of a step.
            post(new EngineEvents.Orphaned(made));
        }
    }

    /** A communicator is revoked, perhaps before it exists here, perhaps for good: nothing is held for it any more. */
    void dropHeld(long communicator) {
        inbound.dropHeld(communicator);
    }

    private void endByRules(CommunicatorState communicator) {
        Operation next;
        for (Operation operation = communicator.active.first(); operation != null; operation = next) {
            next = operation.nextActive;
            ErrorClass verdict = ErrorRules.of(operation);
            if (verdict == ErrorClass.REVOKED || verdict == ErrorClass.PROC_FAILED) {
                end(operation, verdict);
            } else if (verdict == ErrorClass.PROC_FAILED_PENDING && operation.watcher != null) {
                operation.watcher.onHeldUp();
            }
        }
    }

    /**
     * Ends an operation before its time; one to whose buffer another process may still write ends when that is over.
     */
    void end(Operation operation, ErrorClass error) {
        operation.detach();
        if (operation.source == Communicator.ANY_SOURCE && error == ErrorClass.PROC_FAILED) {
            operation.source = operation.namedPeer();
        }
        if (!matching.endsLater(operation, error)) {
            operation.finish(error);
        }
    }

    // The end of this rank.

    @Override
    public boolean isOver() {
        return over;
    }

    /** Throws what every call meets once this rank is over. */
    @Override
    public void checkRunning() {
        if (givenUpBecause != null) {
            String why = givenUpBecause;
            givenUpBecause = null;
            throw new WaitGivenUp(why);
        }
        if (!over) {
            return;
        }
        if (death != null) {
            throw death;
        }
        if (fencedBecause != null) {
            throw new CallError(
                    ErrorClass.PROC_ABORTED,
                    "process " + id() + " is fenced: " + fencedBecause + ". It takes part in nothing any more");
        }
        if (outBecause != null) {
            throw new CallError(
                    ErrorClass.PROC_ABORTED, "process " + id() + " is no member of the world: " + outBecause);
        }
        if (brokenBy != null) {
            throw new IllegalStateException("process " + id() + " is broken", brokenBy);
        }
        throw new CallError(ErrorClass.OTHER, "MPI is finalized at process " + id());
    }

    boolean isFinished() {
        return finished;
    }

    /** Finalize is done. */
    void finish() {
        finished = true;
        endAll();
    }

    /** The world goes on without this process, which was to be a member. */
    void stayOut(String why) {
        outBecause = why;
        endAll();
    }

    /** Dead from now on. Any thread. */
    void die(Error newDeath) {
        death = newDeath;
        over = true;
        fabric.wake();
    }

    void fence(String reason) {
        fencedBecause = reason;
        // The hook first: where it ends the process, no thread of the program may see the end before, and go on to an
        // exit
        // of its own. Any thread that enters meanwhile waits for the lock.
        hooks.onFenced(reason);
        endAll();
    }

    void abort(int code, String reason) {
        hooks.onAbort(code, reason);
    }

    @Override
    public void breakDown(Throwable cause) {
        brokenBy = cause;
        hooks.onBroken(cause);
        endAll();
    }

    private void endAll() {
        over = true;
        outbound.close();
        progress.signalAll();
    }
}
