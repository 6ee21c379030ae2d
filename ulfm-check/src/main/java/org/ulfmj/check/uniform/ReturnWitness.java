package org.ulfmj.check.uniform;

import java.util.List;
import org.ulfmj.sim.Simulation;

/** Not an invariant but a witness: counts the schedules with a return of the kind that uniform agreement exists for. */
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
