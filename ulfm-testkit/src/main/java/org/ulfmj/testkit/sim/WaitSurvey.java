package org.ulfmj.testkit.sim;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.runtime.waits.RankView;
import org.ulfmj.runtime.waits.WaitPage;
import org.ulfmj.runtime.waits.WaitReport;

/** Who waits for whom in a run that cannot go on, and what each rank did last. */
final class WaitSurvey {
    private WaitSurvey() {}

    static String of(SimRank[] ranks, long startNs) {
        List<RankView> views = new ArrayList<>();
        for (SimRank rank : ranks) {
            views.add(view(rank));
        }
        StringBuilder text = new StringBuilder();
        for (String line : WaitPage.of(views)) {
            text.append(line).append('\n');
        }
        for (SimRank rank : ranks) {
            text.append("  rank ")
                    .append(rank.slot())
                    .append(", ")
                    .append(rank.trail().count());
            text.append(" calls, the last: ")
                    .append(String.join(", ", rank.trail().lines(startNs)));
            text.append('\n');
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
