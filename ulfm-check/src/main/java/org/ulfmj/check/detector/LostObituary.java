package org.ulfmj.check.detector;

import java.util.List;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;

/**
 * Not an invariant but a witness: notes that in this schedule a suspicion was lost. The process that had it crashed,
 * the suspected one runs or has left after a goodbye, and no process that runs or has left so has marked it failed.
 */
public record LostObituary(Simulation world, List<? extends Member> members, Member by, Member about)
        implements Invariant {
    /** The event's name in the coverage line. */
    public static final String EVENT = "an obituary lost";

    @Override
    public void atEnd() {
        boolean anybodyKnows = members.stream()
                .anyMatch(member -> isWell(member) && member.failures().hasFailed(about.id()));
        boolean wasSuspected = by.failures().hasFailed(about.id());
        if (wasSuspected && by.process().end() == SimProcess.End.CRASHED && isWell(about) && !anybodyKnows) {
            world.cover(EVENT);
        }
    }

    /** Whether a member runs, or has left after a goodbye. */
    private static boolean isWell(Member member) {
        return member.isRunning() || member.hasLeft();
    }
}
