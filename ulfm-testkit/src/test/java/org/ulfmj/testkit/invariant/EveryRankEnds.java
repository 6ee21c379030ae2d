package org.ulfmj.testkit.invariant;

import org.ulfmj.testkit.RankEnd;

/**
 * Invariant: if ranks that meet a failure revoke, every live rank finishes and does not hang, and no rank's runtime
 * breaks.
 */
final class EveryRankEnds extends ProgramInvariant {
    @Override
    void atEnd(Run run) {
        run.result().hang().ifPresent(this::violated);
        for (int rank = 0;
                rank < run.result().ends().size() && run.result().hang().isEmpty();
                rank++) {
            RankEnd end = run.result().ends().end(rank);
            if (end != RankEnd.FINALIZED && end != RankEnd.KILLED && end != RankEnd.FENCED && end != RankEnd.SILENCED) {
                violated("rank " + rank + " ended so: " + run.result().ends().outcome(rank));
            }
        }
    }
}
