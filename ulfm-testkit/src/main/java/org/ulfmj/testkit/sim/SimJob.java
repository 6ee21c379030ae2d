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
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.runtime.member.RankIdentity;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.sim.EventQueue;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.testkit.RankEnd;
import org.ulfmj.testkit.RankOutcome;
import org.ulfmj.testkit.RunningRank;
import org.ulfmj.testkit.launcher.RankLine;
import org.ulfmj.transport.MemberRecord;

/**
 * One run of a {@link SimWorld}: its time, its events and its ranks. Only the thread that has the baton may touch any
 * of this, except to watch the run and to {@link #abandon} it. That thread runs the program of its rank. When the rank
 * waits, or a call takes time, the thread carries out the next events until one of them is the turn of a rank. It then
 * hands the baton to that rank's thread, or goes on if it is that thread itself.
 */
final class SimJob {
    static final long START_NS = 1_000_000_000;
    private static final byte[] SECRET = "ranks are simulated processes".getBytes(StandardCharsets.US_ASCII);
    /** The most that a call costs after many calls in a row that found nothing new. */
    private static final long IDLE_CALL_NS = 100_000;

    private static final int IDLE_CALLS = 16;
    private static final int IDLE_CALLS_A_DOUBLING = 8;
    private static final int MOST_DOUBLINGS = 17;
    private static final int INCARNATION_SHIFT = 20;
    /**
     * How many per cent of the pieces of local work take time. Other ranks may then go on before the rank of the piece
     * knows that it is done.
     */
    private static final int PIECE_PERCENT = 30;

    private static final long SURVEY_NS = 200_000_000;

    private final SimPlan plan;
    private final SimProfile profile;
    private final SeededRandom network;
    private final SeededRandom scheduling;
    private final SeededRandom pieces;
    private final SimHost host;
    private final SimLauncher launcher;
    private final SimFaults faults;
    private final EventQueue queue = new EventQueue(START_NS);
    private final SimJournal journal;
    /**
     * The processes of the first world by slot, then those that replaced dead ones or joined, in the order in which
     * their ranks began. A process that does not know its world yet is not among them.
     */
    private final List<SimRank> processes = new CopyOnWriteArrayList<>();
    /** The process of each slot that began last; null if none has begun. */
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
    /**
     * A number that changes with each event. Written by the thread that has the baton, read by the watch of real time.
     */
    private volatile long steps;

    /** Whether the run is over: no event happens any more, and ranks that still run find themselves dead. */
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
        this.pieces = SeededRandom.of(seed, "pieces");
        this.faults = new SimFaults(this, plan.faults(), plan.settings().timing());
        this.journal = new SimJournal(keepsJournal);
        this.ranks = new SimRank[plan.slots()];
        this.launcher = new SimLauncher(this, plan);
        this.running = new AtomicInteger(plan.ranks());
        this.patienceNs = 3 * (ranks.length + 1) * plan.settings().timing().detectorTimeoutNs();
        List<MemberRecord> table = new ArrayList<>();
        for (int slot = 0; slot < plan.ranks(); slot++) {
            SimRank rank = launcher.first(slot);
            table.add(rank.me());
            add(rank);
        }
        Membership members = Membership.initial(plan.ranks());
        for (SimRank rank : processes) {
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

    /**
     * Returns the settings of a process. If collectives may go by shared memory, the seed chooses from when on, and
     * whether the ranks assume that their host has too few cores.
     */
    private RankSettings settings(SimRank process) {
        RankSettings chosen = plan.settings();
        RankSettings drawn = chosen.hostCollectivesAfter() == RankSettings.NEVER
                ? chosen
                : chosen.withHostCollectivesAfter(profile.hostCollectivesAfter())
                        .withWait(chosen.politeWait(), profile.crowded());
        return drawn.withTriggers(faults.triggers(process.id()));
    }

    boolean doesInputLie() {
        return plan.doesInputLie();
    }

    // The course of the run.

    SimResult run(Mains mains) {
        programs = mains;
        context = runner.getContextClassLoader();
        try {
            launcher.gather();
            while (!launcher.isGathered()) {
                queue.runNext();
            }
            for (SimRank rank : processes) {
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

    /** Starts the program of a process that is to take a dead one's place, in this world or in the next. */
    void begin(SimRank newcomer) {
        begin(newcomer, newcomer.wire().line().table());
    }

    private void begin(SimRank newcomer, List<MemberRecord> world) {
        bind(newcomer, world, RankIdentity.of(newcomer.me(), world, SECRET));
        add(newcomer);
        running.incrementAndGet();
        note(SimJournal.Kind.START, newcomer, newcomer.me().nonce(), "beside " + world);
        start(newcomer);
    }

    /**
     * A rank calls a process that joined without a slot, by a name (G10). As long as the process does not know that it
     * waits, the call is put off. If it waits without a name, and no other process has this name, the call gives it the
     * name, and its rank begins. The caller, unless it has ended, then learns whether the process is the one of this
     * name.
     */
    void greet(SimRank by, MemberRecord called) {
        RankLine joiner = launcher.lineOf(called.nonce());
        ProcessId name = called.id();
        if (joiner.isYetToWait() && !over) {
            if (!by.hasEnded()) {
                at(nowNs() + delayNs(), () -> greet(by, called));
            }
            return;
        }
        if (process(name) == null && joiner.takeName(name)) {
            // The members of the world that the caller is in, or has just entered: any of them may call the process,
            // too.
            List<MemberRecord> world = new ArrayList<>(by.wire().line().table());
            world.removeIf(member -> member.nonce() == called.nonce());
            SimRank newcomer = launcher.named(joiner);
            newcomer.fabric().takeStrangers(true);
            begin(newcomer, world);
        }
        if (by.hasEnded()) {
            return;
        }
        if (joiner.isCalled(name)) {
            by.fabric().answered(name);
        } else {
            by.runtime().news().onNotMe(name, called.nonce());
            by.poll();
        }
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
     * Gives the baton to the rank whose turn is next. Returns when {@code self}, whose thread calls this, has the baton
     * again, or the run is abandoned.
     *
     * @param self null gives the baton up for good, and this returns at once
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

    /**
     * Carries out events until one of them is the turn of a rank. Returns that rank, or, if the run is over, the first
     * rank whose thread is not done and is another than this one; null if there is none.
     */
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

    /** Notes that the event that is carried out is the turn of this rank. */
    void choose(SimRank rank) {
        chosen = rank;
    }

    /**
     * Lets time pass until the given moment, while the caller keeps the baton. Returns false, and does nothing, if
     * another event comes up to that moment, or the time of the run ends before it.
     */
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

    /** Called when the main of a rank has ended on the calling thread, which has the baton. */
    void onThreadEnd() {
        if (running.decrementAndGet() == 0) {
            LockSupport.unpark(runner);
        } else if (!abandoned) {
            pass(null);
        }
    }

    // The bounds of the run.

    private void fail(String why) {
        failure = why + "\n" + SimWaitSurvey.of(processes, START_NS);
        endAll(why);
    }

    /** Ends the run because the simulator itself failed. Called on the thread that has the baton. */
    void broken(Throwable thrown) {
        // A thread whose turn was taken away in the midst of its work may meet any state, so its errors do not count.
        if (!abandoned) {
            breakdown = thrown;
            endAll("the simulator failed");
        }
    }

    /** Ends the run because the thread that has the baton does not return it. May be called by any thread. */
    void abandon(String why) {
        failure = why;
        // The two flags are set in this order: a rank that sees that its turn was taken away must also see that the run
        // is over.
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

    /** Returns a number that changes as long as the run makes progress. */
    long steps() {
        return steps;
    }

    // The methods below answer questions of the ranks and of their parts.

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

    /** Whether the thread with the baton carries out events and does not run its program. */
    boolean isBetweenTurns() {
        return betweenTurns;
    }

    /** Returns how many slots processes may have. */
    int slots() {
        return ranks.length;
    }

    /** Returns how many members the first world has. */
    int founders() {
        return plan.ranks();
    }

    /** Whether processes join the world while it runs. */
    boolean isElastic() {
        return plan.joiners() > 0;
    }

    /** Draws whether the call of a process by its name, which a rank has under way, arrives although the rank dies. */
    boolean survivesSender() {
        return network.chance(50);
    }

    /** Returns the latest process of a slot; null if none has begun. */
    SimRank rank(int slot) {
        return ranks[slot];
    }

    /** Returns the process with this id, which may not have begun; null if there never was one. */
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

    /** The processes of the first world, and all others that ever began. */
    List<SimRank> processes() {
        return processes;
    }

    SimRank checkedRank(int slot) {
        if (slot < 0 || slot >= ranks.length || ranks[slot] == null) {
            throw new IllegalArgumentException("rank " + slot + " must be from 0 to " + (ranks.length - 1)
                    + (isElastic() ? ", and its process must have begun" : ""));
        }
        return ranks[slot];
    }

    long delayNs() {
        long longest = profile.stragglerPercent() > 0 && network.chance(profile.stragglerPercent())
                ? 50 * profile.delayNs()
                : profile.delayNs();
        return 200 + network.between(0, longest);
    }

    /**
     * Draws, with this probability in per cent, for one release of a word, whether the stores before it are seen
     * earlier than the word.
     */
    boolean storesEarly(int percent) {
        return network.chance(percent);
    }

    long wakeNs() {
        return scheduling.between(0, profile.wakeNs());
    }

    /**
     * Returns the cost of the next call of a rank, after this many calls in a row that found nothing new. The cost of
     * such calls grows, because a loop that polls must let time pass.
     */
    long callNs(int idleCalls) {
        long costNs = scheduling.chance(profile.callPercent()) ? scheduling.between(1, profile.callNs()) : 0;
        if (idleCalls < IDLE_CALLS) {
            return costNs;
        }
        int doublings = Math.min(MOST_DOUBLINGS, (idleCalls - IDLE_CALLS) / IDLE_CALLS_A_DOUBLING);
        return Math.max(costNs, Math.min(IDLE_CALL_NS, 1L << doublings));
    }

    /** Returns the cost of a piece of local work, drawn from a separate source so that it changes no other property. */
    long pieceNs() {
        return pieces.chance(PIECE_PERCENT) ? pieces.between(1, profile.wakeNs() + profile.delayNs()) : 0;
    }

    /**
     * Returns how long no rank may have a turn before the run counts as hung. It is longer once a rank has called
     * replace(), because a wait for newcomers may take the whole time-out of replace in each round.
     */
    private long patienceNs() {
        return awaitsNewcomers ? patienceNs + plan.settings().replaceTerms().timeoutNs() : patienceNs;
    }

    /** Returns how long after the beginning of a silence a rank may still be ended for it. */
    long silenceEndsNs() {
        return patienceNs;
    }

    /** Lets the time without a turn, after which the run counts as hung, begin no earlier than this. */
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

    /** Returns a number that no other process of the run has. */
    private static int number(SimRank process) {
        return process.slot() | process.id().incarnation() << INCARNATION_SHIFT;
    }
}
