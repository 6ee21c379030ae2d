package org.ulfmj.check.rendezvous.silence;

import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.Violation;

/** Invariant: the number of processes that have ended unhurt is not greater than the number of paths that broke. */
record TheHealthyLive(SilentJob job) implements Invariant {
    @Override
    public String open() {
        int lost = 0;
        for (MuteRank rank : job.ranks()) {
            if (rank.hasEnded() && !rank.isHurt) {
                lost++;
            }
        }
        if (lost > job.brokenPaths) {
            throw new Violation(lost + " healthy ranks were ended, and " + job.brokenPaths + " paths broke");
        }
        return null;
    }
}
