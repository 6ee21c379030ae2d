package org.ulfmj.testkit.sim;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.RankBinding;
import org.ulfmj.runtime.RankIdentity;
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.sim.EventQueue;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.testkit.RankEnd;
import org.ulfmj.testkit.RankOutcome;
import org.ulfmj.testkit.RunningRank;
import org.ulfmj.transport.MemberRecord;

/**
 * One run of a {@link SimWorld}: its time, its events and its ranks. One thread at a time has the baton and may touch
 * any of this: a rank's thread that runs the program, or that waits, and lets happen what comes next until it is the
 * turn of some rank's thread. If that is its own, it just goes on.
 */
final class SimJob {
    static final long START_NS = 1_000_000_000;
    private static final byte[] SECRET = "ranks are simulated processes".getBytes(StandardCharsets.US_ASCII);
    /** Calls in a row that find nothing new cost as much at most. */
    private static final long IDLE_CALL_NS = 100_000;

    private static final int IDLE_CALLS = 16;
    private static final int IDLE_CALLS_A_DOUBLING = 8;
    private static final int MOST_DOUBLINGS = 17;
    private static final int INCARNATION_SHIFT = 20;
    private static final long SURVEY_NS = 200_000_000;

    private final SimPlan plan;
    private final SimProfile profile;
    private final SeededRandom network;
    private final SeededRandom scheduling;
    private final SimHost host;
    private final SimLauncher launcher;
    private final SimFaults faults;
    private final EventQueue queue = new EventQueue(START_NS);
    private final SimJournal journal;
    /**
     * All that were ever started, in that order: the first ones by slot, then those that took the place of dead ones.
     */
    private final List<SimRank> processes = new CopyOnWriteArrayList<>();
    /** The latest process of each slot. */
    private final SimRank[] ranks;

    private final AtomicInteger running;
    private final long patienceNs;
    private final Thread runner = Thread.currentThread();
    private Mains programs;
    private ClassLoader context;
    private long lastTurnNs = START_NS;
    private long disturbedUntilNs = START_NS;
    private long events;
    private SimRank chosen;
    private boolean betweenTurns;
    private boolean awaitsNewcomers;
    private volatile SimRank holder;
    /** Written by any rank that has the baton, looked at by the watch of real time. */
    private volatile long steps;

    /** Nothing happens any more; ranks that still run find themselves dead. */
    private volatile boolean over;

    private volatile boolean abandoned;
    private volatile String failure;
    private volatile Throwable breakdown;

    SimJob(SimPlan plan, boolean keepsJournal) {
        this.plan = plan;
        long seed = plan.seed();
        SeededRandom lending = SeededRandom.of(seed, "lending");
        this.profile = SimProfile.of(SeededRandom.of(seed, "profile"), lending);
        this.host = new SimHost(lending);
        this.network = SeededRandom.of(seed, "network");
        this.scheduling = SeededRandom.of(seed, "scheduling");
        this.faults = new SimFaults(this, plan.faults(), plan.settings().timing());
        this.journal = new SimJournal(keepsJournal);
        this.ranks = new SimRank[plan.ranks()];
        this.launcher = new SimLauncher(this, plan);
        this.running = new AtomicInteger(ranks.length);
        this.patienceNs = 3 * (ranks.length + 1) * plan.settings().timing().detectorTimeoutNs();
        List<MemberRecord> table = new ArrayList<>();
        for (int slot = 0; slot < ranks.length; slot++) {
            SimRank rank = launcher.first(slot);
            table.add(rank.me());
            add(rank);
        }
        Membership members = Membership.initial(ranks.length);
        for (SimRank rank : ranks) {
            MemberRecord me = rank.me();
            bind(rank, table, new RankIdentity(me.id(), me.nonce(), members, table, SECRET));
        }
    }

    private void add(SimRank process) {
        processes.add(process);
        ranks[process.slot()] = process;
        faults.equip(process);
    }

    private void bind(SimRank process, List<MemberRecord> known, RankIdentity identity) {
        for (MemberRecord member : known) {
            process.fabric().admit(member);
        }
        RankRuntime runtime =
                RankRuntime.create(identity, process.fabric(), this::nowNs, settings(process), process, process);
        process.bind(runtime, new RankBinding(runtime, plan.initialErrorHandler()));
        RunningRank.RUNNING.put(runtime, process);
    }

    /** When ranks begin to share memory, if they may, is the seed's choice. */
    private RankSettings settings(SimRank process) {
        RankSettings chosen = plan.settings();
        RankSettings drawn = chosen.hostCollectivesAfter() == RankSettings.NEVER
                ? chosen
                : chosen.withHostCollectivesAfter(profile.hostCollectivesAfter())
                        .withWait(chosen.politeWait(), profile.crowded());
        return drawn.withTriggers(faults.triggers(process.id()));
    }

    // The run.

    SimResult run(Mains mains) {
        programs = mains;
        context = runner.getContextClassLoader();
        try {
            launcher.gather();
            while (!launcher.isGathered()) {
                queue.runNext();
            }
            for (SimRank rank : ranks) {
                start(rank);
            }
            launcher.start();
            faults.plan();
            pass(null);
            awaitEnd();
        } finally {
            for (SimRank process : processes) {
                RunningRank.RUNNING.remove(process.runtime());
            }
        }
        if (breakdown != null && !abandoned) {
            throw new IllegalStateException("the simulator failed with seed " + plan.seed(), breakdown);
        }
        return result();
    }

    /** A process begins that is to take a dead one's place, in this world or in the next. */
    void begin(SimRank newcomer) {
        List<MemberRecord> world = newcomer.wire().line().table();
        bind(newcomer, world, RankIdentity.of(newcomer.me(), world, SECRET));
        add(newcomer);
        running.incrementAndGet();
        note(SimJournal.Kind.START, newcomer, newcomer.me().nonce(), "beside " + world);
        start(newcomer);
    }

    private void start(SimRank process) {
        process.start(programs.of(process.slot()), context, !programs.areLoadedAnew());
        process.goOnAfter(scheduling.between(0, profile.wakeNs()));
    }

    private void awaitEnd() {
        StallWatch watch = new StallWatch(this, plan.realTimeoutNs());
        boolean interrupted = false;
        while (running.get() > 0 && !watch.hasGivenUp()) {
            LockSupport.parkNanos(this, SURVEY_NS);
            interrupted |= Thread.interrupted();
            if (running.get() > 0) {
                watch.look();
            }
        }
        if (interrupted) {
            runner.interrupt();
        }
    }

    private SimResult result() {
        List<ProcessResult> results = new ArrayList<>();
        for (SimRank process : processes) {
            RankOutcome outcome = process.outcome();
            results.add(new ProcessResult(
                    process.id(),
                    outcome == null ? new RankOutcome(RankEnd.ABORTED, null, "the run is over") : outcome,
                    process.trail().count(),
                    process.trail().lines(START_NS),
                    process.sends().frames(),
                    process.sends().bytes()));
        }
        return new SimResult(
                plan,
                results,
                launcher.abortCode(),
                journal,
                queue.nowNs() - START_NS,
                events,
                failure,
                abandoned,
                launcher.programSuspects());
    }

    /**
     * Takes the baton from {@code self}, whose thread calls this; returns when it has it again. Null gives it up for
     * good.
     */
    void pass(SimRank self) {
        SimRank next = nextTurn();
        if (next == null || next == self) {
            return;
        }
        holder = next;
        next.giveTurn();
        if (self != null) {
            self.awaitTurn();
        }
    }

    /** Lets happen what comes next until it is some thread's turn; null if no thread is left. */
    private SimRank nextTurn() {
        betweenTurns = true;
        try {
            while (!over) {
                SimRank next = step();
                if (next != null) {
                    return next;
                }
            }
        } catch (RuntimeException | Error e) {
            broken(e);
        } finally {
            betweenTurns = false;
        }
        return firstUnfinished();
    }

    private SimRank step() {
        if (running.get() == 0) {
            over = true;
            return null;
        }
        long nextNs = queue.isEmpty() ? Long.MAX_VALUE : queue.nextNs();
        if (faults.arePast()
                && (nextNs == Long.MAX_VALUE || nextNs - Math.max(lastTurnNs, disturbedUntilNs) > patienceNs())) {
            fail("every rank waits, and nothing that could change that will happen");
            return null;
        }
        if (nextNs - START_NS > plan.timeoutNs()) {
            fail("the program has not ended after " + plan.timeoutNs() / 1_000_000 + " ms of its time");
            return null;
        }
        if (++events > plan.mostEvents()) {
            fail("the program has not ended after " + plan.mostEvents() + " events");
            return null;
        }
        steps = events;
        queue.runNext();
        SimRank next = chosen;
        chosen = null;
        if (next != null) {
            lastTurnNs = queue.nowNs();
        }
        return next;
    }

    /** It is this rank's turn. */
    void choose(SimRank rank) {
        chosen = rank;
    }

    /** Time passes until then, if nothing else happens before; the caller keeps the baton. */
    boolean passTime(long untilNs) {
        if (untilNs - START_NS > plan.timeoutNs() || !queue.passTime(untilNs)) {
            return false;
        }
        lastTurnNs = untilNs;
        steps = ~untilNs;
        return true;
    }

    private SimRank firstUnfinished() {
        for (SimRank process : processes) {
            if (!process.isThreadDone() && process.thread() != Thread.currentThread()) {
                return process;
            }
        }
        return null;
    }

    /** The calling thread, which has the baton, was a rank's and is none any more. */
    void onThreadEnd() {
        if (running.decrementAndGet() == 0) {
            LockSupport.unpark(runner);
        } else if (!abandoned) {
            pass(null);
        }
    }

    // Its bounds.

    private void fail(String why) {
        failure = why + "\n" + SimWaitSurvey.of(processes, START_NS);
        endAll(why);
    }

    /** The simulator itself failed, on the thread that has the baton. */
    void broken(Throwable thrown) {
        // A thread whose turn is taken away in the midst of its work may find anything.
        if (!abandoned) {
            breakdown = thrown;
            endAll("the simulator failed");
        }
    }

    /** From any thread: the thread that has the baton does not come back. */
    void abandon(String why) {
        failure = why;
        // In this order: any rank that sees that its turn is taken away must also see that there are none any more.
        over = true;
        abandoned = true;
        endAll(why);
        for (SimRank process : processes) {
            LockSupport.unpark(process.thread());
        }
    }

    private void endAll(String why) {
        over = true;
        for (SimRank process : processes) {
            if (process.end(new RankOutcome(RankEnd.ABORTED, null, why))) {
                process.kill(why);
            }
        }
    }

    boolean isOver() {
        return over;
    }

    boolean isAbandoned() {
        return abandoned;
    }

    SimRank holder() {
        return holder;
    }

    /** Changes as long as the run gets on. */
    long steps() {
        return steps;
    }

    // What the ranks ask for.

    long detectorTimeoutNs() {
        return plan.settings().timing().detectorTimeoutNs();
    }

    SimHost host() {
        return host;
    }

    /** Schedules an event of the run. */
    void at(long timeNs, Runnable event) {
        queue.at(timeNs, event);
    }

    long nowNs() {
        return queue.nowNs();
    }

    SimProfile profile() {
        return profile;
    }

    SimLauncher launcher() {
        return launcher;
    }

    /** Whether the thread with the baton lets things happen, and runs no program. */
    boolean isBetweenTurns() {
        return betweenTurns;
    }

    int size() {
        return ranks.length;
    }

    /** The latest process of a slot. */
    SimRank rank(int slot) {
        return ranks[slot];
    }

    /** The process of an id, which may not have begun; null if there never was such a process. */
    SimRank process(ProcessId id) {
        SimRank latest = id.slot() < ranks.length ? ranks[id.slot()] : null;
        if (latest == null || latest.id().equals(id)) {
            return latest;
        }
        for (SimRank process : processes) {
            if (process.id().equals(id)) {
                return process;
            }
        }
        return launcher.started(id);
    }

    /** All that were ever started. */
    List<SimRank> processes() {
        return processes;
    }

    SimRank checkedRank(int slot) {
        if (slot < 0 || slot >= ranks.length) {
            throw new IllegalArgumentException("rank " + slot + " must be from 0 to " + (ranks.length - 1));
        }
        return ranks[slot];
    }

    long delayNs() {
        long longest = profile.stragglerPercent() > 0 && network.chance(profile.stragglerPercent())
                ? 50 * profile.delayNs()
                : profile.delayNs();
        return 200 + network.between(0, longest);
    }

    /** Whether what a rank writes is seen before the flag that says so. */
    boolean storesEarly(int percent) {
        return network.chance(percent);
    }

    long wakeNs() {
        return scheduling.between(0, profile.wakeNs());
    }

    /**
     * What the next call costs, after this many in a row that found nothing new: a loop that polls must let time pass.
     */
    long callNs(int idleCalls) {
        long costNs = scheduling.chance(profile.callPercent()) ? scheduling.between(1, profile.callNs()) : 0;
        if (idleCalls < IDLE_CALLS) {
            return costNs;
        }
        int doublings = Math.min(MOST_DOUBLINGS, (idleCalls - IDLE_CALLS) / IDLE_CALLS_A_DOUBLING);
        return Math.max(costNs, Math.min(IDLE_CALL_NS, 1L << doublings));
    }

    /** A rank that replaces waits for newcomers, in each round as long as that may take. */
    private long patienceNs() {
        return awaitsNewcomers ? patienceNs + plan.settings().replaceTerms().timeoutNs() : patienceNs;
    }

    /** How long after a silence has begun a rank has ended for it, or no rank will. */
    long silenceEndsNs() {
        return patienceNs;
    }

    /** Until then it is no wonder if nothing goes on. */
    void disturbedUntil(long timeNs) {
        disturbedUntilNs = Math.max(disturbedUntilNs, timeNs);
    }

    SimFaults faults() {
        return faults;
    }

    void onCall(SimRank rank, String operation) {
        note(SimJournal.Kind.CALL, rank, operation.hashCode(), operation);
        awaitsNewcomers |= operation.equals("replace");
    }

    void onFrame(SimLane lane, SimRecord record, boolean isTaken) {
        SimJournal.Kind kind = isTaken ? SimJournal.Kind.FRAME : SimJournal.Kind.DROP;
        long digest = SimJournal.mix(record.digest(), number(lane.from.rank()));
        journal.note(queue.nowNs(), kind, number(lane.to.rank()), digest);
        if (journal.keeps()) {
            String text = (record.exclusion ? "an exclusion" : record.frame) + " from rank "
                    + lane.from.rank().id();
            journal.keep(
                    queue.nowNs(),
                    kind,
                    lane.to.rank().id(),
                    digest,
                    text,
                    lane.to.rank().trail().last());
        }
    }

    void note(SimJournal.Kind kind, SimRank rank, long digest, String text) {
        journal.note(queue.nowNs(), kind, number(rank), digest);
        if (journal.keeps()) {
            journal.keep(
                    queue.nowNs(), kind, rank.id(), digest, text, rank.trail().last());
        }
    }

    /** Tells all processes of a run apart. */
    private static int number(SimRank process) {
        return process.slot() | process.id().incarnation() << INCARNATION_SHIFT;
    }
}
