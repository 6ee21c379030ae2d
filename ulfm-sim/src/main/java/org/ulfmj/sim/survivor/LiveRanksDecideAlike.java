package org.ulfmj.sim.survivor;

import java.util.List;
import org.ulfmj.agree.Decision;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/** Agreement: at every moment all live ranks that have decided an agreement hold the same decision. */
final class LiveRanksDecideAlike implements Invariant {
    private final List<SimRank> ranks;
    private final Journal journal;
    private int seenReturns;
    private long seenRunning;

    LiveRanksDecideAlike(List<SimRank> ranks, Journal journal) {
        this.ranks = ranks;
        this.journal = journal;
    }

    @Override
    public void afterStep(SimProcess<?, ?> process) {
        long running = ranks.stream().filter(SimRank::isRunning).count();
        // Who is live changes with an end too: the last one that held a rank for failed may be gone.
        if (journal.returns().size() != seenReturns || running != seenRunning) {
            seenReturns = journal.returns().size();
            seenRunning = running;
            check();
        }
    }

    @Override
    public void atEnd() {
        check();
    }

    private void check() {
        List<SimRank> live = LiveRanks.of(ranks, journal);
        for (Journal.Agreement agreement : journal.all()) {
            SimRank first = null;
            for (SimRank rank : live) {
                Decision decision = agreement.decisions().get(rank.id().slot());
                if (decision == null || Journal.isFarewell(decision)) {
                    continue;
                }
                if (first == null) {
                    first = rank;
                } else if (!decision.equals(agreement.decisions().get(first.id().slot()))) {
                    throw new Violation(name() + ": " + agreement + ": " + first + " holds "
                            + agreement.decisions().get(first.id().slot()) + ", " + rank + " holds " + decision);
                }
            }
        }
    }
}
