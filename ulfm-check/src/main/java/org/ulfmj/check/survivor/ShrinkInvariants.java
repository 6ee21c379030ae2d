package org.ulfmj.check.survivor;

import java.util.List;
import org.ulfmj.sim.Simulation;

/** What shrink promises. */
final class ShrinkInvariants {
    private ShrinkInvariants() {}

    static void require(Simulation world, List<SurvivorRank> ranks, Journal journal, LiveRanks live) {
        world.must(new SurvivorsShareTheShrunkWorld(ranks, journal, live));
        world.must(new WhoShrinksIsAMember(ranks, journal));
        world.must(new TheKnownDeadAreShrunkAway(ranks, journal));
        world.must(new ShrinkKeepsTheOrder(ranks, journal));
        world.must(new ShrinkIsOneAgreement(ranks, journal));
        world.must(new IdsNeverClash(ranks, journal));
    }
}
