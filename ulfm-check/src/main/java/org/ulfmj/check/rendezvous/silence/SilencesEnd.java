package org.ulfmj.check.rendezvous.silence;

import org.ulfmj.sim.Invariant;

/** At rest every process that is left runs, hears the process that it observes, and knows all that have ended. */
record SilencesEnd(SilentJob job) implements Invariant {
    @Override
    public String open() {
        if (job.isStopped()) {
            return "the launcher stands";
        }
        for (MuteRank rank : job.ranks()) {
            boolean isOver = rank.hasEnded() || job.givenUp.contains(rank.id) || !job.isAwaited(rank);
            if (!isOver && !rank.runs()) {
                return "rank " + rank.id + " stands: " + rank.state;
            }
            if (rank.hasEnded() && !job.proven.contains(rank.id)) {
                return "the end of rank " + rank.id + " is not proven";
            }
            if (!rank.runs()) {
                continue;
            }
            if (!rank.silent.isEmpty()) {
                return "rank " + rank.id + " hears nothing of " + rank.silent;
            }
            for (MuteRank other : job.ranks()) {
                if (other == rank || rank.marked.contains(other.id)) {
                    continue;
                }
                if (!other.runs()) {
                    return "rank " + rank.id + " does not know that rank " + other.id + " is " + other.state;
                }
                if (!job.areConnected(rank.id, other.id)) {
                    return "rank " + rank.id + " and rank " + other.id + " have no path";
                }
            }
        }
        return job.judge().isIdle() ? null : "the case is open";
    }
}
