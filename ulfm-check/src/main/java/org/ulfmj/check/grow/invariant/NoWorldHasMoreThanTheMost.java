package org.ulfmj.check.grow.invariant;

import org.ulfmj.check.grow.GrowLog;
import org.ulfmj.check.grow.GrowWorld;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/** G4: joiners never bring a world to more members than the program's limit. */
final class NoWorldHasMoreThanTheMost implements Invariant {
    private final GrowWorld world;
    private int seen;

    NoWorldHasMoreThanTheMost(GrowWorld world) {
        this.world = world;
    }

    @Override
    public void afterStep(SimProcess<?, ?> process) {
        for (; seen < world.log().entries().size(); seen++) {
            GrowLog.Entry entry = world.log().entries().get(seen);
            if (entry.admission().members().size() > world.program().most()) {
                throw new Violation(
                        name() + ": " + entry + ", and " + world.program().most() + " are the most");
            }
        }
    }
}
