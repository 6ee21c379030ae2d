package org.ulfmj.check.rendezvous.hosts;

import java.util.Set;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;

/**
 * With {@code ulfm.ft.quorum=majority}: up to four hosts fall into two sides between which nothing passes, for a while
 * or for good, or two hosts lose the path to each other alone, or no path breaks. A rank or the launcher may end,
 * before or after that, unless a path breaks alone.
 */
public final class MajorityScenario implements Scenario {
    private static final long TIMEOUT_NS = HostsJob.TIMEOUT_NS;

    @Override
    public String name() {
        return "majority-hosts";
    }

    @Override
    public Set<String> mustCover() {
        return Set.of(
                "a host is lost",
                "a launcher in the minority",
                "a path broken alone",
                "a rank that goes on without the launcher",
                "ranks without a majority");
    }

    @Override
    public void build(Simulation world) {
        SeededRandom random = world.random("majority-hosts");
        int hosts = Math.min(world.ranks(), 2 + random.below(3));
        HostsJob job = new HostsJob(world, random, hosts, true);
        job.start();
        HostsFaults faults = new HostsFaults(world, job);
        boolean[] side = new boolean[hosts];
        for (int host = 0; host < hosts; host++) {
            side[host] = random.chance(50);
        }
        long forNs = random.chance(50) ? 0 : random.between(TIMEOUT_NS / 10, 8 * TIMEOUT_NS);
        world.faultAt(random.between(TIMEOUT_NS, 2 * TIMEOUT_NS), () -> {
            for (int one = 0; one < hosts; one++) {
                for (int other = 0; other < one; other++) {
                    if (side[one] != side[other]) {
                        faults.cut(one, other, true, forNs);
                    }
                }
            }
        });
        boolean isPath = hosts > 2 && isWhole(side);
        if (isPath) {
            int one = 1 + random.below(hosts - 2);
            world.faultAt(TIMEOUT_NS, () -> faults.cut(one, hosts - 1, random.chance(50), 0));
        }
        int other = random.below(isPath ? 1 : 4);
        HostedRank rank = job.ranks().get(random.below(world.ranks()));
        world.faultAt(random.between(0, 3 * TIMEOUT_NS), () -> {
            if (isPath) {
                // Neither the launcher nor a rank ends in this case.
                world.cover("a path broken alone");
            } else if (other == 0) {
                faults.endLauncher(0);
            } else if (other == 1) {
                faults.crash(rank);
            }
        });
        job.mustHold(3, new OneMajorityGoesOn(job, side, forNs > TIMEOUT_NS || isPath));
        if (isPath) {
            world.must(new HealthyHostsLive(job));
        }
    }

    private static boolean isWhole(boolean[] side) {
        for (boolean each : side) {
            if (each != side[0]) {
                return false;
            }
        }
        return true;
    }
}
