package org.ulfmj.testkit.sim;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.runtime.waits.RankView;
import org.ulfmj.runtime.waits.WaitPage;
import org.ulfmj.runtime.waits.WaitReport;

/** The page about a run that did not end: which rank waits for which, and the last calls of each rank. */
final class SimWaitSurvey {
    private SimWaitSurvey() {}

    /** @param processes in the order in which they were started; the waits are those of the last one per slot */
    static String of(List<SimRank> processes, long startNs) {
        SortedMap<Integer, RankView> views = new TreeMap<>();
        for (SimRank process : processes) {
            views.put(process.slot(), view(process));
        }
        StringBuilder text = new StringBuilder();
        for (String line : WaitPage.of(views.values())) {
            text.append(line).append('\n');
        }
        for (SimRank rank : processes) {
            text.append("  rank ")
                    .append(rank.id())
                    .append(", ")
                    .append(rank.trail().count());
            text.append(" calls, the last: ")
                    .append(String.join(", ", rank.trail().lines(startNs)));
            // The page above shows the end of a rank's last process only, so the end of each process is added here.
            text.append(rank.hasEnded() ? "; " + rank.outcome() : "").append('\n');
        }
        return text.toString();
    }

    private static RankView view(SimRank rank) {
        if (rank.hasEnded()) {
            return RankView.gone(rank.slot(), "has ended: " + rank.outcome());
        }
        WaitReport report = rank.runtime().waits().report();
        return report == null ? RankView.silent(rank.slot(), "is busy") : RankView.of(report);
    }
}
