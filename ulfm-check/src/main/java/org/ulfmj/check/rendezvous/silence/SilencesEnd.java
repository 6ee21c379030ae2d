package org.ulfmj.check.rendezvous.silence;

import org.ulfmj.sim.Invariant;

/**
 * At rest the launcher runs, its judge has no open case, and every end is proven. Every rank that runs has no open
 * complaint, and each other rank that it has not marked failed runs and has a path to it. A rank that stands still was
 * given up, or is the only rank left and was not told that it is a member.
 */
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
