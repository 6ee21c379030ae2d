package org.ulfmj.check.rendezvous.hosts;

import java.util.function.BiConsumer;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;

/**
 * A small world: a few faults that hit the same hosts in each schedule of a scenario, and begin at a time that the seed
 * draws.
 */
abstract class SmallHostsWorld implements Scenario {
    static final long TIMEOUT_NS = HostsJob.TIMEOUT_NS;

    private final String name;
    private final int hosts;
    private final BiConsumer<HostsFaults, SeededRandom> faults;

    SmallHostsWorld(String name, int hosts, BiConsumer<HostsFaults, SeededRandom> faults) {
        this.name = name;
        this.hosts = hosts;
        this.faults = faults;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void build(Simulation world) {
        SeededRandom random = world.random(name);
        HostsJob job = new HostsJob(world, random, Math.min(hosts, world.ranks()));
        job.start();
        HostsFaults plan = new HostsFaults(world, job);
        world.faultAt(random.between(TIMEOUT_NS, 2 * TIMEOUT_NS), () -> faults.accept(plan, random));
        job.mustHold(2);
    }
}
