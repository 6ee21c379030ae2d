package org.ulfmj.sim.survivor;

import java.util.List;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;

/** Not an invariant but a witness: counts schedules in which a suspicion died with all who had heard of it. */
record LostObituary(Simulation world, List<? extends Member> members, Member by, Member about) implements Invariant {
    static final String EVENT = "an obituary lost";

    @Override
    public void atEnd() {
        boolean anybodyKnows = members.stream()
                .anyMatch(member -> member.isRunning() && member.failures().hasFailed(about.id()));
        boolean wasSuspected = by.failures().hasFailed(about.id());
        if (wasSuspected && by.process().end() == SimProcess.End.CRASHED && about.isRunning() && !anybodyKnows) {
            world.cover(EVENT);
        }
    }
}
