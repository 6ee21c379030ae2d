package org.ulfmj.check.survivor.invariant;

import java.util.List;
import org.ulfmj.check.detector.Bounds;
import org.ulfmj.check.detector.Pace;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.LiveRanks;
import org.ulfmj.check.survivor.SurvivorRank;
import org.ulfmj.check.survivor.SurvivorWorld;
import org.ulfmj.check.survivor.Watch;
import org.ulfmj.check.survivor.shrink.ShrinkInvariants;
import org.ulfmj.sim.Simulation;

/** The invariants of the simulated worlds of {@link SurvivorWorld}, whose ranks have survivor cores and a program. */
public final class SurvivorInvariants {
    private SurvivorInvariants() {}

    /**
     * Adds all these invariants to the world's simulation.
     *
     * @param repeats whether messages of agreements may arrive twice; then the two invariants that count them are left
     *     out
     */
    public static void require(SurvivorWorld world, List<SurvivorRank> ranks, boolean repeats) {
        Simulation simulation = world.simulation();
        Journal journal = world.journal();
        LiveRanks live = new LiveRanks(ranks, journal);
        Bounds bounds = Pace.bounds(ranks.size());
        boolean finalizes = world.program().finalizes();
        simulation.must(new EveryRankFinishes(ranks, finalizes), finalizes ? bounds::finalizeNs : bounds::agreementNs);
        simulation.must(new LiveRanksDecideAlike(ranks, journal, live));
        simulation.must(new EveryLiveVoteCounts(ranks, journal, live));
        simulation.must(new AcknowledgementIsExact(ranks, journal, live));
        simulation.must(new KnownFailuresAreListed(ranks, journal, live));
        simulation.must(new CollectedWasDecidedByAll(ranks, journal, live));
        simulation.must(
                new FewDecisionsAreKept(ranks, journal, live, world.program().mostOpenCalls()));
        simulation.must(new EveryCallIsDecidedOnce(ranks, journal, live));
        simulation.must(new MixedKindsAreNamed(ranks, journal, live));
        simulation.must(new NoRankLeavesEarly(ranks, journal, live));
        simulation.must(new ListedAsFailedMeansEnded(ranks, journal));
        simulation.must(new CallsAreNumberedInOrder(journal));
        simulation.must(new RevokedForOneRevokedForAll(ranks), bounds::revokeNs);
        simulation.must(new RevokeReachesAllLive(ranks, journal), bounds::revokeNs);
        simulation.must(new ARevokeTouchesItsOwnOnly(ranks, journal));
        simulation.must(new AnEarlyRevokeIsNotLost(ranks));
        simulation.must(new DecisionsEqualTheOracles(simulation, ranks, journal));
        ShrinkInvariants.require(simulation, ranks, journal, live);
        watch(world, new NothingIsTakenFromTheFailed(journal));
        watch(world, new AnEventIsToldOnce(ranks.size()));
        watch(world, new CoresBeatSeldom(ranks.size()));
        watch(world, new DecidedRanksAnswer(simulation, journal));
        if (!repeats) {
            watch(world, new EveryWaitIsAnswered(ranks, live));
            watch(world, new AnAgreementIsCheap(ranks, journal));
        }
    }

    private static void watch(SurvivorWorld world, Watch watch) {
        world.watches().add(watch);
        world.simulation().must(watch);
    }
}
