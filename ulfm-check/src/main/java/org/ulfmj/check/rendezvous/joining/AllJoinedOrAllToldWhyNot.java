package org.ulfmj.check.rendezvous.joining;

import java.util.List;
import org.ulfmj.rendezvous.RendezvousCore;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.Violation;

/**
 * All processes that ever ran have the same table, with one process per slot, among them themselves. At rest every live
 * process that called Init runs. At the end, a process that left without having run has a reason for that; and if a
 * process ran, then each process of its table that called Init had run too, unless that process crashed or the launcher
 * has ended.
 *
 * @param launched the first process of each slot
 * @param callers all processes that called Init so far, also a second process of a rank
 */
record AllJoinedOrAllToldWhyNot(
        Simulation world, StaticLauncher launcher, List<JoiningRank> launched, List<JoiningRank> callers)
        implements Invariant {
    @Override
    public void afterStep(SimProcess<?, ?> process) {
        JoiningRank first = null;
        for (JoiningRank rank : callers) {
            if (!rank.wasRunning()) {
                continue;
            }
            if (rank.table().get(rank.id().slot()).nonce() != rank.node()) {
                throw new Violation(rank.process() + " runs, but its rank is another's: " + rank.table());
            }
            first = first == null ? rank : first;
            if (!rank.table().equals(first.table()) || rank.table().size() != launched.size()) {
                throw new Violation(rank.process() + " runs with table " + rank.table() + ", " + first.process()
                        + " with " + first.table());
            }
        }
    }

    @Override
    public String open() {
        for (JoiningRank rank : callers) {
            if (rank.process().isRunning() && !rank.isRunning()) {
                return rank.process() + " neither runs nor was told why not";
            }
        }
        return null;
    }

    @Override
    public void atEnd() {
        JoiningRank ran = null;
        for (JoiningRank rank : callers) {
            ran = rank.wasRunning() ? rank : ran;
        }
        boolean didRun = ran != null;
        for (JoiningRank rank : callers) {
            if (!rank.wasRunning() && rank.process().end() == SimProcess.End.LEFT) {
                requireReason(rank);
                cover(rank.whyNot());
            }
            boolean mayMiss = rank.process().end() == SimProcess.End.CRASHED
                    || !launcher.process().isRunning()
                    || didRun && !isInTable(rank, ran);
            if (didRun && !rank.wasRunning() && !mayMiss) {
                throw new Violation("others ran, but " + rank.process() + " was told: " + rank.whyNot());
            }
        }
        if (didRun && launcher.process().isRunning() && launcher.phase() != RendezvousCore.Phase.FINAL) {
            throw new Violation("ranks ran in phase " + launcher.phase());
        }
        if (didRun) {
            world.cover("all joined");
        }
    }

    /**
     * Whether this process is in the table of a process that ran. If a rank was started twice, one of its two processes
     * is not.
     */
    private static boolean isInTable(JoiningRank rank, JoiningRank ran) {
        return ran.table().get(rank.id().slot()).nonce() == rank.node();
    }

    private void requireReason(JoiningRank rank) {
        if (rank.whyNot() == null || rank.whyNot().length() < "no answer".length()) {
            throw new Violation(rank.process() + " was told nothing: " + rank.whyNot());
        }
    }

    private void cover(String whyNot) {
        for (String known : RendezvousScenario.REASONS) {
            if (whyNot.contains(known)) {
                world.cover("told: " + known);
            }
        }
    }
}
