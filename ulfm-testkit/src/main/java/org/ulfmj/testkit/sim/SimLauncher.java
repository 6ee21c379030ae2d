package org.ulfmj.testkit.sim;

import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.testkit.RankEnd;
import org.ulfmj.testkit.RankOutcome;

/**
 * What a launcher is to processes: it notices how each rank of a {@link SimJob} ends, tells the others, each in its own time,
 * and ends the job if one of them aborts it. Needs the baton.
 */
final class SimLauncher {
    private final SimJob job;
    private final SimRank[] ranks;
    private final Chance chance;
    private final boolean deathsAreTold;
    private Integer abortCode;
    private boolean programSuspects;

    /** @param chance of what follows from a death */
    SimLauncher(SimJob job, SimRank[] ranks, Chance chance, boolean deathsAreTold) {
        this.job = job;
        this.ranks = ranks;
        this.chance = chance;
        this.deathsAreTold = deathsAreTold;
    }

    /** Chance of what follows from a death. */
    Chance chance() {
        return chance;
    }

    /** Null if the job was not aborted. */
    Integer abortCode() {
        return abortCode;
    }

    /** Whether the program itself has declared a rank failed that lives. */
    boolean programSuspects() {
        return programSuspects;
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
                Journal.Kind.DEATH, dead, outcome.end().ordinal(), outcome.end().name());
        dead.fabric().kill(chance, job.profile().arrival());
        dead.kill(outcome.toString());
        if (!isTold || !deathsAreTold) {
            return;
        }
        for (SimRank other : ranks) {
            if (other != dead && !other.hasEnded()) {
                String reason = "its thread ended: " + outcome;
                Evidence evidence = new Evidence(Evidence.Kind.CERTAIN, ProcessId.of(other.slot()), reason);
                tell(other, () -> other.runtime().onEvidence(ProcessId.of(dead.slot()), evidence), "death", dead);
            }
        }
    }

    /** The rank ended after Finalize: the launcher answers for it from now on. */
    private void depart(SimRank departed) {
        if (!departed.end(new RankOutcome(RankEnd.FINALIZED, null, ""))) {
            return;
        }
        job.note(Journal.Kind.DEPART, departed, 0, "");
        for (SimRank other : ranks) {
            if (other != departed && !other.hasEnded()) {
                tell(other, () -> other.runtime().onDeparted(ProcessId.of(departed.slot())), "departure", departed);
            }
        }
    }

    private void tell(SimRank observer, Runnable news, String what, SimRank about) {
        job.agenda()
                .at(job.nowNs() + chance.anyMagnitude(job.profile().newsNs()), new News(observer, news, what, about));
    }

    /** Something that one rank is told from outside. */
    private final class News implements Event {
        private final SimRank observer;
        private final Runnable news;
        private final String what;
        private final SimRank about;

        News(SimRank observer, Runnable news, String what, SimRank about) {
            this.observer = observer;
            this.news = news;
            this.what = what;
            this.about = about;
        }

        @Override
        public void happen() {
            if (observer.hasEnded() || observer.isPaused(this)) {
                return;
            }
            job.note(Journal.Kind.NEWS, observer, about.slot(), what + " of rank " + about.slot());
            news.run();
            observer.poll();
        }
    }

    void abort(int code, String reason) {
        if (abortCode != null) {
            return;
        }
        abortCode = code;
        for (SimRank rank : ranks) {
            if (rank.end(new RankOutcome(RankEnd.ABORTED, null, reason))) {
                job.note(Journal.Kind.DEATH, rank, RankEnd.ABORTED.ordinal(), RankEnd.ABORTED.name());
                rank.fabric().kill(chance, Profile.Arrival.ALL);
                rank.kill("the job was aborted: " + reason);
            }
        }
    }

    /** The program itself declares a rank failed that lives. */
    void suspectForProgram(SimRank observer, int slot) {
        programSuspects = true;
        suspect(observer, slot);
    }

    void suspect(SimRank observer, int slot) {
        Evidence evidence =
                new Evidence(Evidence.Kind.SUSPECTED, ProcessId.of(observer.slot()), "the test says that it is silent");
        observer.runtime().onEvidence(ProcessId.of(slot), evidence);
        observer.pollSoon();
    }
}
