package org.ulfmj.check.grow.invariant;

import org.ulfmj.check.detector.Bounds;
import org.ulfmj.check.detector.Pace;
import org.ulfmj.check.grow.GrowWitness;
import org.ulfmj.check.grow.GrowWorld;
import org.ulfmj.sim.Simulation;

/** The invariants of all worlds that grow. */
public final class GrowInvariants {
    /**
     * How many joiners the bounds allow for, besides the founders and a replacement for each founder; no schedule has
     * more.
     */
    private static final int MOST_NEWCOMERS = 4;

    private GrowInvariants() {}

    public static void require(GrowWorld world) {
        Simulation simulation = world.simulation();
        simulation.must(new MembersReturnIntoOneWorld(world));
        simulation.must(new NoSlotForTwoProcesses(world));
        simulation.must(new NoWorldHasMoreThanTheMost(world));
        simulation.must(new NoProcessRunsInAWorldOfItsOwn(world));
        simulation.must(new EveryMemberFinishes(world));
        simulation.must(new AdmittedProcessesAreTold(world));
        simulation.must(new AGrowIsCheap(world));
        simulation.must(new GrowWitness(world));
        Bounds bounds = Pace.bounds(2 * world.size() + MOST_NEWCOMERS);
        simulation.bound(failures ->
                bounds.replaceNs(failures, world.terms().rounds(), world.terms().timeoutNs()));
        simulation.limitNs(600_000_000_000L);
    }
}
