package org.ulfmj.testkit.sim;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.runtime.RankBinding;
import org.ulfmj.runtime.RankHooks;
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.runtime.process.ComplaintSender;
import org.ulfmj.runtime.progress.Baton;
import org.ulfmj.runtime.progress.Completion;
import org.ulfmj.runtime.progress.RankTurn;
import org.ulfmj.runtime.store.StoreLine;
import org.ulfmj.testkit.RankEnd;
import org.ulfmj.testkit.RankKilledError;
import org.ulfmj.testkit.RankMain;
import org.ulfmj.testkit.RankOutcome;
import org.ulfmj.testkit.RunningRank;
import org.ulfmj.testkit.sim.fault.SimFault;
import org.ulfmj.transport.MemberRecord;

/**
 * One process of a {@link SimJob}: a rank of the first world, or a process that replaces a dead one or joins. Most
 * methods need the baton.
 */
final class SimRank implements RankHooks, Baton, RunningRank, ComplaintSender.Listener {
    /** The time until a poll that is to come soon: for example of a rank that has work left, though no input comes. */
    private static final long POLL_NS = 100;

    static final long FOR_EVER_NS = Long.MAX_VALUE / 2;

    private final SimJob job;
    private final ProcessId id;
    private final SimWire wire;
    private final SimFabric fabric;
    private final CallTrail trail = new CallTrail();
    private final SimSends sends = new SimSends();
    private final ComplaintSender complaints = new ComplaintSender(this);
    private final SimOrphans orphans;
    private final Runnable goOn = this::onGoOn;
    private final Runnable timer = this::onTimer;
    private final Runnable poll = this::onPoll;
    private RankRuntime runtime;
    private RankBinding binding;
    private RankTurn turn;
    private RankThread thread;
    private Runnable work;
    private RankOutcome outcome;
    private Completion awaited;
    private long timerNs = Long.MAX_VALUE;
    private long pausedUntilNs;
    private boolean pollIsPlanned;
    /** The calls of the program since its last wait, or since the last poll that found work if that was later. */
    private int idleCalls;

    private volatile boolean hasTurn;
    private volatile boolean threadIsDone;

    SimRank(SimJob job, SimWire wire, ProcessId id, int slots) {
        this.job = job;
        this.wire = wire;
        this.id = id;
        this.fabric = new SimFabric(job, this, slots);
        this.orphans = new SimOrphans(job, this);
    }

    void bind(RankRuntime newRuntime, RankBinding newBinding) {
        runtime = newRuntime;
        binding = newBinding;
        wire.line().serve(newRuntime, complaints::holds);
    }

    @Override
    public void bind(RankTurn newTurn) {
        turn = newTurn;
    }

    ProcessId id() {
        return id;
    }

    int slot() {
        return id.slot();
    }

    SimFabric fabric() {
        return fabric;
    }

    SimHostMemory hostMemory() {
        return fabric.hostMemory();
    }

    RankRuntime runtime() {
        return runtime;
    }

    RankOutcome outcome() {
        return outcome;
    }

    CallTrail trail() {
        return trail;
    }

    SimSends sends() {
        return sends;
    }

    MemberRecord me() {
        return wire.line().me();
    }

    SimWire wire() {
        return wire;
    }

    boolean hasEnded() {
        return outcome != null;
    }

    /** Sets how this rank ended. Returns false if an end was set before. */
    boolean end(RankOutcome newOutcome) {
        if (outcome != null) {
            return false;
        }
        outcome = newOutcome;
        return true;
    }

    // The thread of the program.

    void start(RankMain main, ClassLoader context, boolean isPooled) {
        work = () -> run(main);
        thread = RankThread.start("rank-" + id, context, isPooled, work);
    }

    /** Whether the program of this process was started. */
    boolean hasBegun() {
        return work != null;
    }

    Thread thread() {
        return thread;
    }

    /**
     * Interrupts the thread of this rank, unless the thread works for another rank already. May be called by any
     * thread.
     */
    void interrupt() {
        thread.interruptDuring(work);
    }

    boolean isThreadDone() {
        return threadIsDone;
    }

    /** Whether the rank has been given the baton and its thread has not noticed yet. */
    boolean hasTurn() {
        return hasTurn;
    }

    private void run(RankMain main) {
        try {
            awaitTurn();
            runtime.bindMainThread();
            job.launcher().onMainEnd(this, runMain(main));
        } catch (RuntimeException | Error e) {
            job.broken(e);
        } finally {
            threadIsDone = true;
            job.onThreadEnd();
        }
    }

    private Throwable runMain(RankMain main) {
        Throwable[] thrown = new Throwable[1];
        binding.run(() -> {
            try {
                main.run();
            } catch (Throwable e) {
                thrown[0] = e;
            }
        });
        return thrown[0];
    }

    /** Gives the baton, which the caller has, to the thread of this rank. */
    void giveTurn() {
        hasTurn = true;
        LockSupport.unpark(thread);
    }

    /** Waits for the baton, on the thread of this rank; ends also when the run is abandoned. */
    void awaitTurn() {
        boolean interrupted = false;
        while (!hasTurn && !job.isAbandoned()) {
            LockSupport.park(this);
            // With the interrupt flag set, every park would return at once.
            interrupted |= Thread.interrupted();
        }
        hasTurn = false;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void onCall(String operation) {
        requireOwnThread(operation);
        if (job.isOver() || hasEnded()) {
            return;
        }
        trail.add(job.nowNs(), operation);
        job.onCall(this, operation);
        long costNs = job.callNs(idleCalls++);
        if (costNs == 0 && job.nowNs() >= pausedUntilNs) {
            return;
        }
        goOnAt(Math.max(job.nowNs() + costNs, pausedUntilNs));
    }

    private void goOnAt(long timeNs) {
        if (!job.passTime(timeNs)) {
            job.at(timeNs, goOn);
            job.pass(this);
        }
    }

    @Override
    public void onPiece() {
        // While events are carried out, a thread that does local work for this rank, which may be this rank's own
        // thread, does not pass the baton.
        if (job.isBetweenTurns() || job.isOver() || hasEnded()) {
            return;
        }
        long costNs = job.pieceNs();
        if (costNs > 0) {
            goOnAt(job.nowNs() + costNs);
        }
    }

    @Override
    public void await(Completion completion) {
        requireOwnThread("a wait");
        if (job.isOver() || hasEnded()) {
            return;
        }
        idleCalls = 0;
        plan(true);
        awaited = completion;
        job.pass(this);
    }

    @Override
    public void onLeave() {
        if (turn != null && !job.isOver()) {
            plan(true);
        }
    }

    private void requireOwnThread(String operation) {
        if (Thread.currentThread() != thread) {
            throw new IllegalStateException(operation + " at rank " + id + ": thread \""
                    + Thread.currentThread().getName()
                    + "\" is not the rank's main thread; a simulated rank calls MPI from one thread only, so that what"
                    + " happens follows from the seed");
        }
    }

    // The methods below are events of this rank. The thread that has the baton carries them out, which may be another
    // rank's thread.

    /** Whether the rank stands still now. If it does, the event is put off until the rank goes on. */
    boolean isPaused(Runnable event) {
        if (job.nowNs() >= pausedUntilNs || hasEnded()) {
            return false;
        }
        job.at(pausedUntilNs, event);
        return true;
    }

    /** Returns whether the rank stands still now and has not ended. */
    boolean stands() {
        return job.nowNs() < pausedUntilNs && !hasEnded();
    }

    long standsUntilNs() {
        return pausedUntilNs;
    }

    /** Makes the rank stand still for ever, without ending it. */
    void fallMute() {
        pausedUntilNs = FOR_EVER_NS;
        job.disturbedUntil(job.nowNs() + job.silenceEndsNs());
    }

    void pause(long durationNs) {
        pausedUntilNs = Math.max(pausedUntilNs, job.nowNs() + durationNs);
        job.disturbedUntil(pausedUntilNs);
    }

    /** Lets the thread of this rank go on after the given time. */
    void goOnAfter(long delayNs) {
        job.at(job.nowNs() + delayNs, goOn);
    }

    private void onGoOn() {
        if (!threadIsDone && !isPaused(goOn)) {
            job.choose(this);
        }
    }

    /** Lets the engine of this rank work once. */
    void poll() {
        if (hasEnded() || turn == null) {
            return;
        }
        int work;
        try {
            work = turn.poll();
        } catch (RuntimeException | Error e) {
            if (!hasEnded()) {
                throw e;
            }
            return;
        }
        if (work > 0) {
            idleCalls = 0;
        }
        plan(work > 0);
        lookAtWait();
    }

    /** Input has arrived. */
    void onInput() {
        if (awaited == null && job.doesInputLie()) {
            pollSoon();
        } else {
            poll();
        }
    }

    /** Lets the engine of this rank work soon, unless that is planned already. */
    void pollSoon() {
        if (!pollIsPlanned) {
            pollIsPlanned = true;
            job.at(job.nowNs() + POLL_NS, poll);
        }
    }

    private void onPoll() {
        if (!isPaused(poll)) {
            pollIsPlanned = false;
            poll();
        }
    }

    private void onTimer() {
        if (timerNs == job.nowNs() || job.nowNs() == pausedUntilNs) {
            if (!isPaused(timer)) {
                timerNs = Long.MAX_VALUE;
                poll();
            }
        }
    }

    /**
     * Plans the next poll and the next timer.
     *
     * @param triesAgain whether to poll soon if the engine has work; not after a poll that did nothing, since frames
     *     without room are offered again when there is room
     */
    private void plan(boolean triesAgain) {
        if (triesAgain && turn.hasWork()) {
            pollSoon();
        }
        long deadlineNs = turn.nextDeadlineNs();
        if (deadlineNs < timerNs) {
            timerNs = Math.max(deadlineNs, job.nowNs() + 1);
            job.at(timerNs, timer);
        }
    }

    /** Notes that another rank has made a store visible, for which this rank may be waiting. */
    void onStore() {
        if (hasEnded() || turn == null) {
            return;
        }
        if (!turn.hasInMemory()) {
            lookAtWait();
        } else if (!stands()) {
            onInput();
        } else {
            pollSoon(); // when the rank goes on
        }
    }

    private void lookAtWait() {
        if (awaited != null && turn.isOver(awaited)) {
            awaited = null;
            goOnAfter(job.wakeNs());
        }
    }

    // The end of the rank.

    /** Kills the rank. Only its thread still runs, and finds out at its next step. */
    void kill(String why) {
        if (!hasBegun()) {
            return; // the program of this process will never begin
        }
        runtime.kill(new RankKilledError("rank " + id + " is dead: " + why));
        if (awaited != null || job.nowNs() < pausedUntilNs) {
            awaited = null;
            // Only the thread with the baton may schedule events. The thread of StallWatch, which takes the baton away,
            // does not have it.
            if (!job.isAbandoned()) {
                goOnAfter(0);
            }
        }
    }

    /**
     * Notes that the rank is about to send a frame, to call a process by its name, or to store to shared memory. A
     * planned crash comes before one of these.
     */
    void onOffer(int bytes) {
        if (!hasBegun()) {
            return;
        }
        if (sends.isLast(bytes)) {
            String why = "before it had sent its frame " + sends.frames();
            job.launcher().die(this, new RankOutcome(RankEnd.KILLED, null, why), true);
            if (Thread.currentThread() == thread && !job.isBetweenTurns()) {
                throw new RankKilledError("rank " + id + " was killed " + why);
            }
        }
    }

    @Override
    public void onFenced(String reason) {
        job.launcher().die(this, new RankOutcome(RankEnd.FENCED, null, reason), true);
    }

    @Override
    public void onAbort(int code, String reason) {
        job.launcher().abort(code, reason);
    }

    @Override
    public void onBroken(Throwable cause) {
        job.launcher().die(this, new RankOutcome(RankEnd.BROKEN, cause, ""), true);
    }

    @Override
    public void onFaultPoint(int rule) {
        SimFault fault = job.faults().meet(rule, this);
        if (fault.isDeath()) {
            throw new RankKilledError("rank " + id + " was killed: " + fault);
        }
    }

    // J1: the complaints of this rank.

    @Override
    public void onSilent(ProcessId process) {
        complaints.silent(process);
    }

    @Override
    public void onHeard(ProcessId process) {
        complaints.heard(process);
    }

    @Override
    public void onComplaint(ProcessId process) {
        wire.line().suspect(process);
        orphans.silent(process);
    }

    @Override
    public void onWithdrawn(ProcessId process) {
        wire.line().heard(process);
        orphans.heard(process);
    }

    /** Notes that the link to a process is lost, unless this rank does not know it or no longer sends to it. */
    void loseLink(ProcessId process) {
        if (fabric.listensTo(process)) {
            complaints.linkLost(process);
        }
    }

    void restoreLink(ProcessId process) {
        complaints.linkRestored(process);
    }

    @Override
    public void onFailed(ProcessId process, Evidence evidence) {
        onGone(process);
    }

    @Override
    public void onDeparted(ProcessId process) {
        onGone(process);
    }

    private void onGone(ProcessId process) {
        complaints.gone(process);
        orphans.gone(process);
    }

    @Override
    public void onGoodbye(SlotSet failed) {
        orphans.leave();
        wire.line().goodbye(failed);
    }

    @Override
    public void onAdmitted(Admission admission, List<MemberRecord> members) {
        fabric.takeStrangers(false); // it knows all members now
        wire.line().admitted(admission, members);
    }

    @Override
    public int mostMembers() {
        return job.isElastic() ? job.slots() : 1;
    }

    @Override
    public boolean mayBeAdmitted() {
        return wire.line().mayBeAdmitted();
    }

    @Override
    public void onGoneOnWithout(String why) {
        job.launcher().stayOut(this, why);
    }

    @Override
    public StoreLine store() {
        return wire.line();
    }

    @Override
    public void onLifelineLost(ProcessId process) {}

    @Override
    public void onLinkBroken(ProcessId process) {}

    @Override
    public void onSeatPoll(long nowNs) {}

    // Faults that the program causes itself.

    @Override
    public void die() {
        job.launcher().die(this, new RankOutcome(RankEnd.KILLED, null, "killed by itself"), true);
        throw new RankKilledError("rank " + id + " killed itself");
    }

    @Override
    public void kill(int rank) {
        job.launcher().die(job.checkedRank(rank), new RankOutcome(RankEnd.KILLED, null, "killed by rank " + id), true);
    }

    @Override
    public void endLauncher() {
        job.launcher().end();
    }

    @Override
    public void suspect(int rank) {
        job.launcher().suspectForProgram(this, job.checkedRank(rank).id());
    }
}
