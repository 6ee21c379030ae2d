package org.ulfmj.check.survivor.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.check.survivor.SurvivorEvents;
import org.ulfmj.check.survivor.SurvivorProgram;
import org.ulfmj.check.survivor.SurvivorRank;
import org.ulfmj.check.survivor.SurvivorWorld;
import org.ulfmj.sim.FaultPlan;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;

/**
 * Finalize with a death at every boundary between messages. Consecutive seeds stand for the death of each rank after
 * each of its messages. Further seeds repeat that with other delays and other news of the launcher, and in one of three
 * repetitions perhaps with the death of a second rank.
 */
public final class FinalizeDeathsScenario extends SurvivorScenario {
    /** More messages than a rank of a small world sends from its start to its end. */
    static final int BOUNDARIES = 24;

    /** The event's name in the coverage line. */
    static final String DIED = "a death at a boundary of Finalize";

    public FinalizeDeathsScenario() {
        super("finalize-deaths", 1, SurvivorProgram.Emphasis.FINALIZE);
    }

    @Override
    public Set<String> mustCover() {
        return Set.of(DIED, SurvivorEvents.LEFT);
    }

    @Override
    SurvivorProgram program(SeededRandom random, int size) {
        return new SurvivorProgram(
                List.of(new SurvivorProgram.Act(Kind.FINALIZE, 1, SurvivorProgram.NO_RANK, 0)), true);
    }

    /** Returns the rank that a seed kills. */
    static int victim(long seed, int ranks) {
        return (int) (seed % ranks);
    }

    /**
     * Returns the number of messages, heartbeats not counted, after which the rank dies; 0 means at the end of its
     * first step.
     */
    static int boundary(long seed, int ranks) {
        return (int) (seed / ranks % BOUNDARIES);
    }

    @Override
    FaultPlan faults(Simulation simulation, long windowNs) {
        int size = simulation.ranks();
        long seed = simulation.seed();
        SeededRandom random = simulation.random("deaths");
        List<FaultPlan.Crash> crashes = new ArrayList<>();
        crashes.add(new FaultPlan.Crash(victim(seed, size), 0, boundary(seed, size), FaultPlan.ANY));
        int other = random.below(size);
        int otherBoundary = random.below(BOUNDARIES);
        if (seed / ((long) size * BOUNDARIES) % 3 == 2 && other != victim(seed, size) && size > 2) {
            crashes.add(new FaultPlan.Crash(other, 0, otherBoundary, FaultPlan.ANY));
        }
        FaultPlan.Notices notices = FaultPlan.Notices.values()[random.below(FaultPlan.Notices.values().length)];
        crashes.removeIf(crash -> !simulation.plans(crash));
        return new FaultPlan(crashes, List.of(), List.of(), List.of(), List.of(), List.of(), notices);
    }

    @Override
    void requireMore(SurvivorWorld world, List<SurvivorRank> ranks) {
        SurvivorRank victim = ranks.get(victim(world.simulation().seed(), ranks.size()));
        world.simulation().must(new DeathWitness(world.simulation(), victim));
    }

    /**
     * Not an invariant but a witness: notes for the coverage that the victim died after its planned number of messages.
     */
    private record DeathWitness(Simulation simulation, SurvivorRank victim) implements Invariant {
        @Override
        public void atEnd() {
            if (victim.process().end() == SimProcess.End.CRASHED) {
                simulation.cover(DIED);
            }
        }
    }
}
