package org.ulfmj.runtime;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.Digest64;
import org.ulfmj.protocol.HmacSha256;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.runtime.collective.CollectiveRunner;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.error.WaitGivenUp;
import org.ulfmj.runtime.host.HostCollectives;
import org.ulfmj.runtime.host.HostRuns;
import org.ulfmj.runtime.host.HostSetup;
import org.ulfmj.runtime.inject.FaultPoints;
import org.ulfmj.runtime.inject.KillPoints;
import org.ulfmj.runtime.member.Contacts;
import org.ulfmj.runtime.member.RankIdentity;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.runtime.progress.Baton;
import org.ulfmj.runtime.progress.BatonProgress;
import org.ulfmj.runtime.progress.CallWatch;
import org.ulfmj.runtime.progress.Clock;
import org.ulfmj.runtime.progress.PollingProgress;
import org.ulfmj.runtime.progress.Progress;
import org.ulfmj.runtime.recovery.AdmissionWait;
import org.ulfmj.runtime.recovery.EngineEvents;
import org.ulfmj.runtime.transfer.OperationSet;
import org.ulfmj.runtime.waits.RankView;
import org.ulfmj.runtime.waits.WaitPage;
import org.ulfmj.runtime.waits.WaitReport;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.MemberRecord;

/**
 * One rank: what package {@code mpi} is written on.
 *
 * <p>Threads: everything may be called by any thread. Besides its callers a rank has one daemon thread, which works
 * while no caller is inside.
 */
public final class RankRuntime {
    /** How many causes of an error are looked at: they may go round in a circle. */
    private static final int MOST_CAUSES = 100;

    private final RankEngine engine;
    private final RankSettings settings;
    private final FaultPoints faultPoints;
    private final CollectiveOperations collectives;
    private final CommunicatorFactory factory;
    private final InterCommunicators inter;
    private final RecoveryCalls recovery;
    private final HandOver handOver;
    private final AttachedBuffer attachedBuffer;
    private final CurrentWorld worlds;
    private final boolean isLetIn;
    private volatile boolean growsInRecovery;
    /** The program's main thread; null until it is known. */
    private volatile Thread mainThread;
    /** Null before the first use. */
    private SignalActions signals;
    /** Null before the first use. */
    private volatile Preemption preemption;
    /** Null before the first use. */
    private JobStore store;
    /** Why the whole job must end; null while it may go on. */
    private volatile Throwable jobEnd;

    /** The secret that all processes of the job know, and no others. */
    private final byte[] jobSecret;

    private RankRuntime(
            RankIdentity identity,
            Fabric fabric,
            Clock clock,
            RankSettings settings,
            RankHooks hooks,
            Progress.Maker waiting) {
        this.settings = settings;
        this.isLetIn = identity.isNewcomer() && identity.id().incarnation() == 0;
        this.jobSecret = identity.jobSecret().clone();
        CommunicatorIds ids = new CommunicatorIds(new Digest64(identity.jobSecret()));
        this.engine = new RankEngine(identity, ids, fabric, clock, settings, hooks, waiting);
        this.faultPoints = engine.faultPoints();
        CollectiveRunner byMessages = engine.byMessages();
        HostSetup shared =
                new HostSetup(engine, engine.progress(), engine.errors(), fabric.hostMemory(), byMessages, settings);
        engine.use(new HostRuns(shared, engine.runs(), settings));
        HostCollectives inMemory = new HostCollectives(shared, engine.traffic().lending());
        this.collectives = new CollectiveOperations(engine, inMemory, byMessages);
        this.factory = new CommunicatorFactory(this, engine, ids, byMessages);
        this.inter = new InterCommunicators(this, engine, ids, factory, byMessages);
        this.worlds = new CurrentWorld(engine, ids, factory, inMemory);
        this.recovery = settings.faultTolerance()
                ? new AgreedRecovery(engine, ids, factory, worlds)
                : new PlainRecovery(engine, byMessages, factory);
        this.attachedBuffer = new AttachedBuffer(engine);
        this.handOver =
                new HandOver(engine, fabric, "Finalize", settings.timing().linkBudgetNs());
        if (!identity.isNewcomer()) {
            worlds.begin(identity);
        }
    }

    /**
     * Makes a rank over media that know their peers, and starts its progress thread. A newcomer has no communicators
     * before {@link #awaitAdmission}.
     *
     * @param clock the same origin as {@link System#nanoTime}, by which {@link Fabric#sleep} goes
     */
    public static RankRuntime create(
            RankIdentity identity, Fabric fabric, Clock clock, RankSettings settings, RankHooks hooks) {
        RankRuntime runtime = new RankRuntime(identity, fabric, clock, settings, hooks, new PollingProgress.Maker());
        runtime.start(hooks);
        return runtime;
    }

    /**
     * Makes a rank that has no progress thread and waits by handing on the baton: of the threads of all ranks, one at a
     * time is inside MPI.
     */
    public static RankRuntime create(
            RankIdentity identity, Fabric fabric, Clock clock, RankSettings settings, RankHooks hooks, Baton baton) {
        RankRuntime runtime = new RankRuntime(identity, fabric, clock, settings, hooks, BatonProgress.maker(baton));
        runtime.start(hooks);
        return runtime;
    }

    /** Makes a rank that waits by the progress that {@code waiting} makes. */
    static RankRuntime create(
            RankIdentity identity,
            Fabric fabric,
            Clock clock,
            RankSettings settings,
            RankHooks hooks,
            Progress.Maker waiting) {
        RankRuntime runtime = new RankRuntime(identity, fabric, clock, settings, hooks, waiting);
        runtime.start(hooks);
        return runtime;
    }

    private void start(RankHooks hooks) {
        engine.enter();
        try {
            hooks.onStart(this);
            engine.control().start();
            engine.progress().start();
        } finally {
            engine.leave();
        }
    }

    RankEngine engine() {
        return engine;
    }

    /**
     * A direct buffer of zeros in native order that ranks of our host can read where it lies, so that a large message
     * from it is copied once; null if no such memory can be had. Only messages from this very buffer object, or from a
     * view that was {@linkplain #addView added}, are sent that way.
     */
    public ByteBuffer lend(int lengthBytes) {
        return engine.isOver() ? null : engine.traffic().lending().lend(lengthBytes);
    }

    /** Makes another object known that has the bytes of a buffer that was {@linkplain #lend lent}. */
    public void addView(ByteBuffer buffer, Object view) {
        engine.traffic().lending().addView(buffer, view);
    }

    CollectiveOperations collectives() {
        return collectives;
    }

    CommunicatorFactory factory() {
        return factory;
    }

    AttachedBuffer attachedBuffer() {
        return attachedBuffer;
    }

    /**
     * From now on the program has a buffer for buffered sends.
     *
     * @throws org.ulfmj.runtime.error.CallError of class {@link ErrorClass#BUFFER} if it has one already
     */
    public void attachBuffer(int lengthBytes) {
        engine.enter();
        try {
            attachedBuffer.attach(lengthBytes);
        } finally {
            engine.leave();
        }
    }

    /**
     * Waits until the messages in the attached buffer have left; then the program has no buffer for buffered sends.
     *
     * @throws org.ulfmj.runtime.error.CallError of class {@link ErrorClass#BUFFER} if it had none
     */
    public void detachBuffer() {
        engine.enter();
        try {
            attachedBuffer.detach();
        } finally {
            engine.leave();
        }
    }

    InterCommunicators inter() {
        return inter;
    }

    RecoveryCalls recovery() {
        return recovery;
    }

    public ProcessId id() {
        return engine.id();
    }

    /**
     * A key that all processes of the job have, and no process of another job.
     *
     * @param purpose what the key is for; another purpose gives another key
     */
    public byte[] jobKey(String purpose) {
        return new HmacSha256(jobSecret).of(purpose.getBytes(StandardCharsets.UTF_8));
    }

    public boolean hasFaultTolerance() {
        return settings.faultTolerance();
    }

    /** COMM_WORLD: another one after each {@link Communicator#replace}; null at a newcomer that is not admitted yet. */
    public Communicator world() {
        return worlds.world();
    }

    public Communicator self() {
        return worlds.self();
    }

    /**
     * A newcomer waits until the others have taken it into their world, which they do in {@link Communicator#replace},
     * or in {@link Communicator#grow}. From then on that world is its {@link #world}. Called once, before any other
     * call.
     *
     * @return null if this process was admitted; else why the others have gone on without it: it takes part in nothing
     *     and is to end
     */
    public String awaitAdmission() {
        engine.enter();
        try {
            engine.pass(KillPoints.JOIN_PENDING);
            AdmissionWait wait = engine.control().admission();
            engine.progress().await(wait);
            if (wait.admission() == null) {
                engine.stayOut(wait.refusal());
                return wait.refusal();
            }
            worlds.enter(wait.admission());
            engine.pass(KillPoints.JOIN_ADMITTED);
            return null;
        } finally {
            engine.leave();
        }
    }

    /**
     * Begins a call that completes operations or looks at them. The caller has the engine lock until it closes the set.
     *
     * @param call as the program wrote it
     */
    public OperationSet operations(String call) {
        engine.enter();
        return engine.takeSet(call);
    }

    /**
     * Every MPI call of the program begins here, with its name as the program wrote it ({@code allReduce}): counts it
     * for triggers and throws if this rank is dead, fenced or finalized.
     */
    public void enterCall(String operation) {
        engine.progress().onCall(operation);
        if (engine.isOver()) {
            engine.checkRunning();
        }
        if (faultPoints != null) {
            engine.meetCall(operation);
        }
    }

    /** Returns the time for the program: nanoseconds since some moment in the past. */
    public long programTimeNs() {
        engine.progress().onCall("wtime");
        return engine.nowNs();
    }

    /** Notes which iteration the program says it is in. */
    public void pControl(int level) {
        if (faultPoints != null) {
            engine.enter();
            try {
                engine.meet(faultPoints.onIteration(level));
            } finally {
                engine.leave();
            }
        }
    }

    /**
     * A layer above the operations passes a point for which a fault of this rank may be planned.
     *
     * @param name one of {@link KillPoints}
     */
    public void faultPoint(String name) {
        if (faultPoints != null) {
            engine.enter();
            try {
                engine.pass(name);
            } finally {
                engine.leave();
            }
        }
    }

    /**
     * As {@link #faultPoint}, for a call of the recovery mode: the sequence-th, from 0, after this many checkpoints.
     */
    public void faultPosition(long version, long sequence) {
        if (faultPoints != null) {
            engine.enter();
            try {
                engine.meet(faultPoints.onPosition(version, sequence));
            } finally {
                engine.leave();
            }
        }
    }

    /**
     * Finalize: waits until buffered messages have left, agrees with all ranks that have not failed that all of them
     * are in Finalize, says goodbye and ends the connections. After that the rank owes no other rank anything.
     *
     * @throws org.ulfmj.runtime.error.CallError of class {@link ErrorClass#ARG} if others are in another collective
     *     recovery call; the rank then goes on
     */
    public void finish() {
        engine.enter();
        try {
            attachedBuffer.awaitEmpty("Finalize");
            SlotSet failed = recovery.finish(engine.communicators().get(world().id()));
            if (preemption != null) {
                preemption.finalizing();
            }
            handOver.handOver();
            engine.hooks().onGoodbye(engine.control().withLeftOut(failed));
            handOver.leave();
            engine.finish();
        } finally {
            engine.leave();
        }
        // The media are closed when no thread sleeps in them any more.
        engine.progress().awaitEnd();
        engine.fabric().close();
        engine.hooks().onFinished();
    }

    /** Whether {@link #finish} is done. */
    public boolean isFinished() {
        return engine.isFinished();
    }

    /** Whether this rank takes part no more: it is finalized, fenced, or dead. */
    public boolean isOver() {
        return engine.isOver();
    }

    /**
     * A call that waits now, or the next one that does, ends with {@link WaitGivenUp}; null takes that back. A message
     * that the call waited for is withdrawn, and the communicator of a collective operation is revoked. Everything else
     * that the call waited for goes on without this rank. After that the rank can leave the others to themselves, and
     * do little else. Returns at once.
     */
    public void giveUp(String why) {
        engine.lock().lock();
        try {
            if (!engine.isOver()) {
                engine.giveUp(why);
            }
        } finally {
            engine.lock().unlock();
        }
    }

    /**
     * Whether a thread of the program waits in a call now. True also if the engine's lock is not free within a second.
     */
    public boolean isWaiting() {
        if (!tryLock()) {
            return true;
        }
        try {
            return engine.progress().isWaitedIn();
        } finally {
            engine.lock().unlock();
        }
    }

    /**
     * Sets what is to be done when the launcher, or this process itself, gets a signal.
     *
     * @param name of the signal without SIG
     * @param action null for nothing
     */
    public void handleSignal(String name, Runnable action) {
        signals().set(name, action);
        engine.hooks().watchForSignals();
    }

    /** The launcher, or this process, got a signal. Returns at once, so it may be called under the engine lock. */
    public void onSignal(String name) {
        signals().deliver(name);
    }

    /**
     * The process ends: gives what this rank has to say on stderr a moment to be written. Never under the engine lock.
     */
    public void awaitLines() {
        engine.flight().awaitLines();
        SignalActions told;
        synchronized (settings) {
            told = signals;
        }
        if (told != null) {
            told.awaitLines();
        }
    }

    /** What is done when this rank is to end by a signal. */
    public Preemption preemption() {
        synchronized (settings) {
            if (preemption == null) {
                long limitNs = Math.min(LeavingTime.MOST_NS, settings.timing().linkBudgetNs());
                preemption = new Preemption(engine, new HandOver(engine, engine.fabric(), "leaving", limitNs));
            }
            return preemption;
        }
    }

    /**
     * Whether this rank is to end by a signal and the program handles that. Its process then ends when the handler is
     * done, and by nothing else.
     */
    public boolean isPreempted() {
        Preemption known = preemption;
        return known != null && known.isUnderWay() && !isFinished();
    }

    /** Whether this rank has left the others, after a signal. */
    public boolean hasLeft() {
        Preemption known = preemption;
        return known != null && known.hasLeft();
    }

    /** The store of the job. */
    public JobStore store() {
        synchronized (settings) {
            if (store == null) {
                store = new JobStore(engine);
            }
            return store;
        }
    }

    /** Made at first use: few programs handle signals. Its own monitor, as the engine lock may be held. */
    private SignalActions signals() {
        synchronized (settings) {
            if (signals == null) {
                signals = new SignalActions(id().toString());
            }
            return signals;
        }
    }

    /** Ends the job with this code. */
    public void abort(int code) {
        engine.enter();
        try {
            engine.abort(code, "abort(" + code + ") called by process " + id());
        } finally {
            engine.leave();
        }
    }

    /**
     * No rank can go on, for this reason, which all ranks have been told or meet by themselves. A rank that ends by
     * this error ends the job; a rank whose program catches it may still finalize.
     */
    public void onJobEnd(Throwable reason) {
        jobEnd = reason;
    }

    /** Takes back what {@link #onJobEnd} said: the rank has gone on all the same. */
    public void noJobEnd(Throwable reason) {
        if (jobEnd == reason) {
            jobEnd = null;
        }
    }

    /** Whether {@link #onJobEnd} was called, and not taken back. */
    public boolean hasJobEnd() {
        return jobEnd != null;
    }

    /** Whether the throwable is the one that {@link #onJobEnd} named, or was caused by that one. */
    public boolean isJobEnd(Throwable thrown) {
        Throwable reason = jobEnd;
        Throwable each = thrown;
        for (int depth = 0; reason != null && each != null && depth < MOST_CAUSES; depth++) {
            if (each == reason) {
                return true;
            }
            each = each.getCause();
        }
        return false;
    }

    /** Takes evidence of a process's death from the launcher, a lifeline or {@code /proc}. Returns at once. */
    public void onEvidence(ProcessId process, Evidence evidence) {
        engine.post(new EngineEvents.Death(process, evidence));
    }

    /**
     * J2: the judge of silences asks whether this rank is there, since these processes complain of its silence. A
     * heartbeat to each of them is queued, in addition to the usual ones. Returns at once.
     *
     * @param then run under the engine lock once they are queued: the place to answer
     */
    public void beat(List<ProcessId> complainers, Runnable then) {
        engine.post(new EngineEvents.Beat(List.copyOf(complainers), then));
    }

    /**
     * Runs an action under the engine lock once everything was read that can be read now. A process that is silent then
     * is not silent merely because its messages were not read. Returns at once.
     */
    public void whenAllIsRead(Runnable action) {
        engine.post(new EngineEvents.AtRest(action));
    }

    /** J1: whether nothing was heard of the process for the detector's timeout, and nothing since. */
    public boolean isSilent(ProcessId process) {
        engine.lock().lock();
        try {
            return engine.control().isSilent(process);
        } finally {
            engine.lock().unlock();
        }
    }

    /** Runs an action under the engine lock if the rank still runs. */
    public void whileRunning(Runnable action) {
        engine.lock().lock();
        try {
            if (!engine.isOver()) {
                action.run();
            }
        } finally {
            engine.lock().unlock();
        }
    }

    /**
     * Opens the way to a process now, if the rank still runs, because urgent news will be passed to that process later.
     * A rank that cannot, because the way must be shared memory and there is none, ends as by any other error in a
     * thread of the library.
     */
    public void prepare(ProcessId process) {
        engine.lock().lock();
        try {
            if (!engine.isOver()) {
                engine.fabric().prepare(process);
            }
        } catch (RuntimeException | Error e) {
            engine.breakDown(e);
        } finally {
            engine.lock().unlock();
        }
    }

    /** The launcher says that a process said goodbye and has ended. Returns at once. */
    public void onDeparted(ProcessId process) {
        engine.post(new EngineEvents.Departed(process));
    }

    /**
     * The launcher has started a process in the place of a dead one, and that process can be reached. Returns at once.
     */
    public void onPending(MemberRecord newcomer) {
        engine.post(new EngineEvents.Pending(Contacts.of(newcomer)));
    }

    /**
     * All members of the world that this newcomer waited for have ended, and the given processes, this one among them,
     * are the world now. All of them are told so. Returns at once.
     */
    public void onGathered(List<MemberRecord> members) {
        engine.post(new EngineEvents.Gathered(List.copyOf(members)));
    }

    /**
     * The launcher of an elastic world says that the process with this nonce has ended, whatever it is called. Returns
     * at once.
     *
     * @param evidence null if the process had finalized
     */
    public void onEnd(long nonce, Evidence evidence) {
        engine.post(new EngineEvents.Ended(nonce, evidence));
    }

    /**
     * A process without a slot waits to be let in by {@link Communicator#grow}. Returns at once.
     *
     * @param hostOrder place of its host in the list of hosts
     * @param localIndex number of the process on its host
     */
    public void onWaiting(int hostOrder, int localIndex, MemberRecord waiting) {
        engine.post(new EngineEvents.Waiting(Contacts.joiner(hostOrder, localIndex, waiting)));
    }

    /** G10: the process with this nonce has answered that it is not the process of this name. Returns at once. */
    public void onNotMe(ProcessId name, long nonce) {
        engine.post(new EngineEvents.NotMe(name, nonce));
    }

    /** How many processes this rank knows that {@link Communicator#grow} would let in. Returns at once. */
    public int waiting() {
        engine.enter();
        try {
            return engine.control().waiting();
        } finally {
            engine.leave();
        }
    }

    /**
     * The recovery mode lets processes in by itself from now on. The program's own {@code grow} is refused: the two
     * would wait for each other, each at some of the ranks.
     */
    public void beginToGrowInRecovery() {
        growsInRecovery = true;
    }

    boolean growsInRecovery() {
        return growsInRecovery;
    }

    /** Whether processes join the world of this job while it runs. */
    public boolean isElastic() {
        return engine.hooks().mostMembers() > 1;
    }

    /** Whether this process was let in by {@link Communicator#grow}. Stays true. */
    public boolean isLetIn() {
        return isLetIn;
    }

    /** The launcher tells this rank that no process will be started in this slot any more. Returns at once. */
    public void onNoMore(int slot, String why) {
        engine.post(new EngineEvents.NoMore(slot, why));
    }

    /** The launcher tells this rank that no process will be started in any slot any more. Returns at once. */
    public void onNoMoreReplacements(String why) {
        engine.post(new EngineEvents.NoMoreReplacements(why));
    }

    /** The others have gone on without this newcomer. Ignored if this process is admitted already. Returns at once. */
    public void onGoneOnWithout(String why) {
        engine.post(new EngineEvents.GoneOnWithout(why));
    }

    /** Others decided that this process must end. Returns at once. */
    public void onFence(String reason) {
        engine.post(new EngineEvents.Fence(reason));
    }

    /**
     * Wakes the thread that has the seat, so that it looks at its input again, and calls {@link RankHooks#onSeatPoll}.
     */
    public void wake() {
        engine.fabric().wake();
    }

    /**
     * For ranks that are threads: this rank is dead from now on. Its calls, also those that wait, throw {@code death};
     * nothing is sent any more.
     */
    public void kill(Error death) {
        engine.die(death);
    }

    /**
     * The calling thread is the program's main one: the report of waits says what that thread does when it does not
     * wait.
     */
    public void bindMainThread() {
        mainThread = Thread.currentThread();
    }

    /** What the threads of this rank wait for; null if its engine has been locked for a second. */
    public WaitReport reportWaits() {
        if (!tryLock()) {
            return null;
        }
        try {
            return new WaitReporter(engine, mainThread).report();
        } finally {
            engine.lock().unlock();
        }
    }

    /** For how long the program has not called MPI. Under the engine lock. */
    public CallWatch calls() {
        return engine.calls();
    }

    /** As {@link #reportWaits}, in lines for people. */
    public String describeWaits() {
        WaitReport report = reportWaits();
        RankView view = report == null
                ? RankView.silent(id().slot(), "is busy: its engine has been locked for a second")
                : RankView.of(report);
        return String.join("\n", WaitPage.of(List.of(view))) + "\n";
    }

    /**
     * Takes the engine lock if that is possible within a second: a report must not hang with the rank that it
     * describes.
     */
    private boolean tryLock() {
        try {
            return engine.lock().tryLock(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
