package org.ulfmj.runtime.waits;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;

/**
 * Finds, among the reports of all ranks, those that hold up others: for the whole of a limit no thread of such a rank
 * has entered MPI or waited in it, no operation of it goes on in the background, and for as long another rank has
 * waited for what only such ranks can bring. Pure.
 */
public final class HungRanks {
    /**
     * A rank that holds up others.
     *
     * @param quietNs for how long no thread of it has called MPI, at least
     * @param waiters the ranks that wait for it, directly, ascending
     */
    public record HungRank(ProcessId process, long quietNs, List<Integer> waiters) {
        /** What it does, and which ranks wait for it. */
        public String text() {
            return "has not called MPI for " + WaitPhrase.time(quietNs, quietNs) + " while " + RankList.of(waiters)
                    + (waiters.size() == 1 ? " waits for it" : " wait for it");
        }
    }

    private HungRanks() {}

    /** Returns the ranks that hold up others, in the order of their slots. */
    public static List<HungRank> of(Collection<RankView> views, long limitNs) {
        SortedMap<Integer, WaitReport> silent = new TreeMap<>();
        for (RankView view : views) {
            if (isSilent(view, limitNs)) {
                silent.put(view.slot(), view.report());
            }
        }
        List<HungRank> hung = new ArrayList<>();
        if (!silent.isEmpty()) {
            WaitGraph graph = new WaitGraph(views, silent.keySet());
            silent.forEach((slot, report) -> {
                List<Integer> waiters = graph.waitersFor(slot, limitNs);
                if (!waiters.isEmpty()) {
                    hung.add(new HungRank(report.process(), report.stillness().quietNs(), waiters));
                }
            });
        }
        return hung;
    }

    /**
     * Returns whether a rank has entered or left a call within a limit. A rank that has not answered within a second
     * does not call either, and one that is gone does not count. Without any answer nothing can be said against it.
     */
    public static boolean isAnyProgress(Collection<RankView> views, long limitNs) {
        boolean hasAnswer = false;
        for (RankView view : views) {
            if (view.report() != null) {
                hasAnswer = true;
                if (view.report().stillness().idleNs() < limitNs) {
                    return true;
                }
            }
        }
        return !hasAnswer;
    }

    private static boolean isSilent(RankView view, long limitNs) {
        return view.report() != null
                && view.report().waits().isEmpty()
                && view.report().main().kind() != Activity.Kind.IN_CALL
                && !view.report().stillness().worksInBackground()
                && view.report().stillness().quietNs() >= limitNs;
    }
}
