package org.ulfmj.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.collective.run.CollectiveRunner;
import org.ulfmj.runtime.collective.run.KeptCalls;
import org.ulfmj.runtime.collective.run.ScheduleRuns;
import org.ulfmj.runtime.error.RankEnd;
import org.ulfmj.runtime.error.WaitGivenUp;
import org.ulfmj.runtime.flight.WaitEvent;
import org.ulfmj.runtime.host.HostRuns;
import org.ulfmj.runtime.inject.FaultPoints;
import org.ulfmj.runtime.leave.LeavingRank;
import org.ulfmj.runtime.member.RankIdentity;
import org.ulfmj.runtime.message.CommunicatorTable;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.runtime.progress.CallWatch;
import org.ulfmj.runtime.progress.Clock;
import org.ulfmj.runtime.progress.Completion;
import org.ulfmj.runtime.progress.LateRing;
import org.ulfmj.runtime.progress.Progress;
import org.ulfmj.runtime.progress.ReadClock;
import org.ulfmj.runtime.progress.SeenInMemory;
import org.ulfmj.runtime.progress.Sleepers;
import org.ulfmj.runtime.recovery.ControlPlane;
import org.ulfmj.runtime.recovery.EngineEvents;
import org.ulfmj.runtime.side.FlightRecord;
import org.ulfmj.runtime.store.TimedWaits;
import org.ulfmj.runtime.transfer.CallErrors;
import org.ulfmj.runtime.transfer.Inbound;
import org.ulfmj.runtime.transfer.MessageContext;
import org.ulfmj.runtime.transfer.Operation;
import org.ulfmj.runtime.transfer.OperationSet;
import org.ulfmj.runtime.transfer.Probe;
import org.ulfmj.runtime.transfer.ShortMessages;
import org.ulfmj.runtime.transfer.Traffic;
import org.ulfmj.runtime.transfer.Transfers;
import org.ulfmj.runtime.waits.WaitReporter;
import org.ulfmj.transport.Fabric;

/**
 * One rank's state, and the order in which {@link #poll} lets its parts work. A fair lock guards the state. Threads
 * that wait in MPI poll under the lock ({@link Progress}); while none of them does, a background thread polls, if the
 * rank has one. The lock is never held across the program's code.
 */
final class RankEngine implements ControlPlane.Rank, LeavingRank, WaitReporter.Rank {
    private final ReentrantLock lock = new ReentrantLock(true);
    private final RankIdentity identity;
    private final Fabric fabric;
    private final ReadClock clock;
    private final EngineHooks hooks;
    private final FaultPoints faultPoints;
    private final CommunicatorTable<CommunicatorState> communicators = new CommunicatorTable<>();
    private final Traffic traffic;
    private final Inbound inbound;
    private final EngineEvents events = new EngineEvents();
    private final VerdictEffects verdicts = new VerdictEffects(this);
    private final ControlPlane control;
    private final ScheduleRuns runs;
    private final KeptCalls keptCalls;
    private final CollectiveRunner byMessages;
    private final Progress progress;
    private final ShortMessages shortMessages;
    private final CallErrors errors;
    /** The {@link Probe} of an earlier call, which the next call uses again; null if there is none to use again. */
    private Probe idleProbe;

    private final FlightRecord flight;
    private final OperationSet.Pool sets;
    /** Communicators that were freed, and that may still have operations under way. */
    private final List<CommunicatorState> freeing = new ArrayList<>();

    /** Null until {@link #use}. */
    private HostRuns inMemory;

    /** The waits for the store of the job, which have an end time; null before the first such wait. */
    private TimedWaits timed;

    private long polls;
    private long lastSeatPollNs;
    /** How often a thread has entered the engine by {@link #enter()} or left it by {@link #leave}. */
    private long calls;

    private final LateRing lateRing = new LateRing();
    private final CallWatch callWatch = new CallWatch();

    private volatile boolean over;
    /**
     * Why the next call of {@link #checkRunning} is to throw {@link WaitGivenUp}, which ends a wait without its result;
     * null for none. It ends one wait only.
     */
    private volatile String givenUpBecause;

    private volatile boolean finished;
    private final RankEnd end;

    RankEngine(
            RankIdentity identity,
            CommunicatorIds ids,
            Fabric fabric,
            Clock clock,
            RankSettings settings,
            EngineHooks hooks,
            Progress.Maker waiting) {
        this.identity = identity;
        this.end = new RankEnd(identity.id());
        this.fabric = fabric;
        this.clock = new ReadClock(clock);
        this.hooks = hooks;
        this.faultPoints =
                settings.triggers().isEmpty() && !hooks.holdsCallers() ? null : new FaultPoints(settings.triggers());
        this.flight = new FlightRecord(settings.recorded(), identity.id(), settings.verbosity());
        this.traffic = new Traffic(identity.id(), identity.members(), fabric, this.clock, lock, settings);
        this.control = new ControlPlane(this, identity, ids, fabric, traffic, settings);
        this.inbound = traffic.inbound(communicators, control);
        this.runs = new ScheduleRuns(fabric, traffic.transfers());
        this.keptCalls = new KeptCalls(runs);
        this.progress = waiting.of(this, fabric, settings);
        this.errors = new CallErrors(traffic, control.failures(), clock, progress);
        this.byMessages = new CollectiveRunner(this, progress, runs, errors, control);
        this.sets = new OperationSet.Pool(this, progress, traffic, errors, settings.crowded());
        this.shortMessages = traffic.shortMessages(this, progress);
    }

    /** Sets the object that carries non-blocking collectives through shared memory, before this rank starts. */
    void use(HostRuns hostRuns) {
        inMemory = hostRuns;
    }

    HostRuns inMemory() {
        return inMemory;
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

    @Override
    public EngineHooks hooks() {
        return hooks;
    }

    /** The object that counts this rank's way to planned faults; null if none is planned for this rank. */
    FaultPoints faultPoints() {
        return faultPoints;
    }

    /**
     * Whether faults are planned for this rank. Short calls ask this: the class of {@link #faultPoints} is mostly not
     * loaded, so the compiler does not inline that method.
     */
    boolean hasFaultPoints() {
        return faultPoints != null;
    }

    /**
     * Notes that this rank passes a named point. If a fault is planned for that point, the hook carries it out here.
     */
    @Override
    public void pass(String point) {
        if (faultPoints != null) {
            meet(faultPoints.onPoint(point));
            hooks.onPassed(point);
        }
    }

    /**
     * Carries out the rules of planned faults that were reached. Where a rule kills the rank for real, the hook does
     * not return: the rank dies inside the call, and holds its lock.
     */
    void meet(int reached) {
        for (int rule = reached; rule != FaultPoints.NONE; rule = faultPoints.next()) {
            hooks.onFaultPoint(rule);
        }
    }

    /**
     * Counts a call of the program for the planned faults. The hook may hold the calling thread here, without the
     * engine lock.
     */
    void meetCall(String operation) {
        enter();
        try {
            meet(faultPoints.onCall(operation));
        } finally {
            progress.onLeave();
            lock.unlock();
        }
        hooks.onCallBegun();
    }

    FlightRecord flight() {
        return flight;
    }

    @Override
    public WaitEvent beginWait(Completion completion) {
        if (faultPoints != null) {
            meet(faultPoints.onWait());
        }
        return flight.beginWait(completion);
    }

    Traffic traffic() {
        return traffic;
    }

    @Override
    public CommunicatorTable<CommunicatorState> communicators() {
        return communicators;
    }

    @Override
    public VerdictEffects verdicts() {
        return verdicts;
    }

    ControlPlane control() {
        return control;
    }

    ShortMessages shortMessages() {
        return shortMessages;
    }

    Transfers transfers() {
        return traffic.transfers();
    }

    ScheduleRuns runs() {
        return runs;
    }

    KeptCalls keptCalls() {
        return keptCalls;
    }

    /**
     * Takes a {@link Probe} that looks for a message. The call gives the probe back by {@link #giveBack}, under the
     * same hold of the lock as its last look.
     */
    Probe probe(MessageContext communicator, int source, int tag) {
        Probe probe = idleProbe == null ? new Probe(traffic, errors) : idleProbe;
        idleProbe = null;
        return probe.set(communicator, source, tag);
    }

    /**
     * Takes back the {@link Probe} of a call that has ended without an error, for the next call: no other thread has
     * waited for it.
     */
    void giveBack(Probe probe) {
        idleProbe = probe;
    }

    /** What runs a collective operation by messages. */
    CollectiveRunner byMessages() {
        return byMessages;
    }

    @Override
    public Progress progress() {
        return progress;
    }

    CallErrors errors() {
        return errors;
    }

    Inbound inbound() {
        return inbound;
    }

    @Override
    public long nowNs() {
        return clock.nowNs();
    }

    @Override
    public void enter() {
        lock.lock();
        if (over) {
            lock.unlock();
            checkRunning();
        }
        calls++;
    }

    /** As {@link #enter()}, for a call on a communicator. Throws if the communicator was freed. */
    void enter(CommunicatorState communicator, String operation) {
        enter();
        if (communicator.isFreed()) {
            leave();
            throw errors.freed(communicator, operation);
        }
    }

    /**
     * Makes a thread that waits, or the next one that does, stop waiting with {@link WaitGivenUp}; null takes that
     * back.
     */
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

    @Override
    public void leave() {
        calls++;
        if (faultPoints != null) {
            leaveByFaultPoint();
            return;
        }
        progress.onLeave();
        lateRing.unlock(lock);
    }

    @Override
    public void ringOnLeave(Sleepers sleepers) {
        lateRing.add(sleepers);
    }

    @Override
    public void ringNow() {
        lateRing.ringNow();
    }

    /** A separate method, so that the code of {@link #leave} stays short. */
    private void leaveByFaultPoint() {
        try {
            ringNow();
            meet(faultPoints.onExit());
        } finally {
            progress.onLeave();
            lock.unlock();
        }
    }

    /** Returns a set of operations for one call; {@link OperationSet#close} gives it back. */
    OperationSet takeSet(String call) {
        return sets.take(call);
    }

    /**
     * Polls everything once: what has arrived (control lanes first), what other threads reported, timers that are due,
     * decisions and collective operations that can go on, and messages that waited for room. Returns how much was done;
     * 0 means that the caller may wait.
     *
     * @param withSeat whether the caller has the seat: then the selector is read too, and timers may run
     */
    @Override
    public int poll(boolean withSeat) {
        if (over) {
            return 0;
        }
        polls++;
        try {
            if (withSeat && hooks.beforeSeatPoll()) {
                events.apply(control);
                if (over) {
                    return 0;
                }
            }
            int work = withSeat ? fabric.pollWithSeat(inbound) : fabric.poll(inbound);
            inbound.markDrained();
            work += traffic.pollLoopback(inbound);
            work += events.apply(control);
            if (withSeat) {
                lastSeatPollNs = nowNs();
                hooks.onSeatPoll(lastSeatPollNs);
                work += control.takeEarlyWelcomes();
                work += control.runAtRest(work > 0);
                work += control.tickIfDue(lastSeatPollNs, work > 0);
            }
            work += control.decisions().tellReady();
            work += runs.advanceReady();
            if (hasInMemory()) {
                work += inMemory.look();
            }
            work += traffic.advance();
            if (!freeing.isEmpty()) {
                reap();
            }
            return work;
        } catch (RuntimeException | Error e) {
            breakDownUnlessOver(e);
            throw e;
        }
    }

    /**
     * Looks whether the program has called MPI since the last look. Looks are made only now and then, so all that a
     * call of MPI pays for them is a counter.
     */
    @Override
    public void watchCalls() {
        callWatch.look(calls, progress.isWaitedIn(), nowNs());
    }

    @Override
    public CallWatch calls() {
        return callWatch;
    }

    @Override
    public void countUnpolledCall() {
        polls++;
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
        deadlineNs = earlier(earlier(deadlineNs, hooks.nextDeadlineNs()), traffic.nextDeadlineNs());
        return timed == null ? deadlineNs : earlier(deadlineNs, timed.soonestNs());
    }

    /** The waits for the store of the job. */
    TimedWaits timed() {
        if (timed == null) {
            timed = new TimedWaits();
        }
        return timed;
    }

    private static long earlier(long oneNs, long otherNs) {
        if (oneNs == Long.MAX_VALUE || otherNs == Long.MAX_VALUE) {
            return oneNs == Long.MAX_VALUE ? otherNs : oneNs;
        }
        return oneNs - otherNs < 0 ? oneNs : otherNs;
    }

    @Override
    public boolean hasStep(boolean alsoOfProgram) {
        return runs.steps().has(alsoOfProgram) && !over;
    }

    @Override
    public boolean isFullOfOperators() {
        return runs.steps().isFull();
    }

    @Override
    public boolean isNeverEnding(Completion operation, Thread waiter) {
        return operation instanceof Operation call && runs.steps().isNeverRun(call.progress(), waiter);
    }

    @Override
    public void runStep(boolean alsoOfProgram) {
        ringNow(); // the lock is let go meanwhile
        runs.steps().runNext(alsoOfProgram, this, byMessages);
    }

    @Override
    public void onPiece() {
        progress.onPiece();
    }

    @Override
    public boolean hasStarted() {
        return runs.hasStarted() || hasInMemory();
    }

    /**
     * Whether a non-blocking collective operation is under way while no operator of the program runs in such an
     * operation, or {@link Traffic} has work left.
     */
    @Override
    public boolean worksInBackground() {
        return hasStarted() && !runs.steps().runsProgram() || traffic.hasWork();
    }

    @Override
    public int heldMessages() {
        return inbound.heldFrames() + control.heldMessages();
    }

    @Override
    public int unreceived() {
        int count = 0;
        for (CommunicatorState communicator : communicators.all()) {
            count += communicator.unreceived();
        }
        return count;
    }

    @Override
    public List<ProcessId> failed() {
        return control.failures().failedInOrder();
    }

    @Override
    public boolean isHandedOver() {
        traffic.hurry();
        return !hasWork() && traffic.isHandedOver();
    }

    @Override
    public void awaitLines() {
        flight.awaitLines();
    }

    @Override
    public boolean hasInMemory() {
        return inMemory != null && inMemory.hasOpen();
    }

    @Override
    public boolean hasLongInMemory() {
        return inMemory.hasLong();
    }

    @Override
    public void lookInMemory() {
        if (over || !hasInMemory()) {
            return;
        }
        try {
            inMemory.look();
        } catch (RuntimeException | Error e) {
            breakDownUnlessOver(e);
            throw e;
        }
    }

    @Override
    public void goOnInMemory(SeenInMemory operation, boolean isAwaited) {
        if (over) {
            return;
        }
        try {
            operation.onSeen(isAwaited);
        } catch (RuntimeException | Error e) {
            breakDownUnlessOver(e);
            throw e;
        }
    }

    private void breakDownUnlessOver(Throwable cause) {
        if (!over) {
            breakDown(cause);
        }
    }

    @Override
    public void beginMemoryWait() {
        inMemory.beginWait();
    }

    @Override
    public void endMemoryWait() {
        inMemory.endWait();
    }

    @Override
    public boolean hasWork() {
        return !events.isEmpty()
                || traffic.hasWork()
                || runs.hasReady()
                || runs.steps().has(false)
                || control.decisions().hasReady()
                || control.hasAtRest();
    }

    /** Queues an event, which the next poll applies. Any thread. */
    @Override
    public void post(EngineEvents.Event event) {
        events.post(event);
        fabric.wake();
    }

    // Communicators.

    /**
     * Adds a communicator, which this rank can use from now on; messages that came for it before it was made are
     * dispatched.
     */
    void add(CommunicatorState communicator) {
        for (ProcessId failed : control.failures().failedInOrder()) {
            int rank = communicator.rankOf(failed);
            if (rank >= 0) {
                communicator.failures().add(rank);
                communicator.breakCollectives();
            }
        }
        if (communicator.membership().epoch() < control.membership().epoch()) {
            // Of a process that was replaced long ago this rank knows only that it has ended, so that process is marked
            // failed here.
            for (int rank = 0; rank < communicator.members().size(); rank++) {
                ProcessId process = communicator.process(rank);
                if (control.failures().isOfThePast(process)
                        && !communicator.failures().contains(rank)) {
                    traffic.onFailedLongAgo(process);
                    communicator.failures().add(rank);
                    communicator.breakCollectives();
                }
            }
        }
        communicators.add(communicator.id(), communicator);
        control.register(communicator);
        inbound.release(communicator);
        traffic.loseOffers(communicator);
    }

    /** Notes that a communicator was freed; the engine drops it when its operations are done. */
    void free(CommunicatorState communicator) {
        communicator.free();
        freeing.add(communicator);
        if (communicator.outcomes() != null) {
            free(communicators.get(communicator.outcomes().agreeing().id()));
        }
        reap();
    }

    private void reap() {
        for (int i = freeing.size() - 1; i >= 0; i--) {
            CommunicatorState communicator = freeing.get(i);
            if (communicator.isIdle() && runs.isIdle(communicator)) {
                freeing.remove(i);
                traffic.onFreed(communicator);
                communicators.remove(communicator.id(), communicator);
                communicator.hostShare.close();
                control.freed(communicator);
            }
        }
    }

    // The end of this rank.

    @Override
    public boolean isOver() {
        return over;
    }

    /** Throws the error that every call meets once this rank is over, or the one that ends a wait that was given up. */
    @Override
    public void checkRunning() {
        if (givenUpBecause != null) {
            String why = givenUpBecause;
            givenUpBecause = null;
            throw new WaitGivenUp(why);
        }
        if (over) {
            end.raise();
        }
    }

    @Override
    public boolean isFinished() {
        return finished;
    }

    /** Finalize is done. */
    void finish() {
        finished = true;
        endAll();
    }

    /** Ends this rank, a newcomer that was to be a member of the world: the world goes on without it. */
    void stayOut(String why) {
        end.out(why);
        endAll();
    }

    @Override
    public void stayAway(String why) {
        end.left(why);
        endAll();
    }

    /** Marks this rank, where ranks are threads, as dead from now on. Any thread. */
    void die(Error newDeath) {
        end.died(newDeath);
        over = true;
        fabric.wake();
    }

    @Override
    public void fence(String reason) {
        end.fenced(reason);
        // The hook comes first. Where it ends the process, no thread of the program may see, before that, that the rank
        // is over, and then exit by itself. A thread that enters a call meanwhile waits for the lock.
        hooks.onFenced(reason);
        endAll();
    }

    @Override
    public void abort(int code, String reason) {
        hooks.onAbort(code, reason);
    }

    @Override
    public void breakDown(Throwable cause) {
        end.broken(cause);
        hooks.onBroken(cause);
        endAll();
    }

    private void endAll() {
        over = true;
        traffic.close();
        progress.signalAll();
    }
}
