package org.ulfmj.check.rendezvous.hosts;

import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.Violation;

/**
 * Checks {@code ulfm.ft.quorum=majority} at rest. If the hosts of one side of the split have healthy ranks that are
 * more than half of all ranks, no healthy rank of theirs has ended, whether or not the launcher is among them; this is
 * not required if {@code meetsLate}. All ranks that are left run, reach each other, and have marked exactly those
 * failed that have ended. The launcher reaches each of them or has ended; if no fault hit a rank itself and the
 * launcher has not ended, it reaches the hosts of more than half of all ranks.
 *
 * @param side which side of the split each host is on
 * @param meetsLate whether the split ends, but later than a silence is noticed, or only one path breaks
 */
record OneMajorityGoesOn(HostsJob job, boolean[] side, boolean meetsLate) implements Invariant {
    @Override
    public String open() {
        for (HostedRank rank : job.ranks()) {
            if (!meetsLate && rank.hasEnded && !rank.isHurt && isMajority(side[rank.host])) {
                throw new Violation("rank " + rank.id + " was healthy, is of the majority, and ended");
            }
        }
        for (HostedRank rank : job.ranks()) {
            String open = rank.hasEnded ? null : ofLive(rank);
            if (open != null) {
                return open;
            }
        }
        return job.hasLauncher && isLeftWithTooFew() ? "the launcher goes on with too few" : null;
    }

    /**
     * Whether the launcher, if it has not ended, reaches the hosts of only half of the ranks or fewer; false in a job
     * in which a fault hit a rank itself.
     */
    private boolean isLeftWithTooFew() {
        int reached = 0;
        for (HostedRank rank : job.ranks()) {
            if (rank.isHurt) {
                return false;
            }
            reached += job.hasLine(rank.host) ? 1 : 0;
        }
        return 2 * reached <= job.ranks().size();
    }

    private boolean isMajority(boolean which) {
        int unhurt = 0;
        for (HostedRank rank : job.ranks()) {
            unhurt += side[rank.host] == which && !rank.isHurt ? 1 : 0;
        }
        return 2 * unhurt > job.ranks().size();
    }

    private String ofLive(HostedRank rank) {
        if (!rank.runs()) {
            return "rank " + rank.id + " is left, and is stopped";
        }
        if (job.hasLauncher && (!job.hasLine(rank.host) || rank.hasLostLauncher)) {
            return "rank " + rank.id + " and the launcher go on apart";
        }
        for (HostedRank other : job.ranks()) {
            if (other == rank) {
                continue;
            }
            if (other.hasEnded != rank.marked.contains(other.id)) {
                return "rank " + rank.id + " and rank " + other.id + ": marked " + !other.hasEnded + ", ended "
                        + other.hasEnded;
            }
            if (!other.hasEnded && !job.hearEachOther(rank.id, other.id)) {
                return "rank " + rank.id + " and rank " + other.id + " go on apart";
            }
        }
        return null;
    }
}
