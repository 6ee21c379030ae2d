package org.ulfmj.check.replace.invariant;

import java.util.List;
import org.ulfmj.check.replace.ReplaceWorld;
import org.ulfmj.check.replace.SideDecisions;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.Violation;

/**
 * The decision of each call that a live member made besides its program counts every live member of the call's
 * communicator.
 */
final class LiveRanksAreCounted implements Invariant {
    private final ReplaceWorld world;

    LiveRanksAreCounted(ReplaceWorld world) {
        this.world = world;
    }

    @Override
    public void atEnd() {
        List<SideDecisions.Return> returns = world.sideDecisions().returns();
        for (SideDecisions.Return one : returns) {
            if (!world.isLive(one.rank())) {
                continue;
            }
            for (int slot : one.members().toArray()) {
                ProcessId member = one.membership().process(slot);
                if (!one.counted().contains(slot) && world.isLive(world.of(member))) {
                    throw new Violation(name() + ": " + member + " lives, and " + one + " went on without it");
                }
            }
        }
    }
}
