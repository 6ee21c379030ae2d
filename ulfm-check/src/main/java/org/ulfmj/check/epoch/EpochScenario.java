package org.ulfmj.check.epoch;

import java.util.Set;
import org.ulfmj.check.detector.FaultInjection;
import org.ulfmj.check.detector.LiveRankFenced;
import org.ulfmj.check.detector.Pace;
import org.ulfmj.sim.FaultPlan;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;

/** Processes detect each other's failures while new incarnations replace dead ones, in at most three later epochs. */
public final class EpochScenario implements Scenario {
    @Override
    public String name() {
        return "epochs";
    }

    @Override
    public Set<String> mustCover() {
        return Set.of(EpochWorld.ADMITTED, EpochWorld.DIED_PENDING, LiveRankFenced.EVENT);
    }

    @Override
    public void build(Simulation simulation) {
        SeededRandom random = simulation.random("ring");
        Pace pace = Pace.draw(random, 50);
        EpochWorld world = new EpochWorld(simulation, pace);
        for (EpochMember member : world.first()) {
            simulation.at(random.between(0, Pace.SHORT_PAUSE_NS), member::start);
        }
        FaultPlan.Limits limits =
                new FaultPlan.Limits(simulation.ranks() - 1, 1, 1, Pace.SHORT_PAUSE_NS, Pace.SHORT_PAUSE_NS);
        long windowNs = Pace.SHORT_PAUSE_NS + pace.faultWindowNs();
        FaultPlan plan = FaultPlan.draw(simulation, simulation.ranks(), windowNs, limits);
        new FaultInjection(simulation, world.first(), plan, windowNs / 2).plan();
        world.plan();
        EpochInvariants.require(simulation, world, plan.suspicions().isEmpty());
        simulation.must(new LiveRankFenced(simulation));
        simulation.limitNs(120_000_000_000L);
    }
}
