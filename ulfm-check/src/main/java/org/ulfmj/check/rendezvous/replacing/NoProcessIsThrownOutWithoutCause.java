package org.ulfmj.check.rendezvous.replacing;

import java.util.Map;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.Violation;

/**
 * At the end no process was fenced or kept out that the scenario or a decision of the members has not excused; and none
 * gave up because no answer came. Processes that crashed are left out of account.
 */
record NoProcessIsThrownOutWithoutCause(Simulation world, Map<Integer, Worker> byNode) implements Invariant {
    @Override
    public void atEnd() {
        for (Worker worker : byNode.values()) {
            if (worker.hasGatheredAnew()) {
                world.cover("gathered anew");
            }
            if (worker.hasHeldAWelcome()) {
                world.cover("a welcome was held back");
            }
            if (worker.process().end() == SimProcess.End.CRASHED || worker.whyNot() == null) {
                continue;
            }
            boolean isFenced = worker.process().end() == SimProcess.End.FENCED
                    || worker.reason() == OutReason.FENCED
                    || worker.reason() == OutReason.NO_CONFIRM
                    || worker.reason() == OutReason.REFUSED;
            if (isFenced) {
                world.cover("a process kept out");
            }
            if (isFenced && !worker.isExcused()) {
                throw new Violation(worker.process() + " was thrown out: " + worker.whyNot());
            }
            if (worker.whyNot().equals("no answer")) {
                throw new Violation(worker.process() + " got no answer");
            }
        }
    }
}
