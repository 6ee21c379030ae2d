package org.ulfmj.check.detector;

import java.util.List;
import org.ulfmj.sim.Invariant;

/**
 * Detector completeness, an invariant at rest: every process that ended without a goodbye is marked failed by every
 * process that runs and watches the others; one that left with a goodbye may count as departed instead.
 */
record RunningRanksKnowAllEnds(List<? extends Member> members) implements Invariant {
    @Override
    public String open() {
        for (Member ended : members) {
            if (ended.isRunning()) {
                continue;
            }
            for (Member member : members) {
                if (member.isWatching() && !isKnown(ended, member)) {
                    return member.process() + " does not know of the end of " + ended.process();
                }
            }
        }
        return null;
    }

    private static boolean isKnown(Member ended, Member member) {
        return ended.hasLeft()
                ? member.failures().isGone(ended.id())
                : member.failures().hasFailed(ended.id());
    }
}
