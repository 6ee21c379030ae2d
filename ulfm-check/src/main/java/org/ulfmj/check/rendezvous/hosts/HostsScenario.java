package org.ulfmj.check.rendezvous.hosts;

import java.util.Set;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;

/**
 * One to three faults on up to four hosts: two hosts lose the path to each other, in one direction or both, for a while
 * or for good; a host loses power, an agent or a rank ends, a rank is stopped, a timer fires early, or the launcher
 * ends. A judge decides which rank or host ends.
 */
public final class HostsScenario implements Scenario {
    private static final long TIMEOUT_NS = HostsJob.TIMEOUT_NS;
    private static final long WINDOW_NS = 4 * TIMEOUT_NS;

    @Override
    public String name() {
        return "silence-hosts";
    }

    @Override
    public Set<String> mustCover() {
        return Set.of(
                "a host ended for a path",
                "a host is lost",
                "killed when heard again",
                "a lease is over",
                "a new agent",
                "a rank began past its lease",
                "a rank ended");
    }

    @Override
    public void build(Simulation world) {
        SeededRandom random = world.random("silence-hosts");
        int hosts = Math.min(world.ranks(), 2 + random.below(3));
        HostsJob job = new HostsJob(world, random, hosts);
        HostsFaults faults = new HostsFaults(world, job);
        for (HostedRank rank : job.ranks()) {
            if (random.chance(10)) {
                job.beginsLate(rank, random.between(1, HostsJob.LEASE_NS + 2 * TIMEOUT_NS));
            }
        }
        job.start();
        int count = 1 + random.below(3);
        for (int i = 0; i < count; i++) {
            HostedRank rank = job.ranks().get(random.below(world.ranks()));
            HostedRank other = job.ranks().get(random.below(world.ranks()));
            int host = random.below(hosts);
            int kind = random.below(10);
            boolean bothWays = random.chance(60);
            long forNs = random.chance(50) ? 0 : random.between(TIMEOUT_NS / 10, 5 * TIMEOUT_NS);
            world.faultAt(random.between(0, WINDOW_NS), () -> {
                switch (kind) {
                    case 0, 1, 2, 3 -> faults.cut(rank.host, other.host, bothWays, forNs);
                    case 4 -> faults.crash(rank);
                    case 5 -> faults.stop(rank, forNs);
                    case 6 -> faults.endAgent(host);
                    case 7 -> faults.powerOff(host);
                    case 8 -> faults.early(rank, other);
                    default -> faults.endLauncher(forNs);
                }
            });
        }
        job.mustHold(count);
    }
}
