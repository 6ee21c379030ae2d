package org.ulfmj.testkit.invariant;

import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.testkit.RankEnd;

/**
 * After an agreement that all have made their communicators all have made them; and all that live know the same of it.
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

    /** Early returning: one that is dead by now may have decided alone. */
    private static boolean isDead(RankEnd end) {
        return end == RankEnd.KILLED || end == RankEnd.FENCED || end == RankEnd.SILENCED;
    }
}
