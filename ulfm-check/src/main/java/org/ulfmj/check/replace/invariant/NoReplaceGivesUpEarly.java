package org.ulfmj.check.replace.invariant;

import org.ulfmj.check.replace.Launcher;
import org.ulfmj.check.replace.NotReplacedLog;
import org.ulfmj.check.replace.ReplaceWorld;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/**
 * P1, P2: a replace returns the error that slots stayed empty only if no process will come for these slots any more, or
 * after all its rounds, or when its time limit has passed.
 */
final class NoReplaceGivesUpEarly implements Invariant {
    private final ReplaceWorld world;
    private final Launcher launcher;
    private int seen;

    NoReplaceGivesUpEarly(ReplaceWorld world, Launcher launcher) {
        this.world = world;
        this.launcher = launcher;
    }

    @Override
    public void afterStep(SimProcess<?, ?> process) {
        var returns = world.outcomes().returns();
        for (; seen < returns.size(); seen++) {
            NotReplacedLog.Return failed = returns.get(seen);
            boolean isOver = failed.agreements() > world.terms().rounds()
                    || failed.tookNs() + SimProcess.MAX_TIMER_LATENESS_NS
                            >= world.terms().timeoutNs();
            for (int slot : failed.outcome().missing().toArray()) {
                if (!isOver && !launcher.noMore().containsKey(slot)) {
                    throw new Violation(name() + ": " + failed + ", and a process may come for slot " + slot);
                }
            }
        }
    }
}
