package org.ulfmj.check.grow.invariant;

import org.ulfmj.agree.message.Kind;
import org.ulfmj.check.grow.GrowLog;
import org.ulfmj.check.grow.GrowProgram;
import org.ulfmj.check.grow.GrowWorld;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/**
 * G5, G6: a call of grow() takes a member at most one agreement if it returns unchanged, and at most two if it returns
 * into a new world.
 */
final class AGrowIsCheap implements Invariant {
    private final GrowWorld world;
    private int seen;
    private int seenUnchanged;

    AGrowIsCheap(GrowWorld world) {
        this.world = world;
    }

    @Override
    public void afterStep(SimProcess<?, ?> process) {
        for (; seen < world.log().entries().size(); seen++) {
            GrowLog.Entry entry = world.log().entries().get(seen);
            GrowProgram.Act act = world.program().acts().get(entry.act());
            boolean isGrow = act.kindOf(entry.process().id().slot()) == Kind.GROW;
            if (entry.isSurvivor() && isGrow && entry.agreements() > 2) {
                throw new Violation(name() + ": " + entry + " after " + entry.agreements() + " agreements");
            }
        }
        for (; seenUnchanged < world.log().unchanged().size(); seenUnchanged++) {
            GrowLog.Unchanged unchanged = world.log().unchanged().get(seenUnchanged);
            if (unchanged.agreements() > 1) {
                throw new Violation(name() + ": " + unchanged);
            }
        }
    }
}
