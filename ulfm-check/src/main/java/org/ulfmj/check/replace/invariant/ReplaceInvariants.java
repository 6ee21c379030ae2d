package org.ulfmj.check.replace.invariant;

import org.ulfmj.check.detector.Bounds;
import org.ulfmj.check.detector.LiveRankFenced;
import org.ulfmj.check.detector.Pace;
import org.ulfmj.check.replace.Launcher;
import org.ulfmj.check.replace.ReplaceWitness;
import org.ulfmj.check.replace.ReplaceWorld;
import org.ulfmj.check.replace.WorldLog;
import org.ulfmj.sim.FaultPlan;
import org.ulfmj.sim.Simulation;

/** The invariants of the simulated worlds of {@link ReplaceWorld}, in which dead processes are replaced. */
public final class ReplaceInvariants {
    private ReplaceInvariants() {}

    public static void require(ReplaceWorld world, Launcher launcher, FaultPlan plan, boolean suspects) {
        Simulation simulation = world.simulation();
        WorldLog worlds = world.worlds();
        simulation.must(new AllHoldersOfAnEpochHoldTheSameMembers(worlds));
        simulation.must(new LiveRanksAreInOneWorld(world));
        simulation.must(new SurvivorsOfSplitsMarkEachOther(worlds));
        simulation.must(new IdsOfWorldsNeverClash(worlds));
        simulation.must(new OnlyTheFailedAreReplaced(world));
        simulation.must(new EpochsFollowOneAnother(worlds));
        simulation.must(new AReplaceIsCheap(world));
        simulation.must(new LiveRanksReturnAlike(world));
        simulation.must(new NoReplaceGivesUpEarly(world, launcher));
        simulation.must(new EveryLiveMemberFinishes(world));
        simulation.must(new AdmittedNewcomersAreTold(world));
        simulation.must(new NoProcessWaitsForFinalizedWorlds(world, launcher));
        simulation.must(new EndsInTheWorldAreKnown(world));
        simulation.must(new ExcludedProcessesEnd(world));
        simulation.must(new TheRingOfTheLastWorldIsOneCycle(world));
        simulation.must(new TheNewWorldAgrees(world));
        simulation.must(new TheRollCallEnds(launcher));
        simulation.must(new LiveRanksAreCounted(world));
        simulation.must(new RevokedForOneRevokedForAllOfItsEpoch(world));
        simulation.must(new NoRankForgetsWhatAnotherKeeps(world));
        long silenceNs = plan.pausesNs() + plan.cutsNs();
        // A sleep of the host stops only the processes that exist from the start, so newcomers may take the others for
        // silent.
        boolean isHeardInTime = plan.sleeps().isEmpty()
                && plan.cuts().stream().noneMatch(FaultPlan.Cut::isLasting)
                && silenceNs <= Pace.LONGEST_UNNOTICED_NS;
        if (isHeardInTime && plan.suspicions().isEmpty() && !suspects) {
            simulation.must(new NoHealthyProcessIsSuspected(world, launcher));
            simulation.must(new NoProcessIsFencedWithoutCause(world));
        }
        simulation.must(new ReplaceWitness(world));
        simulation.must(new LiveRankFenced(simulation));
        Bounds bounds = Pace.bounds(world.size());
        simulation.bound(failures ->
                bounds.replaceNs(failures, world.terms().rounds(), world.terms().timeoutNs()));
        simulation.limitNs(600_000_000_000L);
    }
}
