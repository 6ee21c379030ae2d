package org.ulfmj.check.survivor.scenario;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.MessageWitness;
import org.ulfmj.check.survivor.SurvivorProgram;
import org.ulfmj.check.survivor.SurvivorRank;
import org.ulfmj.check.survivor.SurvivorWorld;
import org.ulfmj.check.survivor.invariant.DecidedRanksAnswer;
import org.ulfmj.sim.FaultPlan;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;

/**
 * A program that calls shrink again and again while all ranks but one are killed, each at a moment that the seed draws.
 */
public final class ShrinkToOneScenario extends SurvivorScenario {
    /** The event's name in the coverage line. */
    static final String ALONE = "the last survivor shrank to itself";

    public ShrinkToOneScenario() {
        super("shrink-to-one", 1, SurvivorProgram.Emphasis.SHRINK);
    }

    @Override
    public Set<String> mustCover() {
        return Set.of(ALONE, MessageWitness.TAKEOVER, DecidedRanksAnswer.EVENT);
    }

    @Override
    SurvivorProgram program(SeededRandom random, int size) {
        return new SurvivorProgram(
                Collections.nCopies(size + 1, new SurvivorProgram.Act(Kind.SHRINK, 1, SurvivorProgram.NO_RANK, 0)),
                false);
    }

    @Override
    FaultPlan faults(Simulation simulation, long windowNs) {
        SeededRandom random = simulation.random("kills");
        int size = simulation.ranks();
        int spared = random.below(size);
        List<FaultPlan.Crash> kills = new ArrayList<>();
        for (int slot = 0; slot < size; slot++) {
            long atNs = random.between(0, windowNs);
            int afterSends = random.chance(50) ? FaultPlan.NEVER : random.below(6);
            FaultPlan.Crash kill = new FaultPlan.Crash(slot, atNs, afterSends, FaultPlan.ANY);
            if (slot != spared && simulation.plans(kill)) {
                kills.add(kill);
            }
        }
        FaultPlan.Notices notices = FaultPlan.Notices.values()[random.below(FaultPlan.Notices.values().length)];
        return new FaultPlan(kills, List.of(), List.of(), List.of(), List.of(), List.of(), notices);
    }

    @Override
    void requireMore(SurvivorWorld world, List<SurvivorRank> ranks) {
        world.simulation().must(new AloneWitness(world.simulation(), world.journal()));
    }

    /** Not an invariant but a witness: a process shrank to a communicator of itself alone. */
    private record AloneWitness(Simulation simulation, Journal journal) implements Invariant {
        @Override
        public void atEnd() {
            if (journal.shrunk().stream().anyMatch(shrunk -> shrunk.members().size() == 1)) {
                simulation.cover(ALONE);
            }
        }
    }
}
