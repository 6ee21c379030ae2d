package org.ulfmj.check.replace.invariant;

import org.ulfmj.check.replace.WorldLog;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/** An invariant about two entries into worlds. It checks each pair once, when the later entry happens. */
abstract class EntryPairs implements Invariant {
    private final WorldLog worlds;
    private int seen;

    EntryPairs(WorldLog worlds) {
        this.worlds = worlds;
    }

    @Override
    public final void afterStep(SimProcess<?, ?> process) {
        for (; seen < worlds.entries().size(); seen++) {
            WorldLog.Entry later = worlds.entries().get(seen);
            for (WorldLog.Entry earlier : worlds.entries().subList(0, seen)) {
                String wrong = wrongWith(earlier, later);
                if (wrong != null) {
                    throw new Violation(name() + ": " + earlier + "; " + later + ": " + wrong);
                }
            }
        }
    }

    /** Returns the violation that a pair of entries shows, or null. */
    abstract String wrongWith(WorldLog.Entry earlier, WorldLog.Entry later);
}
