package org.ulfmj.sim.detector;

import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/**
 * Detector accuracy, for schedules without injected suspicions and without pauses longer than timeout − period − delay:
 * no running process is ever held for failed.
 */
record NobodyIsSuspectedWithoutCause(List<? extends Member> members) implements Invariant {
    @Override
    public void afterStep(SimProcess<?, ?> process) {
        for (ProcessId failed : members.get(process.node()).failures().failedInOrder()) {
            if (members.get(failed.slot()).isRunning()) {
                throw new Violation(name() + ": " + process + " holds running process " + failed + " for failed");
            }
        }
    }
}
