package org.ulfmj.check.replace.invariant;

import org.ulfmj.check.replace.WorldLog;

/** Two worlds with one id are the same world. */
final class IdsOfWorldsNeverClash extends EntryPairs {
    IdsOfWorldsNeverClash(WorldLog worlds) {
        super(worlds);
    }

    @Override
    String wrongWith(WorldLog.Entry earlier, WorldLog.Entry later) {
        return earlier.admission().world() == later.admission().world()
                        && !earlier.admission().equals(later.admission())
                ? "one id for two worlds"
                : null;
    }
}
