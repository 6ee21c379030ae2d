package org.ulfmj.check.rendezvous.joining;

import java.util.List;
import org.ulfmj.rendezvous.RendezvousCore;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.Violation;

/**
 * At rest, if the launcher lives and the world has begun, each process that runs was told of the death or the departure
 * of each launched process that has ended, and no second process runs as the rank of a launched process that has ended.
 * At no time has a launched process heard of the death of another one that knows that its goodbye has arrived.
 */
record NewsReachesAllRunningRanks(
        Simulation world, StaticLauncher launcher, List<JoiningRank> launched, List<JoiningRank> callers)
        implements Invariant {
    @Override
    public void afterStep(SimProcess<?, ?> process) {
        for (JoiningRank rank : launched) {
            for (JoiningRank other : launched) {
                if (other.isGoodbyeHeard() && rank.dead().contains(other.id())) {
                    throw new Violation(
                            rank.process() + " was told of the death of " + other.process() + ", which had left");
                }
            }
        }
    }

    @Override
    public String open() {
        if (!launcher.process().isRunning() || launcher.phase() != RendezvousCore.Phase.FINAL) {
            return null;
        }
        for (JoiningRank ended : launched) {
            if (ended.process().isRunning()) {
                continue;
            }
            for (JoiningRank rank : callers) {
                if (rank.isRunning() && rank.id().equals(ended.id())) {
                    return rank.process() + " runs as the rank of " + ended.process() + ", which has ended";
                }
                if (rank.isRunning()
                        && !rank.dead().contains(ended.id())
                        && !rank.departed().contains(ended.id())) {
                    return rank.process() + " was not told of the end of " + ended.process();
                }
            }
        }
        return null;
    }

    @Override
    public void atEnd() {
        for (JoiningRank rank : launched) {
            if (!rank.dead().isEmpty()) {
                world.cover("a death told");
            }
            if (!rank.departed().isEmpty()) {
                world.cover("a departure told");
            }
            if (rank.process().end() == SimProcess.End.FENCED) {
                world.cover("a live rank fenced");
            }
        }
    }
}
