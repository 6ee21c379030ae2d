package org.ulfmj.check.link;

import java.util.Set;
import org.ulfmj.check.detector.Bounds;
import org.ulfmj.sim.FaultPlan;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;

/**
 * Two to four processes send each other frames over link sessions. Meanwhile they may dial each other at the same time,
 * connections may be cut, processes may be marked failed, stand still or leave, and one may die and be replaced.
 */
public final class LinkScenario implements Scenario {
    private static final int MOST_PROCESSES = 4;

    @Override
    public String name() {
        return "links";
    }

    @Override
    public Set<String> mustCover() {
        return Set.of(LinkWorld.CROSSED, LinkWorld.TOLD, LinkWorld.CUT, LinkWorld.SUCCEEDED);
    }

    @Override
    public void build(Simulation simulation) {
        SeededRandom random = simulation.random("links");
        int slots = Math.min(simulation.ranks(), MOST_PROCESSES);
        long unitNs = random.chance(50) ? 200_000 : 4_000_000;
        boolean cuts = random.chance(40);
        boolean marks = random.chance(40);
        boolean deaths = random.chance(30);
        boolean timersAreEarly = random.chance(50);
        long rtoNs = LinkWorld.TIMING.linkRtoNs();
        LinkWorld world =
                new LinkWorld(simulation, unitNs, timersAreEarly ? 2 * rtoNs : rtoNs / 4, cuts && random.chance(50));
        for (int slot = 0; slot < slots; slot++) {
            world.start(slot, 0, slots);
        }
        long windowNs = (random.chance(50) ? 10 : 60) * unitNs;
        planTraffic(world, random, slots, windowNs);
        for (int left = cuts ? 1 + random.below(3) : 0; left > 0; left--) {
            long atNs = random.between(0, windowNs);
            if (simulation.plans("cut of a connection")) {
                simulation.faultAt(atNs, world::cutOne);
            }
        }
        for (int left = marks ? 1 + random.below(2) : 0; left > 0; left--) {
            int by = random.below(slots);
            int about = (by + 1 + random.below(slots - 1)) % slots;
            long atNs = random.between(0, windowNs);
            if (simulation.plans("mark: " + by + " holds " + about + " for failed")) {
                simulation.faultAt(atNs, () -> world.newest(by).mark(about));
            }
        }
        if (deaths) {
            planDeath(world, random, slots, windowNs);
        }
        planPauses(world, random, slots, windowNs, timersAreEarly ? rtoNs : rtoNs / 4);
        if (random.chance(70)) {
            long fromNs = random.between(windowNs / 4, windowNs);
            for (int slot = 0; slot < slots; slot++) {
                int leaver = slot;
                if (random.chance(80)) {
                    long atNs = random.between(fromNs, windowNs + 1);
                    if (simulation.plans("leaving of " + leaver)) {
                        simulation.faultAt(atNs, () -> world.newest(leaver).leave());
                    }
                }
            }
        }
        simulation.must(new FramesAreHandedOver(world));
        if (!cuts && !marks && !deaths && !timersAreEarly) {
            simulation.must(new NothingBreaksByItself(world));
        }
        simulation.must(new TheMarkedAreTold(world));
        if (!cuts) {
            simulation.must(new GoodbyesArrive(world));
        }
        Bounds bounds = new Bounds(LinkWorld.TIMING, 2 * rtoNs, SimProcess.MAX_TIMER_LATENESS_NS, 0, slots);
        simulation.bound(failures -> bounds.handOverNs());
        simulation.limitNs(30_000_000_000L);
    }

    private static void planTraffic(LinkWorld world, SeededRandom random, int slots, long windowNs) {
        boolean together = random.chance(50);
        for (int bursts = 1 + random.below(4 * slots); bursts > 0; bursts--) {
            int from = random.below(slots);
            int to = (from + 1 + random.below(slots - 1)) % slots;
            int frames = 1 + random.below(4);
            long atNs = random.between(0, together ? windowNs / 20 : windowNs);
            if (world.simulation().plans(frames + " frames from " + from + " to " + to)) {
                world.simulation().faultAt(atNs, () -> world.newest(from).offer(to, frames));
            }
        }
    }

    /**
     * Schedules the death of one process. After a while it may have a successor in the same slot, which sends frames to
     * the process of the next slot.
     */
    private static void planDeath(LinkWorld world, SeededRandom random, int slots, long windowNs) {
        int slot = random.below(slots);
        long atNs = random.between(0, windowNs);
        if (!world.simulation().plans("crash of " + slot + ", perhaps with a successor")) {
            return;
        }
        world.simulation().faultAt(atNs, () -> {
            LinkHost dead = world.newest(slot);
            dead.process().crash();
            if (dead.process().end() == SimProcess.End.CRASHED && random.chance(70)) {
                world.simulation().faultAt(world.simulation().nowNs() + random.between(0, windowNs), () -> {
                    world.simulation().cover(LinkWorld.SUCCEEDED);
                    LinkHost next = world.start(slot, 1, slots);
                    next.offer((slot + 1) % slots, 1 + random.below(3));
                });
            }
        });
    }

    private static void planPauses(LinkWorld world, SeededRandom random, int slots, long windowNs, long longestNs) {
        for (int left = random.chance(30) ? 1 + random.below(2) : 0; left > 0; left--) {
            int slot = random.below(slots);
            long durationNs = random.between(0, longestNs);
            FaultPlan.Pause pause = new FaultPlan.Pause(slot, random.between(0, windowNs), durationNs);
            if (world.simulation().plans(pause)) {
                world.simulation()
                        .faultAt(
                                pause.atNs(), () -> world.newest(slot).process().pause(durationNs));
            }
        }
    }
}
