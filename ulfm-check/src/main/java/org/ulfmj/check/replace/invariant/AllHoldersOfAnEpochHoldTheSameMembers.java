package org.ulfmj.check.replace.invariant;

import org.ulfmj.check.replace.WorldLog;

/**
 * P4: all processes that ever returned into an epoch, or were told of it, hold the same world, also those that have
 * died since. That holds as long as no process was marked failed while it ran. After the launcher has gathered a world,
 * epochs count anew.
 */
final class AllHoldersOfAnEpochHoldTheSameMembers extends EntryPairs {
    private final WorldLog worlds;

    AllHoldersOfAnEpochHoldTheSameMembers(WorldLog worlds) {
        super(worlds);
        this.worlds = worlds;
    }

    @Override
    String wrongWith(WorldLog.Entry earlier, WorldLog.Entry later) {
        return earlier.differsFrom(later) && !worlds.wasAnySuspectedWrongly()
                ? "they differ, and no process was suspected wrongly"
                : null;
    }
}
