package org.ulfmj.check.detector;

import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.Invariant;

/**
 * Invariant at rest: a process that has been marked failed by one that runs and watches the others does not run any
 * more.
 */
record TheExcludedEndFenced(List<? extends Member> members) implements Invariant {
    @Override
    public String open() {
        for (Member member : members) {
            if (!member.isWatching()) {
                continue;
            }
            for (ProcessId failed : member.failures().failedInOrder()) {
                Member excluded = members.get(failed.slot());
                if (excluded.isRunning()) {
                    return excluded.process() + " runs, but " + member.process() + " holds it for failed";
                }
            }
        }
        return null;
    }
}
