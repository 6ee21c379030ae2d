package org.ulfmj.check.detector;

import java.util.Set;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;

/**
 * The ranks of one host judge silences by themselves (rule J1) once their launcher is dead: in some schedules paths
 * between ranks break, ranks are stopped, one of them while it holds the host's lock, or timers fire early. The
 * launcher dies in every schedule, in about half of them after it was stopped.
 */
public final class OrphansScenario implements Scenario {
    static final String VERDICT = "a rank ended another";
    static final String STOPPED_HOLDER = "a holder of the lock was stopped";
    static final String STOPPED_LAUNCHER = "a launcher was stopped";

    private static final long SECOND_NS = 1_000_000_000;

    @Override
    public String name() {
        return "orphans";
    }

    @Override
    public Set<String> mustCover() {
        return Set.of(VERDICT, STOPPED_HOLDER, STOPPED_LAUNCHER);
    }

    @Override
    public void build(Simulation world) {
        SeededRandom random = world.random("orphans");
        int ranks = world.ranks();
        OrphanHost host = new OrphanHost(world, ranks, random.chance(40));
        long stopNs = random.between(0, 2 * SECOND_NS);
        if (random.chance(50)) {
            world.faultAt(stopNs, host::stopLauncher);
        }
        world.faultAt(stopNs + random.between(0, 4 * SECOND_NS), host::killLauncher);
        for (int path = random.below(3); path > 0; path--) {
            int one = random.below(ranks);
            int other = (one + 1 + random.below(ranks - 1)) % ranks;
            world.faultAt(random.between(0, 3 * SECOND_NS), () -> host.breakPath(one, other));
        }
        for (int stop = random.below(3); stop > 0; stop--) {
            int rank = random.below(ranks);
            long atNs = random.between(0, 3 * SECOND_NS);
            world.faultAt(atNs, () -> host.stop(rank));
            if (random.chance(40)) {
                world.faultAt(atNs + random.between(0, 2 * SECOND_NS), () -> host.goOn(rank));
            }
        }
        for (int early = random.below(6); early > 0; early--) {
            int rank = random.below(ranks);
            int other = (rank + 1 + random.below(ranks - 1)) % ranks;
            world.faultAt(random.between(2 * SECOND_NS, 8 * SECOND_NS), () -> host.fireEarly(rank, other));
        }
        world.bound(ended -> OrphanHost.boundNs(ranks));
        world.must(host);
        host.start();
    }
}
