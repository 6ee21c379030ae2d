package org.ulfmj.check.replace.invariant;

import org.ulfmj.check.replace.WorldLog;
import org.ulfmj.protocol.ProcessId;

/**
 * If two survivors return from replace into different worlds of one membership epoch, each has marked the other failed.
 */
final class SurvivorsOfSplitsMarkEachOther extends EntryPairs {
    SurvivorsOfSplitsMarkEachOther(WorldLog worlds) {
        super(worlds);
    }

    @Override
    String wrongWith(WorldLog.Entry earlier, WorldLog.Entry later) {
        if (!earlier.isSurvivor() || !later.isSurvivor() || !earlier.differsFrom(later)) {
            return null;
        }
        return holds(earlier, later.rank().id()) && holds(later, earlier.rank().id())
                ? null
                : "they differ, and do not hold each other for failed";
    }

    private static boolean holds(WorldLog.Entry one, ProcessId other) {
        return one.rank().failures().hasFailed(other);
    }
}
