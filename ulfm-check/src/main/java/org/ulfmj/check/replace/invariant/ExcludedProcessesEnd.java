package org.ulfmj.check.replace.invariant;

import org.ulfmj.check.replace.ReplaceRank;
import org.ulfmj.check.replace.ReplaceWorld;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.Invariant;

/** At rest no process runs that a running member, one that is not leaving, has marked failed. */
record ExcludedProcessesEnd(ReplaceWorld world) implements Invariant {
    @Override
    public String open() {
        for (ReplaceRank member : world.watching()) {
            for (ProcessId failed : member.failures().failedInOrder()) {
                ReplaceRank excluded = world.of(failed);
                if (excluded != null && excluded.isRunning()) {
                    return excluded + " runs, but " + member + " holds it for failed";
                }
            }
        }
        return null;
    }
}
