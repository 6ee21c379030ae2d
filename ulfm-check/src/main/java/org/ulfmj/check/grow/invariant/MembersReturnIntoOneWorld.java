package org.ulfmj.check.grow.invariant;

import org.ulfmj.check.grow.GrowLog;
import org.ulfmj.check.grow.GrowProcess;
import org.ulfmj.check.grow.GrowWorld;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/**
 * G6: all processes that ever returned into an epoch, or were told of it, are in the same world, the dead included, as
 * long as no process was marked failed while it ran. After a false suspicion, if two survivors of one world returned
 * into different worlds of one epoch, each of the two that runs must have marked the other failed (P7, R9). If a grow
 * returns unchanged at a live process, no live member may have got a new world from it (G5, G12); live means that the
 * process runs and that no running member has marked it failed.
 */
final class MembersReturnIntoOneWorld implements Invariant {
    private final GrowWorld world;
    private final GrowLog log;
    private int seen;
    private int seenUnchanged;

    MembersReturnIntoOneWorld(GrowWorld world) {
        this.world = world;
        this.log = world.log();
    }

    @Override
    public void afterStep(SimProcess<?, ?> process) {
        boolean isNew =
                seen < log.entries().size() || seenUnchanged < log.unchanged().size();
        for (; seen < log.entries().size(); seen++) {
            for (GrowLog.Entry earlier : log.entries().subList(0, seen)) {
                compare(earlier, log.entries().get(seen));
            }
        }
        seenUnchanged = log.unchanged().size();
        if (isNew) {
            compareUnchanged();
        }
    }

    private void compare(GrowLog.Entry earlier, GrowLog.Entry later) {
        if (!earlier.differsFrom(later)) {
            return;
        }
        GrowProcess one = earlier.process();
        GrowProcess other = later.process();
        boolean haveSplit =
                !(one.isRunning() && !one.holdsForFailed(other)) && !(other.isRunning() && !other.holdsForFailed(one));
        boolean areOfOneWorld = earlier.isSurvivor() && later.isSurvivor() && earlier.parent() == later.parent();
        if (!log.wasAnySuspectedWrongly() || areOfOneWorld && !haveSplit) {
            throw new Violation(name() + ": " + earlier + "; " + later + ": they differ");
        }
    }

    private void compareUnchanged() {
        for (GrowLog.Unchanged unchanged : log.unchanged()) {
            for (GrowLog.Entry entry : log.entries()) {
                boolean isSameCall = entry.isSurvivor()
                        && entry.act() == unchanged.act()
                        && entry.parent() == unchanged.communicator();
                if (isSameCall && world.isLive(entry.process()) && world.isLive(unchanged.process())) {
                    throw new Violation(name() + ": " + entry + ", and " + unchanged + " in the same call");
                }
            }
        }
    }
}
