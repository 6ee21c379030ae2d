package org.ulfmj.check.survivor.shrink;

import java.util.List;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.LiveRanks;
import org.ulfmj.check.survivor.SurvivorRank;
import org.ulfmj.sim.Simulation;

/** The invariants of shrink. */
public final class ShrinkInvariants {
    private ShrinkInvariants() {}

    public static void require(Simulation world, List<SurvivorRank> ranks, Journal journal, LiveRanks live) {
        world.must(new SurvivorsShareTheShrunkWorld(ranks, journal, live));
        world.must(new ShrinkingRanksAreMembers(ranks, journal));
        world.must(new TheKnownDeadAreShrunkAway(ranks, journal));
        world.must(new ShrinkKeepsTheOrder(ranks, journal));
        world.must(new ShrinkIsOneAgreement(ranks, journal));
        world.must(new IdsNeverClash(ranks, journal));
    }
}
