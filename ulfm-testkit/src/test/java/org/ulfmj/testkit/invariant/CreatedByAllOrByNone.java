package org.ulfmj.testkit.invariant;

import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.testkit.RankEnd;

/**
 * Invariant: if an agreement says that all ranks have succeeded in an attempt, all have; and all ranks that live get
 * the same outcome of it.
 */
final class CreatedByAllOrByNone extends ProgramInvariant {
    /** By attempt, then by rank. */
    private final Map<Integer, Map<Integer, Boolean>> outcomes = new TreeMap<>();

    @Override
    void onAttempt(Call call, int number, boolean mine, boolean all) {
        if (all && !mine) {
            violated("attempt " + number + ": rank " + call.slot + " failed, and yet all are said to have succeeded");
        }
        outcomes.computeIfAbsent(number, key -> new TreeMap<>()).put(call.slot, all);
    }

    @Override
    void atEnd(Run run) {
        for (Map.Entry<Integer, Map<Integer, Boolean>> attempt : outcomes.entrySet()) {
            attempt.getValue()
                    .keySet()
                    .removeIf(rank -> isDead(run.result().ends().end(rank)));
            if (attempt.getValue().values().stream().distinct().count() > 1) {
                violated("attempt " + attempt.getKey() + " succeeded as follows: " + attempt.getValue());
            }
        }
    }

    /**
     * Whether a rank died, was fenced or was silenced. The outcome of such a rank does not count, since early returning
     * agreements allow it to have returned another one.
     */
    private static boolean isDead(RankEnd end) {
        return end == RankEnd.KILLED || end == RankEnd.FENCED || end == RankEnd.SILENCED;
    }
}
