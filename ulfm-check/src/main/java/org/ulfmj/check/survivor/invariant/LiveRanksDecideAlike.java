package org.ulfmj.check.survivor.invariant;

import java.util.List;
import java.util.Map;
import org.ulfmj.agree.message.Decision;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.LiveRanks;
import org.ulfmj.check.survivor.SurvivorRank;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/**
 * Agreement: at every moment all live ranks that have decided an agreement hold the same decision. Decisions of
 * Finalize are not compared.
 */
final class LiveRanksDecideAlike implements Invariant {
    private final List<SurvivorRank> ranks;
    private final Journal journal;
    private final LiveRanks live;
    private int seenReturns;
    private int seenRunning;
    private int seenLive;

    LiveRanksDecideAlike(List<SurvivorRank> ranks, Journal journal, LiveRanks live) {
        this.ranks = ranks;
        this.journal = journal;
        this.live = live;
    }

    @Override
    public void afterStep(SimProcess<?, ?> process) {
        int running = live.running();
        if (running == seenRunning && journal.returns().size() == seenReturns) {
            return;
        }
        seenRunning = running;
        int now = live.bits();
        if ((now & ~seenLive) != 0) {
            // A process counts as live that did not before, for example because the last rank that had marked it failed
            // has ended. All agreements are checked again.
            journal.all().forEach(agreement -> check(agreement, now));
        } else {
            for (int i = seenReturns; i < journal.returns().size(); i++) {
                check(journal.returns().get(i).agreement(), now);
            }
        }
        seenReturns = journal.returns().size();
        seenLive = now;
    }

    @Override
    public void atEnd() {
        int now = live.bits();
        journal.all().forEach(agreement -> check(agreement, now));
    }

    private void check(Journal.Agreement agreement, int now) {
        int first = -1;
        Decision firsts = null;
        for (Map.Entry<Integer, Decision> entry : agreement.decisions().entrySet()) {
            int slot = entry.getKey();
            Decision decision = entry.getValue();
            if ((now & 1 << slot) == 0 || Journal.isFarewell(decision)) {
                continue;
            }
            if (first < 0) {
                first = slot;
                firsts = decision;
            } else if (!decision.equals(firsts)) {
                throw new Violation(name() + ": " + agreement + ": " + ranks.get(first) + " holds " + firsts + ", "
                        + ranks.get(slot) + " holds " + decision);
            }
        }
    }
}
