package org.ulfmj.check.rendezvous.hosts;

import org.ulfmj.sim.Invariant;

/**
 * Invariant at rest: all ranks that have not ended run, hear each other and the launcher, complain of no rank, and have
 * marked exactly those failed that have ended. Unless the launcher has ended, it knows of each rank that has ended, and
 * its judge has nothing to decide. If the launcher has ended, all ranks have.
 */
record OneSideGoesOn(HostsJob job) implements Invariant {
    @Override
    public String open() {
        for (HostedRank rank : job.ranks()) {
            if (rank.hasEnded) {
                if (job.hasLauncher && !job.dead.contains(rank.id)) {
                    return "the end of rank " + rank.id + " is not known";
                }
                continue;
            }
            String open = ofLive(rank);
            if (open != null) {
                return open;
            }
        }
        return !job.hasLauncher || job.judge().isIdle() ? null : "the case is open";
    }

    private String ofLive(HostedRank rank) {
        if (!rank.runs() || !job.hasLine(rank.host) || rank.lease.isOver(job.nowNs())) {
            return "rank " + rank.id + " is left, and is stopped or has no launcher";
        }
        if (!rank.complaints().isEmpty()) {
            return "rank " + rank.id + " hears nothing of " + rank.complaints();
        }
        for (HostedRank other : job.ranks()) {
            if (other != rank && other.hasEnded != rank.marked.contains(other.id)) {
                return "rank " + rank.id + " and rank " + other.id + ": marked " + !other.hasEnded + ", ended "
                        + other.hasEnded;
            }
            if (other.runs() && !job.hearEachOther(rank.id, other.id)) {
                return "rank " + rank.id + " and rank " + other.id + " have no path";
            }
        }
        return null;
    }
}
