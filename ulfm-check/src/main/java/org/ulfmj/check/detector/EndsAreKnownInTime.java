package org.ulfmj.check.detector;

import java.util.List;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.Violation;

/**
 * Checks the bound of the ring, {@link org.ulfmj.check.detector.Bounds#failuresKnownNs}: all ends are known to every
 * process that watches the others within the bound, counted from the moment when the last end was noticed here. The
 * check is made also while other faults are still to come. The pauses of the plan are added to the bound.
 */
final class EndsAreKnownInTime implements Invariant {
    /** The shortest interval between two looks, at which ends are noticed and the time is checked. */
    private static final long LOOK_NS = 50_000_000;

    private final Simulation world;
    private final List<? extends Member> members;
    private final RunningRanksKnowAllEnds known;
    private final long pausesNs;
    private long nextLookNs;
    private int ended;
    private long lastEndNs;

    /** @param pausesNs the sum of all pauses in which ranks stand still */
    EndsAreKnownInTime(Simulation world, List<? extends Member> members, long pausesNs) {
        this.world = world;
        this.members = members;
        this.known = new RunningRanksKnowAllEnds(members);
        this.pausesNs = pausesNs;
    }

    @Override
    public void afterStep(SimProcess<?, ?> process) {
        if (world.nowNs() >= nextLookNs) {
            nextLookNs = world.nowNs() + LOOK_NS;
            look();
        }
    }

    private void look() {
        int endedNow = 0;
        for (Member member : members) {
            endedNow += member.isRunning() ? 0 : 1;
        }
        if (endedNow != ended) {
            ended = endedNow;
            lastEndNs = world.nowNs();
        }
        if (world.nowNs() - lastEndNs > boundNs(ended)) {
            String unknown = known.open();
            if (unknown != null) {
                throw new Violation(name() + ": " + (world.nowNs() - lastEndNs) / 1_000_000 + " ms after the last of "
                        + ended + " ends: " + unknown);
            }
        }
    }

    private long boundNs(int ends) {
        return Pace.bounds(members.size()).failuresKnownNs(ends) + pausesNs;
    }
}
