package org.ulfmj.testkit.sim;

import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.silence.SilenceEffects;
import org.ulfmj.rendezvous.silence.SilenceJudge;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.testkit.RankEnd;
import org.ulfmj.testkit.RankOutcome;

/**
 * The part of a {@link SimLauncher} that ends processes which fall silent: the shipped {@link SilenceJudge}, with a
 * line to and from each process on which nothing overtakes anything, and with eyes for the state of each. Needs the
 * baton.
 */
final class SimJudge implements SilenceEffects {
    private static final int LINE_SHARE = 40; // of the timeout, at most, that a word takes

    /** What the system says of a process that stands still: a stop, a wait for a disk, or nothing at all. */
    private static final char[] STANDING = {'T', 'S', 'D'};

    private static final char RUNNING = 'S';

    private final SimJob job;
    private final SimLauncher launcher;
    private final SilenceJudge judge;
    private final SeededRandom chance;
    private final long mostNs;
    private final SortedMap<ProcessId, Line> lines = new TreeMap<>();

    /** They stood still at the last look. */
    private final SortedSet<ProcessId> stood = new TreeSet<>();

    /** SIGKILL waits for them: they take it when they would go on. */
    private final SortedSet<ProcessId> doomed = new TreeSet<>();

    private final SortedSet<ProcessId> gone = new TreeSet<>();
    private final Runnable tick = this::onTick;

    SimJudge(SimJob job, SimLauncher launcher, SimPlan plan) {
        this.job = job;
        this.launcher = launcher;
        long timeoutNs = plan.settings().timing().detectorTimeoutNs();
        this.judge = new SilenceJudge(timeoutNs, this);
        this.chance = SeededRandom.of(plan.seed(), "judge");
        this.mostNs = Math.max(1, Math.min(job.profile().newsNs(), timeoutNs / LINE_SHARE));
    }

    void start() {
        for (SimRank rank : job.processes()) {
            judge.runs(rank.id(), job.nowNs());
        }
        job.at(judge.nextDeadlineNs(), tick);
    }

    /** A newcomer is there, and waits for a place. */
    void waits(SimRank newcomer) {
        if (!launcher.hasEnded()) {
            judge.waits(newcomer.id(), job.nowNs());
        }
    }

    /** The end of the process is known, or it has departed. */
    void leaves(SimRank process) {
        gone.add(process.id());
        judge.leaves(process.id(), job.nowNs());
    }

    private void onTick() {
        if (launcher.hasEnded() || job.isOver()) {
            return;
        }
        for (SimRank process : job.processes()) {
            look(process);
        }
        judge.onTick(job.nowNs());
        long dueNs = judge.nextDeadlineNs();
        // All have left for now; another may be started.
        job.at(dueNs == Long.MAX_VALUE ? job.nowNs() + mostNs * LINE_SHARE : dueNs, tick);
    }

    private void look(SimRank process) {
        ProcessId id = process.id();
        boolean stands = process.stands();
        if (!gone.contains(id) && (stands || stood.contains(id))) {
            judge.looked(id, stands ? letter(process) : RUNNING, doomed.contains(id), job.nowNs());
        }
        if (stands) {
            stood.add(id);
        } else {
            stood.remove(id);
        }
    }

    /** No disk is waited for for ever: the run would have no end. */
    private char letter(SimRank process) {
        char letter = line(process.id()).letter;
        return letter == 'D' && process.standsUntilNs() == SimRank.FOR_EVER_NS ? 'T' : letter;
    }

    // What processes say.

    /** It is a member of a world. */
    void joins(SimRank process) {
        up(process, nowNs -> judge.runs(process.id(), nowNs));
    }

    void saysGoodbye(SimRank process) {
        up(process, nowNs -> {
            gone.add(process.id());
            judge.leaves(process.id(), nowNs);
        });
    }

    void suspects(SimRank by, ProcessId about) {
        up(by, nowNs -> {
            if (!gone.contains(about)) {
                judge.suspects(by.id(), about, nowNs);
            }
        });
    }

    void hears(SimRank by, ProcessId about) {
        up(by, nowNs -> judge.hears(by.id(), about, nowNs));
    }

    void answers(SimRank process, long question) {
        up(process, nowNs -> judge.answers(process.id(), question, nowNs));
    }

    void confirms(SimRank by, long question, ProcessId about) {
        up(by, nowNs -> judge.confirms(by.id(), question, about, nowNs));
    }

    private void up(SimRank from, LongConsumer word) {
        if (launcher.hasEnded() || from.hasEnded() || job.isOver()) {
            return;
        }
        Line line = line(from.id());
        line.upNs = Math.max(line.upNs + 1, job.nowNs() + chance.anyMagnitude(mostNs));
        job.at(line.upNs, () -> {
            if (!launcher.hasEnded() && !gone.contains(from.id())) {
                word.accept(job.nowNs());
            }
        });
    }

    // What the judge wants.

    @Override
    public void ask(ProcessId member, long question, List<ProcessId> complainers) {
        down(member, "are you there", process -> process.onAreYouThere(question, complainers));
    }

    @Override
    public void askComplainer(ProcessId complainer, long question, ProcessId about) {
        down(complainer, "do you hear", process -> process.onDoYouHear(question, about));
    }

    @Override
    public void kill(ProcessId process, String reason) {
        SimRank victim = job.process(process);
        if (victim.stands() && letter(victim) == 'D') {
            if (doomed.add(process)) {
                job.at(victim.standsUntilNs() - 1, () -> end(victim, reason));
            }
        } else {
            job.at(job.nowNs() + chance.anyMagnitude(mostNs), () -> end(victim, reason));
        }
    }

    private void end(SimRank victim, String reason) {
        if (!gone.contains(victim.id())) {
            launcher.die(victim, new RankOutcome(RankEnd.SILENCED, null, reason), false);
            launcher.prove(victim, "its process " + reason + ", and the launcher ended it");
        }
    }

    @Override
    public void giveUp(ProcessId process, String reason) {
        for (SimRank other : job.processes()) {
            if (!other.id().equals(process) && !other.hasEnded()) {
                Evidence evidence = new Evidence(Evidence.Kind.SUSPECTED, other.id(), "its process " + reason);
                launcher.tell(other, () -> other.runtime().onEvidence(process, evidence), "given up", process);
            }
        }
    }

    private interface Word {
        void arriveAt(SimRank process);
    }

    private void down(ProcessId to, String what, Word word) {
        SimRank process = job.process(to);
        Line line = line(to);
        line.downNs = Math.max(line.downNs + 1, job.nowNs() + chance.anyMagnitude(mostNs));
        job.at(line.downNs, new Question(process, what, word));
    }

    /** Waits at a process that stands still. */
    private final class Question implements Runnable {
        private final SimRank process;
        private final String what;
        private final Word word;

        Question(SimRank process, String what, Word word) {
            this.process = process;
            this.what = what;
            this.word = word;
        }

        @Override
        public void run() {
            if (process.hasEnded() || process.isPaused(this) || job.nowNs() >= process.launcherLostNs()) {
                return;
            }
            job.note(SimJournal.Kind.NEWS, process, what.hashCode(), what);
            word.arriveAt(process);
            process.poll();
        }
    }

    private Line line(ProcessId process) {
        return lines.computeIfAbsent(process, id -> new Line(STANDING[chance.below(STANDING.length)]));
    }

    private static final class Line {
        final char letter;
        long upNs;
        long downNs;

        Line(char letter) {
            this.letter = letter;
        }
    }
}
