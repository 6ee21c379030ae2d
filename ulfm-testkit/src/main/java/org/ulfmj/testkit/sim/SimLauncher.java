package org.ulfmj.testkit.sim;

import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.testkit.RankEnd;
import org.ulfmj.testkit.RankOutcome;

/**
 * What a launcher is to processes: it notices how each process of a {@link SimJob} ends, tells the others, each in its
 * own time, starts another in the place of a dead one, and ends the job if one of them aborts it. It may die itself:
 * then no rank is told of anything any more. Needs the baton.
 */
final class SimLauncher {
    private final SimJob job;
    private final SeededRandom chance;
    private final Newcomers newcomers;
    private final SimJudge judge;
    private final boolean deathsAreTold;
    private Integer abortCode;
    private boolean programSuspects;
    private boolean hasEnded;

    /**
     * @param chance of what follows from a death
     * @param starts chance of how new processes are started
     */
    SimLauncher(SimJob job, SimPlan plan, SeededRandom chance, SeededRandom starts) {
        this.job = job;
        this.chance = chance;
        this.deathsAreTold = plan.deathsAreTold();
        this.newcomers = new Newcomers(job, this, plan, starts);
        this.judge = new SimJudge(job, this, plan);
    }

    /** SeededRandom of what follows from a death. */
    SeededRandom chance() {
        return chance;
    }

    /** The code of an abort; null if the job was not aborted. */
    Integer abortCode() {
        return abortCode;
    }

    /** Whether the program itself has declared a rank failed that lives. */
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
     * The rank is dead from now on.
     *
     * @param isTold whether the others get to know, each in its own time
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
     * The end of a process is known: all get to know, each in its own time, and another may be started in its place.
     */
    void prove(SimRank dead, String reason) {
        if (!hasEnded || newcomers.showWithoutLauncher()) {
            for (SimRank other : job.processes()) {
                if (other != dead && !other.hasEnded()) {
                    Evidence evidence = new Evidence(Evidence.Kind.CERTAIN, other.id(), reason);
                    tell(other, () -> onDeath(other, dead.id(), evidence), "death", dead.id());
                }
            }
        }
        judge.leaves(dead);
        newcomers.onDeath(dead);
    }

    private void onDeath(SimRank observer, ProcessId dead, Evidence evidence) {
        observer.runtime().onEvidence(dead, evidence);
        newcomers.onTold(observer, dead);
    }

    /** The newcomer ended because the world went on without it, which concerns no rank. */
    void stayOut(SimRank newcomer, String why) {
        if (newcomer.end(new RankOutcome(RankEnd.NOT_ADMITTED, null, why))) {
            job.note(SimJournal.Kind.DEPART, newcomer, 1, why);
            newcomer.fabric().kill(chance, SimProfile.Arrival.ALL);
            newcomer.kill(why);
            judge.leaves(newcomer);
            newcomers.onEnd(newcomer);
        }
    }

    /** The rank ended after Finalize: the launcher answers for it from now on. */
    private void depart(SimRank departed) {
        if (!departed.end(new RankOutcome(RankEnd.FINALIZED, null, ""))) {
            return;
        }
        job.note(SimJournal.Kind.DEPART, departed, 0, "");
        for (SimRank other : job.processes()) {
            if (other != departed && !other.hasEnded() && !hasEnded) {
                tell(other, () -> other.runtime().onDeparted(departed.id()), "departure", departed.id());
            }
        }
        judge.leaves(departed);
        newcomers.onEnd(departed);
    }

    SimJudge judge() {
        return judge;
    }

    Newcomers newcomers() {
        return newcomers;
    }

    /** The launcher is gone: what it had under way may still come, or not. */
    void end() {
        if (!hasEnded) {
            hasEnded = true;
            newcomers.onLauncherEnd();
        }
    }

    /**
     * Tells a process something, after some time. Where processes are replaced, all that one is told comes in the order
     * in which it was said, as over a connection.
     */
    void tell(SimRank observer, Runnable news, String what, ProcessId about) {
        long atNs = job.nowNs() + chance.anyMagnitude(job.profile().newsNs());
        job.at(newcomers.areStarted() ? observer.newsAt(atNs) : atNs, new News(observer, news, what, about, !hasEnded));
    }

    /** Something that one rank is told from outside. */
    private final class News implements Runnable {
        private final SimRank observer;
        private final Runnable news;
        private final String what;
        private final ProcessId about;
        private final boolean isFromLauncher;

        News(SimRank observer, Runnable news, String what, ProcessId about, boolean isFromLauncher) {
            this.observer = observer;
            this.news = news;
            this.what = what;
            this.about = about;
            this.isFromLauncher = isFromLauncher;
        }

        @Override
        public void run() {
            if (observer.hasEnded() || observer.isPaused(this)) {
                return;
            }
            if (isFromLauncher && job.nowNs() >= observer.launcherLostNs()) {
                return;
            }
            job.note(SimJournal.Kind.NEWS, observer, about.slot(), what + " of rank " + about);
            news.run();
            observer.poll();
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

    /** The program itself declares a rank failed that lives. */
    void suspectForProgram(SimRank observer, ProcessId process) {
        programSuspects = true;
        suspect(observer, process);
    }

    void suspect(SimRank observer, ProcessId process) {
        Evidence evidence = new Evidence(Evidence.Kind.SUSPECTED, observer.id(), "the test says that it is silent");
        observer.runtime().onEvidence(process, evidence);
        observer.pollSoon();
    }
}
