package org.ulfmj.sim.detector;

import java.util.List;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.Violation;

/**
 * The bound of the ring: f overlapping ends are known to everybody who runs within f(f+1)δ + fτ + f(f+1)/2 · B(n), with
 * B(n) = 8τ⌈log₂ n⌉ for a broadcast, whatever the launcher says. On top of it comes what the ranks were allowed to stand
 * still, the slack of a slow start, and for every wait the tenth of a period of the last empty poll.
 *
 * <p>For schedules in which nobody stands still for long.
 */
final class EndsAreKnownInTime implements Invariant {
    /** Ends are noticed, and time is judged, with this grain. */
    private static final long LOOK_NS = 50_000_000;

    private final Simulation world;
    private final List<? extends Member> members;
    private final EndsAreKnownToAllWhoRun known;
    private final long delayNs;
    private long nextLookNs;
    private int ended;
    private long lastEndNs;

    /** @param delayNs τ: no message travels longer */
    EndsAreKnownInTime(Simulation world, List<? extends Member> members, long delayNs) {
        this.world = world;
        this.members = members;
        this.known = new EndsAreKnownToAllWhoRun(members);
        this.delayNs = delayNs;
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

    private long boundNs(long ends) {
        int log = Integer.SIZE - Integer.numberOfLeadingZeros(members.size() - 1);
        long timeoutNs = Pace.TIMING.detectorTimeoutNs();
        long waitNs = timeoutNs + Pace.TIMING.heartbeatPeriodNs() / 5 + Pace.SHORT_PAUSE_NS;
        long startNs = 2 * timeoutNs + 1_000_000_000 + (long) (StrictMath.log(members.size()) * 1_000_000_000);
        return startNs + ends * (ends + 1) * waitNs + ends * delayNs + ends * (ends + 1) / 2 * 8 * delayNs * log;
    }
}
