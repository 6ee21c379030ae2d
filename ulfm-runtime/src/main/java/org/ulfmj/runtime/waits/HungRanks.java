package org.ulfmj.runtime.waits;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;

/**
 * Finds, from the reports of all ranks, the hung ranks, which hold up others. Throughout a time limit no thread of such
 * a rank has entered MPI or waited in it, and no operation of it goes on in the background; and for at least as long
 * another rank has waited for it in a call that only such ranks, or ranks in a wait that never ends, can end. Pure.
 */
public final class HungRanks {
    /**
     * A rank that holds up others.
     *
     * @param quietNs for how long, at least, no thread of this rank has called MPI
     * @param waiters the ranks that wait for this rank directly, ascending
     */
    public record HungRank(ProcessId process, long quietNs, List<Integer> waiters) {
        /** Returns the sentence that says for how long this rank has not called MPI, and which ranks wait for it. */
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
     * Returns whether some rank has entered or left a call within the time limit. A rank that did not answer counts as
     * one that made no call; a rank that has ended does not count. True as well if no rank answered at all.
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
