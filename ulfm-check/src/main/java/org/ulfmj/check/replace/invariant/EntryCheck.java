package org.ulfmj.check.replace.invariant;

import org.ulfmj.check.replace.WorldLog;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/** An invariant about each entry into a world. It checks an entry once, when it happens. */
abstract class EntryCheck implements Invariant {
    private final WorldLog worlds;
    private int seen;

    EntryCheck(WorldLog worlds) {
        this.worlds = worlds;
    }

    @Override
    public final void afterStep(SimProcess<?, ?> process) {
        for (; seen < worlds.entries().size(); seen++) {
            WorldLog.Entry entry = worlds.entries().get(seen);
            String wrong = wrongWith(entry);
            if (wrong != null) {
                throw new Violation(name() + ": " + entry + ": " + wrong);
            }
        }
    }

    /** Returns the violation that an entry shows, or null. */
    abstract String wrongWith(WorldLog.Entry entry);
}
