package org.ulfmj.runtime;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.protocol.Digest64;
import org.ulfmj.protocol.HmacSha256;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.runtime.collective.run.CollectiveRunner;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.error.JobEnd;
import org.ulfmj.runtime.error.WaitGivenUp;
import org.ulfmj.runtime.host.HostCollectives;
import org.ulfmj.runtime.host.HostRuns;
import org.ulfmj.runtime.host.HostSetup;
import org.ulfmj.runtime.inject.FaultPoints;
import org.ulfmj.runtime.inject.KillPoints;
import org.ulfmj.runtime.leave.HandOver;
import org.ulfmj.runtime.leave.RankSignals;
import org.ulfmj.runtime.lent.Lending;
import org.ulfmj.runtime.member.RankIdentity;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.runtime.progress.Baton;
import org.ulfmj.runtime.progress.BatonProgress;
import org.ulfmj.runtime.progress.CallWatch;
import org.ulfmj.runtime.progress.Clock;
import org.ulfmj.runtime.progress.PollingProgress;
import org.ulfmj.runtime.progress.Progress;
import org.ulfmj.runtime.recovery.AdmissionWait;
import org.ulfmj.runtime.store.JobStore;
import org.ulfmj.runtime.transfer.OperationSet;
import org.ulfmj.runtime.waits.WaitReporter;
import org.ulfmj.transport.Fabric;

/**
 * One rank: the class that package {@code mpi} is built on.
 *
 * <p>Threads: everything may be called by any thread. The engine of a rank has one daemon thread (none with a
 * {@link Baton}), which drives it while no caller does.
 */
public final class RankRuntime {
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
    private final RankNews news;
    private final RankSignals signals;
    private final boolean isLetIn;
    private volatile boolean growsInRecovery;
    /** The program's main thread; null until it is known. */
    private volatile Thread mainThread;
    /** Null before the first use. */
    private JobStore store;

    private final JobEnd jobEnd = new JobEnd();

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
        Lending lending = engine.traffic().lending();
        engine.use(new HostRuns(shared, lending, engine.runs(), settings));
        HostCollectives inMemory = new HostCollectives(shared, lending);
        this.collectives = new CollectiveOperations(engine, inMemory, byMessages);
        this.factory = new CommunicatorFactory(this, engine, ids, byMessages);
        this.inter = new InterCommunicators(this, engine, ids, factory, byMessages);
        this.worlds = new CurrentWorld(engine, ids, factory, inMemory);
        this.recovery = settings.faultTolerance()
                ? new AgreedRecovery(engine, ids, factory, worlds)
                : new PlainRecovery(engine, byMessages, factory);
        this.attachedBuffer = new AttachedBuffer(engine);
        this.news = new RankNews(engine);
        this.signals = new RankSignals(engine, fabric, settings.timing().linkBudgetNs());
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
     * @param clock has the same origin as {@link System#nanoTime}, by which {@link Fabric#sleep} measures time
     */
    public static RankRuntime create(
            RankIdentity identity, Fabric fabric, Clock clock, RankSettings settings, RankHooks hooks) {
        RankRuntime runtime = new RankRuntime(identity, fabric, clock, settings, hooks, new PollingProgress.Maker());
        runtime.start(hooks);
        return runtime;
    }

    /**
     * Makes a rank that has no progress thread and waits by handing the {@link Baton} on: one thread at a time, of the
     * threads of all ranks, is inside MPI.
     */
    public static RankRuntime create(
            RankIdentity identity, Fabric fabric, Clock clock, RankSettings settings, RankHooks hooks, Baton baton) {
        RankRuntime runtime = new RankRuntime(identity, fabric, clock, settings, hooks, BatonProgress.maker(baton));
        runtime.start(hooks);
        return runtime;
    }

    /** Makes a rank that waits by the {@link Progress} that {@code waiting} makes. */
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
     * Returns a direct buffer of zeros in native order that the ranks of this host can read where it lies, so that a
     * large message from it can be copied once only; null if no such memory can be had, or this rank is over. Only
     * messages from this very buffer object, or from a view or slice that was {@linkplain #addView added}, can be sent
     * that way.
     */
    public ByteBuffer lend(int lengthBytes) {
        return engine.isOver() ? null : engine.traffic().lending().lend(lengthBytes);
    }

    /**
     * Makes a view known, another object with the bytes of a buffer that was {@linkplain #lend lent}: messages from it
     * are sent as those from the buffer.
     */
    public void addView(Object buffer, Object view) {
        engine.traffic().lending().addView(buffer, view);
    }

    /**
     * Makes a slice known that begins {@code offsetBytes} bytes behind the beginning of a buffer that was
     * {@linkplain #lend lent}, or of a slice of one.
     */
    public void addSlice(Object buffer, Object slice, int offsetBytes) {
        engine.traffic().lending().addSlice(buffer, slice, offsetBytes);
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
     * Gives the program a buffer of this length for buffered sends.
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
     * @throws org.ulfmj.runtime.error.CallError of class {@link ErrorClass#BUFFER} if it had none, or another thread is
     *     detaching it
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
     * Returns a key that all processes of the job have, and no process of another job.
     *
     * @param purpose what the key is for; another purpose gives another key
     */
    public byte[] jobKey(String purpose) {
        return new HmacSha256(jobSecret).of(purpose.getBytes(StandardCharsets.UTF_8));
    }

    public boolean hasFaultTolerance() {
        return settings.faultTolerance();
    }

    /**
     * The present COMM_WORLD, which changes with each {@link CommunicatorRecovery#replace} and
     * {@link CommunicatorRecovery#grow} that makes a new world; null at a newcomer that is not admitted yet.
     */
    public Communicator world() {
        return worlds.world();
    }

    public Communicator self() {
        return worlds.self();
    }

    /**
     * Waits, at a newcomer, until it is a member of a world: mostly because the others have taken it into theirs, by
     * {@link CommunicatorRecovery#replace} or {@link CommunicatorRecovery#grow}. From then on that world is its
     * {@link #world}. Called once, before any other call.
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
     * Begins a call that completes operations or looks at them. The caller has the engine lock until it closes the
     * returned set.
     *
     * @param call the name of the call as the program wrote it
     */
    public OperationSet operations(String call) {
        engine.enter();
        return engine.takeSet(call);
    }

    /**
     * Begins an MPI call of the program, whose name is given as the program wrote it ({@code allReduce}). Counts the
     * call for planned faults, and throws if this rank {@linkplain #isOver is over}.
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

    /** Returns the time that the program gets from {@code wtime}: nanoseconds since some moment in the past. */
    public long programTimeNs() {
        engine.progress().onCall("wtime");
        return engine.nowNs();
    }

    /**
     * Notes which iteration the program says it is in ({@code pControl}), since faults may be planned for an iteration.
     */
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
     * Notes that a layer above the operations passes a point for which a fault of this rank may be planned.
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
     * As {@link #faultPoint}, for a call of the recovery mode.
     *
     * @param version how many checkpoints came before the call
     * @param sequence the number of the call since the last of these checkpoints, from 0
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
            signals.finalizing();
            handOver.handOver();
            engine.hooks().onGoodbye(engine.control().withLeftOut(failed));
            handOver.leave();
            engine.finish();
        } finally {
            engine.leave();
        }
        // The media are closed only after this wait: no thread sleeps in them any more.
        engine.progress().awaitEnd();
        engine.fabric().close();
        engine.hooks().onFinished();
    }

    /** Whether {@link #finish} is done. */
    public boolean isFinished() {
        return engine.isFinished();
    }

    /** Whether this rank takes part no more: it is finalized, fenced, dead or broken, has left, or was not let in. */
    public boolean isOver() {
        return engine.isOver();
    }

    /**
     * Ends a call that waits now, or the next one that does, with {@link WaitGivenUp}; null takes that back. A message
     * that a blocking call waited for is withdrawn, or its communicator is revoked if it is too late for that; the
     * communicator of a blocking collective operation is revoked. Returns without waiting for that call.
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

    /** What this rank is told from outside. */
    public RankNews news() {
        return news;
    }

    /** What is done when signals come. */
    public RankSignals signals() {
        return signals;
    }

    /** Says why the whole job must end, once this rank has found that it must. */
    public JobEnd jobEnd() {
        return jobEnd;
    }

    /** Returns what reports the waits of this rank's threads. */
    public WaitReporter waits() {
        return new WaitReporter(engine, engine.progress(), engine, mainThread);
    }

    /** The store of the job. */
    public JobStore store() {
        synchronized (settings) {
            if (store == null) {
                store = new JobStore(engine, engine.progress(), engine::timed, engine.hooks());
            }
            return store;
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

    /** J1: whether this rank has found the process to be silent, and that silence has not ended since. */
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
     * Opens the connection to a process now, if the rank still runs, because urgent news will be passed to that process
     * later. If that is impossible, because the connection must be shared memory and there is none, the rank ends as by
     * any other error in a thread of the library.
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

    /** How many processes this rank knows that {@link CommunicatorRecovery#grow} would let in. Returns at once. */
    public int waiting() {
        engine.enter();
        try {
            return engine.control().waiting();
        } finally {
            engine.leave();
        }
    }

    /**
     * Notes that the recovery mode lets processes in by itself from now on. The program's own {@code grow} is refused:
     * some ranks would wait in the one call and some in the other, for each other.
     */
    public void beginToGrowInRecovery() {
        growsInRecovery = true;
    }

    boolean growsInRecovery() {
        return growsInRecovery;
    }

    /** Whether processes may join the world of this job while it runs. */
    public boolean isElastic() {
        return engine.hooks().mostMembers() > 1;
    }

    /**
     * Whether this process came as a newcomer for {@link CommunicatorRecovery#grow}, and not in the place of a dead
     * one. Never changes: true also before it is let in.
     */
    public boolean isLetIn() {
        return isLetIn;
    }

    /**
     * Wakes the thread that has the seat, so that it looks at its input again, and calls {@link RankHooks#onSeatPoll}.
     */
    public void wake() {
        engine.fabric().wake();
    }

    /**
     * For ranks that are threads: ends this rank as dead. From now on its calls, also those that wait, throw
     * {@code death}; nothing is sent any more.
     */
    public void kill(Error death) {
        engine.die(death);
    }

    /**
     * Notes that the calling thread is the program's main thread: the report of waits says what that thread does when
     * it does not wait.
     */
    public void bindMainThread() {
        mainThread = Thread.currentThread();
    }

    /** Tells for how long the program has not called MPI. Under the engine lock. */
    public CallWatch calls() {
        return engine.calls();
    }
}
