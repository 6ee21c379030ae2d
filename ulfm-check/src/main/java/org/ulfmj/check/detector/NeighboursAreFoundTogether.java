package org.ulfmj.check.detector;

import java.util.List;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.Violation;

/**
 * Invariant (rule 6a): if k neighbours on the ring die at one moment, all processes that run know it after 1 + ⌈(k − 1)
 * / (⌈log₂ n⌉ + 1)⌉ timeouts and a broadcast. For k from 2 to ⌈log₂ n⌉ + 2 that is two timeouts.
 *
 * <p>Each of these timeouts takes longer by the time of the heartbeat or the question on its way, and by up to a fifth
 * of a period for the last poll without an answer.
 */
final class NeighboursAreFoundTogether implements Invariant {
    private final Simulation world;
    private final RunningRanksKnowAllEnds known;
    private final long deadlineNs;
    private boolean isJudged;

    /**
     * @param atNs when the neighbours died
     * @param dead how many neighbours died
     * @param delayNs τ: the longest time of a message
     */
    NeighboursAreFoundTogether(Simulation world, List<? extends Member> members, long atNs, int dead, long delayNs) {
        this.world = world;
        this.known = new RunningRanksKnowAllEnds(members);
        int log = Integer.SIZE - Integer.numberOfLeadingZeros(members.size() - 1);
        long waits = 1 + (dead - 1 + log) / (log + 1);
        long waitNs = Pace.TIMING.detectorTimeoutNs() + delayNs + Pace.TIMING.heartbeatPeriodNs() / 5;
        this.deadlineNs = atNs + waits * waitNs + 8 * delayNs * log;
    }

    @Override
    public void afterStep(SimProcess<?, ?> process) {
        if (isJudged || world.nowNs() <= deadlineNs) {
            return;
        }
        isJudged = true;
        String unknown = known.open();
        if (unknown != null) {
            throw new Violation(name() + ": at " + deadlineNs / 1_000_000 + " ms " + unknown);
        }
    }

    @Override
    public String open() {
        return known.open();
    }
}
