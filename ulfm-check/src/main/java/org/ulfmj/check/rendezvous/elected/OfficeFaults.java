package org.ulfmj.check.rendezvous.elected;

import java.util.List;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;

/**
 * Faults that hit the coordinator's office: candidates end, or stand still, also just while they write, and etcd is
 * away for a while.
 */
record OfficeFaults(Simulation world, SeededRandom random, List<? extends Coordinator> candidates) {
    /**
     * How often faults happen: in which percentage of the schedules pauses, crashes and outages happen, and how many
     * pauses and outages at most in such a schedule.
     *
     * @param windows number of times {@link Times#WINDOW_NS} within which these faults begin
     */
    record Odds(int pauses, int mostPauses, int crashes, int outages, int mostOutages, int windows) {}

    private static final int MOST_CRASHES = 2;

    /**
     * A candidate stands still just while its write is delayed: another one may have the office when the write is
     * carried out.
     *
     * @param candidate the node of the candidate
     */
    void standStill(int candidate) {
        SimProcess<?, ?> process = candidates.get(candidate - 1).process();
        long durationNs = random.between(Times.TTL_NS, 2 * Times.TTL_NS);
        world.faultAt(world.nowNs(), () -> process.pause(durationNs));
    }

    void plan(Etcd etcd, Odds odds) {
        long lastNs = odds.windows() * Times.WINDOW_NS;
        planCandidates(odds, lastNs);
        planOutages(etcd, odds, lastNs);
    }

    private void planCandidates(Odds odds, long lastNs) {
        for (int pauses = count(odds.pauses(), odds.mostPauses()); pauses > 0; pauses--) {
            SimProcess<?, ?> process = anyCandidate().process();
            long atNs = random.between(0, lastNs);
            long durationNs = random.between(Times.POLL_NS, 4 * Times.TTL_NS);
            if (world.plans("pause of candidate " + process.node() + " at " + atNs / Times.MS + " ms for "
                    + durationNs / Times.MS)) {
                world.faultAt(atNs, () -> process.pause(durationNs));
            }
        }
        for (int crashes = count(odds.crashes(), MOST_CRASHES); crashes > 0; crashes--) {
            SimProcess<?, ?> process = anyCandidate().process();
            long atNs = random.between(0, lastNs);
            int afterSends = random.chance(50) ? 0 : 1 + random.below(3);
            if (world.plans("crash of candidate " + process.node() + " at " + atNs / Times.MS + " ms")) {
                world.faultAt(atNs, () -> process.crashAfterSends(afterSends, 0));
            }
        }
    }

    private void planOutages(Etcd etcd, Odds odds, long lastNs) {
        for (int outages = count(odds.outages(), odds.mostOutages()); outages > 0; outages--) {
            long atNs = random.between(0, lastNs);
            long durationNs = random.between(Times.POLL_NS, random.chance(50) ? Times.TTL_NS : 4 * Times.TTL_NS);
            boolean isExtending = random.chance(70);
            if (world.plans("etcd is away at " + atNs / Times.MS + " ms for " + durationNs / Times.MS)) {
                world.faultAt(atNs, etcd::goAway);
                world.faultAt(atNs + durationNs, () -> etcd.comeBack(isExtending));
            }
        }
        long calmNs = lastNs + Times.WINDOW_NS;
        world.faultAt(calmNs, etcd::calmDown);
        // By then each request that was delayed before calmNs has come.
        world.faultAt(calmNs + 4 * Times.TTL_NS, () -> {});
    }

    private int count(int percent, int most) {
        return random.chance(percent) ? 1 + random.below(most) : 0;
    }

    /** Chooses a candidate: mostly the launcher. */
    private Coordinator anyCandidate() {
        return candidates.get(random.chance(60) ? 0 : random.below(candidates.size()));
    }
}
