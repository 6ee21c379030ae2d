package org.ulfmj.testkit.sim;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.runtime.waits.RankView;
import org.ulfmj.runtime.waits.WaitPage;
import org.ulfmj.runtime.waits.WaitReport;

/** The ranks that wait for each other in a run that cannot go on, and what each rank did last. */
final class SimWaitSurvey {
    private SimWaitSurvey() {}

    /** @param processes in the order in which they were started: of each slot, the last one counts */
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
            // The page says it of a rank's last process only.
            text.append(rank.hasEnded() ? "; " + rank.outcome() : "").append('\n');
        }
        return text.toString();
    }

    private static RankView view(SimRank rank) {
        if (rank.hasEnded()) {
            return RankView.gone(rank.slot(), "has ended: " + rank.outcome());
        }
        WaitReport report = rank.runtime().reportWaits();
        return report == null ? RankView.silent(rank.slot(), "is busy") : RankView.of(report);
    }
}
