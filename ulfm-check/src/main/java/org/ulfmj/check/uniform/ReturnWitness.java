package org.ulfmj.check.uniform;

import java.util.List;
import org.ulfmj.sim.Simulation;

/**
 * Not an invariant but a witness: notes for the coverage that in this schedule a rank ended after its return and before
 * another's, or between the two halves of a call, or that two returns of one call differ.
 */
final class ReturnWitness extends ReturnPairs {
    private final Simulation simulation;
    private final List<UniformRank> ranks;

    ReturnWitness(Simulation simulation, Returns returns, List<UniformRank> ranks) {
        super(returns);
        this.simulation = simulation;
        this.ranks = ranks;
    }

    @Override
    String wrongWith(Returns.Return earlier, Returns.Return later) {
        if (!earlier.rank().isRunning()) {
            simulation.cover(UniformScenario.DIED_FIRST);
        }
        if (earlier.differsFrom(later)) {
            simulation.cover(UniformScenario.SPLIT);
        }
        for (UniformRank rank : ranks) {
            if (!rank.isRunning() && rank.isBetweenTheHalvesOf(later.communicator(), later.call())) {
                simulation.cover(UniformScenario.DIED_BETWEEN);
            }
        }
        return null;
    }
}
