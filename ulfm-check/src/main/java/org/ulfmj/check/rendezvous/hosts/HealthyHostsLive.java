package org.ulfmj.check.rendezvous.hosts;

import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.Violation;

/**
 * Invariant: at rest, if the launcher lives, the number of hosts that lost healthy ranks is not greater than the number
 * of paths between hosts that broke. A rank counts as lost if it has ended, or if a running rank has marked it failed.
 */
record HealthyHostsLive(HostsJob job) implements Invariant {
    @Override
    public String open() {
        SortedSet<Integer> hosts = new TreeSet<>();
        for (HostedRank rank : job.ranks()) {
            boolean isEnded = rank.hasEnded;
            for (HostedRank other : job.ranks()) {
                isEnded |= other.runs() && other.marked.contains(rank.id);
            }
            if (isEnded && !rank.isHurt) {
                hosts.add(rank.host);
            }
        }
        if (job.hasLauncher && hosts.size() > job.links.brokenPaths) {
            throw new Violation(
                    "hosts " + hosts + " lost healthy ranks, and " + job.links.brokenPaths + " paths broke");
        }
        return null;
    }
}
