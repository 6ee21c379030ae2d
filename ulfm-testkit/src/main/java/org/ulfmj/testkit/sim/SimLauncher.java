package org.ulfmj.testkit.sim;

import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.testkit.RankEnd;
import org.ulfmj.testkit.RankOutcome;
import org.ulfmj.testkit.launcher.RankLine;
import org.ulfmj.testkit.launcher.WorldLauncher;

/**
 * The {@link WorldLauncher} of a {@link SimJob}, with a {@link SimWire} to each process. It looks at the state of each
 * process, notices how each process ends, and ends the job if a process aborts it. The launcher may die. Messages that
 * it has under way then may or may not arrive. Needs the baton.
 */
final class SimLauncher implements WorldLauncher.Effects {
    private static final int WORD_SHARE = 40; // a word takes at most a fortieth of the detector's timeout

    /** A newcomer that is not admitted within this time after it noticed the end of the launcher gives up. */
    private static final long JOIN_NS = 30_000_000_000L;

    /**
     * The state letters of a process that stands still: stopped, asleep, which shows no standstill, or waiting for a
     * disk.
     */
    private static final char[] STANDING = {'T', 'S', 'D'};

    private static final char RUNNING = 'S';

    private final SimJob job;
    private final SeededRandom chance;
    private final SeededRandom starts;
    private final SeededRandom words;
    private final WorldLauncher world;
    private final boolean deathsAreTold;
    /** The longest delay that is drawn for a message to or from a process. */
    private final long mostWordNs;
    /**
     * The longest time from the start of a process until it joins, for processes that replace dead ones or join later.
     * The seed draws it, because some processes wait ready and others take long to start.
     */
    private final long startNs;

    private final SimProfile.Arrival afterLauncher;
    private final SortedMap<ProcessId, SimWire> wires = new TreeMap<>();

    /** The processes that joined and have no name yet, by nonce. */
    private final SortedMap<Long, SimWire> nameless = new TreeMap<>();

    /** The processes that stood still when the launcher last looked. */
    private final SortedSet<ProcessId> stood = new TreeSet<>();

    /** The processes at which SIGKILL is pending: such a process dies at the moment when it would go on. */
    private final SortedSet<ProcessId> doomed = new TreeSet<>();

    private final SortedSet<ProcessId> proven = new TreeSet<>();
    private final Runnable tick = this::onTick;
    private Integer abortCode;
    private boolean programSuspects;
    private boolean hasEnded;

    SimLauncher(SimJob job, SimPlan plan) {
        this.job = job;
        this.chance = SeededRandom.of(plan.seed(), "launcher");
        this.starts = SeededRandom.of(plan.seed(), "restarts");
        this.words = SeededRandom.of(plan.seed(), "judge");
        this.deathsAreTold = plan.deathsAreTold();
        long timeoutNs = plan.settings().timing().detectorTimeoutNs();
        this.mostWordNs = Math.max(1, Math.min(job.profile().newsNs(), timeoutNs / WORD_SHARE));
        this.startNs = starts.pick(1_000, 100_000, 10_000_000, 1_000_000_000, 20_000_000_000L);
        this.afterLauncher = SimProfile.Arrival.values()[starts.below(SimProfile.Arrival.values().length)];
        this.world = new WorldLauncher(plan.ranks(), plan.joiners(), plan.restarts(), timeoutNs, plan.hosts(), this);
    }

    /** The source of random numbers for the consequences of a death, also of the launcher's. */
    SeededRandom chance() {
        return chance;
    }

    /** Returns the process of incarnation 0 of a slot. To be called before {@link #gather}. */
    SimRank first(int slot) {
        return wire(world.line(ProcessId.of(slot))).rank();
    }

    /** Returns the process with this id, which was started and may not know its world yet; null if there is none. */
    SimRank started(ProcessId process) {
        SimWire wire = wires.get(process);
        return wire == null ? null : wire.rank();
    }

    private SimWire wire(RankLine line) {
        if (line.isNameless()) {
            return nameless.computeIfAbsent(line.me().nonce(), nonce -> newWire(line));
        }
        return wires.computeIfAbsent(line.me().id(), id -> newWire(line));
    }

    private SimWire newWire(RankLine line) {
        return new SimWire(job, this, line, STANDING[words.below(STANDING.length)]);
    }

    /** The line of the process with this nonce; null if there is none. */
    RankLine lineOf(long nonce) {
        return world.lineOf(nonce);
    }

    /** A process that joined without a slot has got a name. Returns its rank, which is to begin. */
    SimRank named(RankLine joiner) {
        SimWire wire = nameless.remove(joiner.me().nonce());
        wires.put(joiner.me().id(), wire);
        return wire.named();
    }

    /** Lets the processes of the first world join at once. */
    void gather() {
        world.gather();
    }

    /** Whether the first world has been formed. */
    boolean isGathered() {
        return world.isGathered();
    }

    /** Begins the ticks: from now on the launcher looks at its processes and judges silences. */
    void start() {
        job.at(world.nextDeadlineNs(), tick);
    }

    private void onTick() {
        if (hasEnded || job.isOver()) {
            return;
        }
        for (SimRank process : job.processes()) {
            look(process);
        }
        world.tick();
        long dueNs = world.nextDeadlineNs();
        // The ticks go on even where no deadline is set, because another process may still be started.
        job.at(dueNs == Long.MAX_VALUE ? job.nowNs() + mostWordNs * WORD_SHARE : dueNs, tick);
    }

    private void look(SimRank process) {
        boolean stands = process.stands();
        boolean stoodBefore = stands ? !stood.add(process.id()) : stood.remove(process.id());
        if (!process.hasEnded() && (stands || stoodBefore)) {
            world.looked(process.wire().line(), stands ? letter(process) : RUNNING, doomed.contains(process.id()));
        }
    }

    /**
     * Returns the state letter of a process that stands still. A standstill without end is never a wait for a disk:
     * SIGKILL would not end it, nor would the run end.
     */
    private static char letter(SimRank process) {
        char letter = process.wire().letter;
        return letter == 'D' && process.standsUntilNs() == SimRank.FOR_EVER_NS ? 'T' : letter;
    }

    @Override
    public long nowNs() {
        return job.nowNs();
    }

    @Override
    public long startNs() {
        return starts.anyMagnitude(startNs);
    }

    /**
     * Draws how long the next message between a process and the launcher is under way; 0 until the first world has
     * gathered.
     */
    long wordNs() {
        return isGathered() ? words.anyMagnitude(mostWordNs) : 0;
    }

    @Override
    public void toLauncher(RankLine line, RendezvousMessage message) {
        wire(line).up(message);
    }

    @Override
    public void toProcess(RankLine line, RendezvousMessage message) {
        wire(line).down(message);
    }

    void hear(SimWire from, RendezvousMessage message) {
        if (!hasEnded) {
            world.hear(from.line(), message);
        }
    }

    @Override
    public void later(long afterNs, Runnable task) {
        job.disturbedUntil(job.nowNs() + afterNs);
        job.at(job.nowNs() + afterNs, () -> {
            if (!hasEnded && !job.isOver()) {
                task.run();
            }
        });
    }

    @Override
    public void endSilent(ProcessId process, String reason) {
        RankLine line = world.lineNamed(process);
        SimRank victim = line == null ? null : wire(line).rank();
        if (victim == null) {
            return; // has ended, or has no name yet and so answers for no rank
        }
        if (victim.stands() && letter(victim) == 'D') {
            if (doomed.add(victim.id())) {
                job.at(victim.standsUntilNs() - 1, () -> end(victim, reason));
            }
        } else {
            job.at(job.nowNs() + words.anyMagnitude(mostWordNs), () -> end(victim, reason));
        }
    }

    private void end(SimRank victim, String reason) {
        die(victim, new RankOutcome(RankEnd.SILENCED, null, reason), false);
        prove(victim, "its process " + reason + ", and the launcher ended it");
    }

    /**
     * Ends the launcher. Each rank that has begun, and has not ended by then, notices that after the last message that
     * still arrives.
     */
    void end() {
        if (hasEnded) {
            return;
        }
        hasEnded = true;
        for (SimWire wire : nameless.values()) {
            wire.loseAt(job.nowNs());
        }
        for (SimWire wire : wires.values()) {
            SimRank process = wire.rank();
            if (!process.hasBegun()) {
                wire.loseAt(job.nowNs());
                continue;
            }
            wire.loseAt(
                    switch (afterLauncher) {
                        case ALL -> Math.max(job.nowNs(), wire.downNs() + 1);
                        case NONE -> job.nowNs();
                        case SOME ->
                            job.nowNs() + chance.anyMagnitude(job.profile().newsNs());
                    });
            notice(
                    wire.lostNs()
                            - job.nowNs()
                            + chance.anyMagnitude(job.profile().newsNs()),
                    process,
                    () -> {
                        wire.line().onLauncherLost("the launcher is gone");
                        if (wire.line().isPending()) {
                            notice(JOIN_NS, process, () -> giveUp(process));
                        }
                    });
        }
    }

    private void giveUp(SimRank newcomer) {
        if (newcomer.wire().line().isPending()) {
            newcomer.runtime().news().onGoneOnWithout("no member has admitted it and the launcher is gone");
        }
    }

    private void notice(long afterNs, SimRank process, Runnable event) {
        job.disturbedUntil(job.nowNs() + afterNs);
        job.at(job.nowNs() + afterNs, () -> {
            if (!process.hasEnded()) {
                event.run();
                process.poll();
            }
        });
    }

    /** Returns the code of an abort; null if the job was not aborted. */
    Integer abortCode() {
        return abortCode;
    }

    /** Whether the program itself has declared a rank failed. */
    boolean programSuspects() {
        return programSuspects;
    }

    boolean hasEnded() {
        return hasEnded;
    }

    void onMainEnd(SimRank rank, Throwable thrown) {
        if (job.isOver()) {
            return;
        }
        if (thrown != null) {
            die(rank, new RankOutcome(RankEnd.THREW, thrown, ""), true);
        } else if (rank.runtime().isFinished()) {
            depart(rank);
        } else {
            die(rank, new RankOutcome(RankEnd.RETURNED, null, ""), true);
        }
    }

    /**
     * Notes that the rank is dead from now on, unless it has ended already.
     *
     * @param isTold whether the other ranks are told of the death, each after another delay, in a world where deaths
     *     are told
     */
    void die(SimRank dead, RankOutcome outcome, boolean isTold) {
        if (!dead.end(outcome)) {
            return;
        }
        job.note(
                SimJournal.Kind.DEATH,
                dead,
                outcome.end().ordinal(),
                outcome.end().name());
        dead.fabric().kill(chance, job.profile().arrival());
        dead.kill(outcome.toString());
        if (isTold && deathsAreTold) {
            prove(dead, "its thread ended: " + outcome);
        }
    }

    /**
     * Makes the end of a process known to the launcher, and to the other ranks as their broken connections would: each
     * rank learns it after another delay. No rank learns it so if the launcher has ended and no message of the launcher
     * arrives any more.
     */
    void prove(SimRank dead, String reason) {
        if (!proven.add(dead.id())) {
            return;
        }
        if (!hasEnded || afterLauncher != SimProfile.Arrival.NONE) {
            for (SimRank other : job.processes()) {
                if (other != dead && !other.hasEnded()) {
                    long atNs = job.nowNs() + chance.anyMagnitude(job.profile().newsNs());
                    job.at(atNs, new Loss(other, dead, new Evidence(Evidence.Kind.CERTAIN, other.id(), reason)));
                }
            }
        }
        later(0, () -> world.prove(dead.wire().line(), reason));
    }

    /** Ends a newcomer because the world went on without it, and tells the launcher. */
    void stayOut(SimRank newcomer, String why) {
        if (newcomer.end(new RankOutcome(RankEnd.NOT_ADMITTED, null, why))) {
            job.note(SimJournal.Kind.DEPART, newcomer, 1, why);
            newcomer.fabric().kill(chance, SimProfile.Arrival.ALL);
            newcomer.kill(why);
            proven.add(newcomer.id());
            later(0, () -> world.stayedOut(newcomer.wire().line(), why));
        }
    }

    /** Notes that the rank ended after Finalize, and tells the launcher. */
    private void depart(SimRank departed) {
        if (departed.end(new RankOutcome(RankEnd.FINALIZED, null, ""))) {
            job.note(SimJournal.Kind.DEPART, departed, 0, "");
            proven.add(departed.id());
            later(0, () -> world.departed(departed.wire().line()));
        }
    }

    /** The event in which a process notices that its connection to a dead process is broken. */
    private final class Loss implements Runnable {
        private final SimRank observer;
        private final SimRank dead;
        private final Evidence evidence;

        Loss(SimRank observer, SimRank dead, Evidence evidence) {
            this.observer = observer;
            this.dead = dead;
            this.evidence = evidence;
        }

        @Override
        public void run() {
            if (!observer.hasEnded() && !observer.isPaused(this)) {
                job.note(SimJournal.Kind.NEWS, observer, dead.slot(), "death of rank " + dead.id());
                if (job.isElastic()) {
                    observer.runtime()
                            .news()
                            .onEnd(dead.me().nonce(), evidence); // a name may be another process's later
                } else {
                    observer.runtime().news().onEvidence(dead.id(), evidence);
                }
                observer.poll();
            }
        }
    }

    void abort(int code, String reason) {
        if (abortCode != null) {
            return;
        }
        abortCode = code;
        for (SimRank rank : job.processes()) {
            if (rank.end(new RankOutcome(RankEnd.ABORTED, null, reason))) {
                job.note(SimJournal.Kind.DEATH, rank, RankEnd.ABORTED.ordinal(), RankEnd.ABORTED.name());
                rank.fabric().kill(chance, SimProfile.Arrival.ALL);
                rank.kill("the job was aborted: " + reason);
            }
        }
    }

    /** Lets a rank declare another process failed because the program says so. */
    void suspectForProgram(SimRank observer, ProcessId process) {
        programSuspects = true;
        suspect(observer, process);
    }

    void suspect(SimRank observer, ProcessId process) {
        Evidence evidence = new Evidence(Evidence.Kind.SUSPECTED, observer.id(), "the test says that it is silent");
        observer.runtime().news().onEvidence(process, evidence);
        observer.pollSoon();
    }
}
