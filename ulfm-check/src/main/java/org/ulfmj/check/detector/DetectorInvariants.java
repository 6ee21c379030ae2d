package org.ulfmj.check.detector;

import java.util.List;
import java.util.function.Function;
import org.ulfmj.detector.RingDetector;
import org.ulfmj.sim.FaultPlan;
import org.ulfmj.sim.Simulation;

/** Invariants of simulated worlds in which a ring watches over the members. */
public final class DetectorInvariants {
    private DetectorInvariants() {}

    /**
     * Requires these invariants of one world. The accuracy of the detector is required only where the plan has no
     * injected suspicion, no lasting cut, and pauses, sleeps and healing cuts that are too short, all together, to
     * cause a suspicion; the time of knowing ends only where the plan has neither sleeps nor cuts.
     */
    public static <T extends Member> void require(
            Simulation world, List<T> members, Function<T, RingDetector> ringOf, FaultPlan plan) {
        world.must(new FailedSetsOnlyGrow(members));
        Bounds bounds = Pace.bounds(members.size());
        world.must(new RunningRanksKnowAllEnds(members), bounds::failuresKnownNs);
        world.must(new TheExcludedEndFenced(members));
        world.must(new RingIsOneCycle<>(members, ringOf), bounds::failuresKnownNs);
        // A sleep of all members counts as a short pause: they wake within that time of each other.
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
