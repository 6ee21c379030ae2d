package org.ulfmj.check.rendezvous.hosts;

import java.util.Set;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;

/**
 * Two to four hosts lose the paths to each other, in one direction or both, for a while or for good; hosts lose power,
 * agents and ranks end, ranks are stopped, timers fire early, and the launcher ends. A judge decides which unit ends.
 */
public final class HostsScenario implements Scenario {
    private static final long TIMEOUT_NS = HostsJob.TIMEOUT_NS;
    private static final long WINDOW_NS = 4 * TIMEOUT_NS;
    private static final long WHOLE_TIMEOUTS = 20;

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
                "a rank ended");
    }

    @Override
    public void build(Simulation world) {
        SeededRandom random = world.random("silence-hosts");
        int hosts = Math.min(world.ranks(), 2 + random.below(3));
        HostsJob job = new HostsJob(world, random, hosts);
        job.start();
        int faults = 1 + random.below(3);
        for (int i = 0; i < faults; i++) {
            HostedRank rank = job.ranks().get(random.below(world.ranks()));
            HostedRank other = job.ranks().get(random.below(world.ranks()));
            int host = random.below(hosts);
            int kind = random.below(10);
            boolean bothWays = random.chance(60);
            long forNs = random.chance(50) ? 0 : random.between(TIMEOUT_NS / 10, 5 * TIMEOUT_NS);
            world.faultAt(random.between(0, WINDOW_NS), () -> {
                switch (kind) {
                    case 0, 1, 2, 3 -> cut(world, job, rank.host, other.host, bothWays, forNs);
                    case 4 -> crash(rank);
                    case 5 -> stop(world, rank, forNs);
                    case 6 -> endAgent(job, host);
                    case 7 -> powerOff(job, host);
                    case 8 -> early(rank, other);
                    default -> endLauncher(job, forNs);
                }
            });
        }
        world.bound(ended -> WHOLE_TIMEOUTS * (faults + 1) * TIMEOUT_NS);
        world.limitNs(10 * WHOLE_TIMEOUTS * (faults + 1) * TIMEOUT_NS);
        world.must(new HealthyHostsLive(job));
        world.must(new OneSideGoesOn(job));
    }

    private static void cut(Simulation world, HostsJob job, int one, int other, boolean bothWays, long forNs) {
        job.links.cut(one, other, bothWays);
        if (forNs > 0) {
            world.faultAt(world.nowNs() + forNs, () -> {
                job.links.heal(one, other);
                job.reconnect(Math.max(one, other));
            });
        }
    }

    private static void crash(HostedRank rank) {
        rank.isHurt = true;
        rank.end();
    }

    private static void stop(Simulation world, HostedRank rank, long forNs) {
        rank.isHurt = true;
        rank.stop();
        if (forNs > 0) {
            world.faultAt(world.nowNs() + forNs, rank::goOn);
        }
    }

    private static void endAgent(HostsJob job, int host) {
        if (host > 0 && job.agent(host).isUp) {
            job.ranks().stream().filter(rank -> rank.host == host).forEach(rank -> rank.isHurt = true);
            job.endAgent(job.agent(host));
        }
    }

    private static void powerOff(HostsJob job, int host) {
        if (host > 0) {
            job.powerOff(host);
        }
    }

    private static void early(HostedRank rank, HostedRank other) {
        if (rank != other && rank.runs()) {
            rank.suspect(other.id);
        }
    }

    private static void endLauncher(HostsJob job, long forNs) {
        if (job.hasLauncher && forNs == 0) {
            job.endLauncher();
        }
    }
}
