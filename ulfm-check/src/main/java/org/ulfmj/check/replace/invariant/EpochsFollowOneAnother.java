package org.ulfmj.check.replace.invariant;

import java.util.Map;
import java.util.TreeMap;
import org.ulfmj.check.replace.WorldLog;
import org.ulfmj.protocol.ProcessId;

/**
 * Every process goes from one epoch into the next one, and is a member of each world that it enters. A newcomer is told
 * of a world only once.
 */
final class EpochsFollowOneAnother extends EntryCheck {
    private final Map<ProcessId, Long> last = new TreeMap<>();

    EpochsFollowOneAnother(WorldLog worlds) {
        super(worlds);
    }

    @Override
    String wrongWith(WorldLog.Entry entry) {
        ProcessId id = entry.rank().id();
        Long before = last.put(id, entry.epoch());
        if (!entry.admission().membership().contains(id)) {
            return "it is no member";
        }
        if (!entry.isSurvivor() && before != null) {
            return "it was in epoch " + before + " already";
        }
        boolean isOfTheFirst = entry.isSurvivor() && !entry.rank().isNewcomer();
        long expected = before != null ? before + 1 : isOfTheFirst ? 1 : entry.epoch();
        return entry.epoch() == expected ? null : "it was in epoch " + before;
    }
}
