package org.ulfmj.check.detector;

import java.util.List;
import java.util.function.Function;
import org.ulfmj.detector.RingDetector;
import org.ulfmj.sim.FaultPlan;
import org.ulfmj.sim.Simulation;

/** What must hold wherever a ring watches over the members. */
public final class DetectorInvariants {
    private DetectorInvariants() {}

    /** Requires all of them; the accuracy of the detector only where the plan excludes no process that runs. */
    public static <T extends Member> void require(
            Simulation world, List<T> members, Function<T, RingDetector> ringOf, FaultPlan plan) {
        world.must(new FailedSetsOnlyGrow(members));
        Bounds bounds = Pace.bounds(members.size());
        world.must(new RunningRanksKnowAllEnds(members), bounds::failuresKnownNs);
        world.must(new TheExcludedEndFenced(members));
        world.must(new RingIsOneCycle<>(members, ringOf), bounds::failuresKnownNs);
        // All wake from a sleep within a short pause of each other.
        long silenceNs = plan.pausesNs() + plan.cutsNs() + plan.sleeps().size() * Pace.SHORT_PAUSE_NS;
        boolean isHeardInTime =
                plan.cuts().stream().noneMatch(FaultPlan.Cut::isLasting) && silenceNs <= Pace.LONGEST_UNNOTICED_NS;
        if (plan.suspicions().isEmpty() && isHeardInTime) {
            world.must(new NoProcessIsSuspectedWithoutCause(members));
        }
        if (plan.sleeps().isEmpty() && plan.cuts().isEmpty()) {
            world.must(new EndsAreKnownInTime(world, members, plan.pausesNs()));
        }
        world.must(new FoundBySilence(world, members));
        world.must(new LiveRankFenced(world));
    }
}
