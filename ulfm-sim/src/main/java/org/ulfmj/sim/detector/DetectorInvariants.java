package org.ulfmj.sim.detector;

import java.util.List;
import java.util.function.Function;
import org.ulfmj.detector.RingDetector;
import org.ulfmj.sim.FaultPlan;
import org.ulfmj.sim.Simulation;

/** What must hold wherever a ring watches over the members. */
public final class DetectorInvariants {
    private DetectorInvariants() {}

    /** Requires all of them; the accuracy of the detector only where the plan excludes nobody who runs. */
    public static <T extends Member> void require(
            Simulation world, List<T> members, Function<T, RingDetector> ringOf, FaultPlan plan) {
        world.must(new FailedSetsOnlyGrow(members));
        world.must(new EndsAreKnownToAllWhoRun(members));
        world.must(new TheExcludedEndFenced(members));
        world.must(new RingIsOneCycle<>(members, ringOf));
        boolean nobodyIsSilentLong = !plan.silences(Pace.SHORT_PAUSE_NS);
        if (plan.suspicions().isEmpty() && nobodyIsSilentLong) {
            world.must(new NobodyIsSuspectedWithoutCause(members));
        }
        if (nobodyIsSilentLong && plan.sleeps().isEmpty() && plan.cuts().isEmpty()) {
            world.must(new EndsAreKnownInTime(world, members, Pace.LONGEST_DELAY_NS));
        }
        world.must(new FoundBySilence(world, members));
        world.must(new LiveRankFenced(world));
    }
}
