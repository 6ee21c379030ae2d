package org.ulfmj.check.detector;

import java.util.List;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;

/**
 * Not an invariant but a witness: notes that in this schedule a crashed process was marked failed on suspicion, as the
 * ring does after a silence.
 */
record FoundBySilence(Simulation world, List<? extends Member> members) implements Invariant {
    static final String EVENT = "an end found by silence";

    @Override
    public void atEnd() {
        for (Member member : members) {
            for (ProcessId failed : member.failures().failedInOrder()) {
                Member other = members.get(failed.slot());
                if (member.failures().evidence(failed).kind() == Evidence.Kind.SUSPECTED
                        && other.process().end() == SimProcess.End.CRASHED) {
                    world.cover(EVENT);
                }
            }
        }
    }
}
