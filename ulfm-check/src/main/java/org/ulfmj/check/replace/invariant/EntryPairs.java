package org.ulfmj.check.replace.invariant;

import org.ulfmj.check.replace.WorldLog;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/** An invariant about two that came into worlds; looks at each pair once, when the later one comes. */
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

    /** What is wrong with the two, or null. */
    abstract String wrongWith(WorldLog.Entry earlier, WorldLog.Entry later);
}
