package org.ulfmj.check.detector;

import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Violation;

/**
 * Invariant: no running process is ever marked failed. Holds in schedules without injected suspicions and lasting cuts
 * in which all pauses and healing cuts together, with a short pause for each sleep of all processes, are no longer than
 * timeout − period − delay. Checks each mark once, after the step in which it was made.
 */
final class NoProcessIsSuspectedWithoutCause implements Invariant {
    private final List<? extends Member> members;
    private final int[] seen;

    NoProcessIsSuspectedWithoutCause(List<? extends Member> members) {
        this.members = members;
        this.seen = new int[members.size()];
    }

    @Override
    public void afterStep(SimProcess<?, ?> process) {
        List<ProcessId> failed = members.get(process.node()).failures().failedInOrder();
        for (; seen[process.node()] < failed.size(); seen[process.node()]++) {
            ProcessId marked = failed.get(seen[process.node()]);
            if (members.get(marked.slot()).isRunning()) {
                throw new Violation(name() + ": " + process + " holds running process " + marked + " for failed");
            }
        }
    }
}
