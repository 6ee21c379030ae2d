package org.ulfmj.check.uniform;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.check.detector.FaultInjection;
import org.ulfmj.check.detector.LiveRankFenced;
import org.ulfmj.check.detector.Pace;
import org.ulfmj.check.survivor.ControlTraits;
import org.ulfmj.protocol.Digest64;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.FaultPlan;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.VirtualNetwork;

/**
 * Uniform agreements in a row, sometimes on a shrunk communicator or beside a non-blocking agreement, in worlds in
 * which an agreement needs a majority, and in worlds in which it does not. In half of the schedules two ranks, or all,
 * suspect each other at about the same time.
 */
public final class UniformScenario implements Scenario {
    static final String DIED_FIRST = "a rank died after its return and before another's";
    static final String DIED_BETWEEN = "a rank died between the two halves";
    static final String SPLIT = "two returners on the sides of a split differ";
    static final String NO_QUORUM = "a rank without a majority ended itself";

    private static final byte[] SECRET = new byte[32];
    private static final int SORTS_OF_MESSAGES = 6;

    @Override
    public String name() {
        return "uniform";
    }

    @Override
    public Set<String> mustCover() {
        return Set.of(DIED_FIRST, DIED_BETWEEN, SPLIT, NO_QUORUM, LiveRankFenced.EVENT);
    }

    @Override
    public void build(Simulation simulation) {
        int size = simulation.ranks();
        SeededRandom random = simulation.random("world");
        List<Kind> calls = drawCalls(random).stream()
                .filter(kind -> simulation.plans("call of " + kind))
                .toList();
        Pace pace = Pace.draw(random, 2 * calls.size());
        VirtualNetwork<ProcessId, ControlMessage> network =
                pace.network(simulation, new ControlTraits(random.chance(50), random.chance(10)));
        UniformWorld world = new UniformWorld(
                simulation,
                network,
                pace,
                calls,
                random.chance(50),
                new Returns(),
                new CommunicatorIds(new Digest64(SECRET)));
        List<UniformRank> ranks = new ArrayList<>();
        Membership membership = Membership.initial(size);
        for (int slot = 0; slot < size; slot++) {
            ranks.add(new UniformRank(world, slot, membership, new SimProcess<>(simulation, slot, network), ranks));
        }
        for (UniformRank rank : ranks) {
            simulation.at(random.between(0, 3 * pace.unitNs()), rank::start);
        }
        FaultPlan plan = Pace.drawFaults(simulation, pace.faultWindowNs(), 2, SORTS_OF_MESSAGES);
        new FaultInjection(simulation, ranks, plan, 20 * pace.unitNs()).plan();
        drawMutualSuspicion(simulation, ranks, pace);
        simulation.must(new ReturnWitness(simulation, world.returns(), ranks));
        simulation.must(new LiveRankFenced(simulation));
        simulation.must(new EveryLiveRankReturns(ranks));
        simulation.must(new LiveReturnersAgree(world.returns(), ranks));
        simulation.must(new NoReturnerDiffers(world.returns(), world.needsMajority()));
        simulation.must(new DifferingDecisionsListEachOther(world.returns()));
        simulation.must(new ListedProcessesAreMarked(world.returns()));
        simulation.bound(Pace.bounds(size)::uniformNs);
        simulation.limitNs(120_000_000_000L);
    }

    private static List<Kind> drawCalls(SeededRandom random) {
        List<Kind> calls = new ArrayList<>();
        for (int left = 1 + random.below(3); left > 0; left--) {
            if (random.chance(25)) {
                calls.add(Kind.SHRINK);
            }
            if (random.chance(20)) {
                calls.add(Kind.IAGREE);
            }
            calls.add(Kind.AGREE_UNIFORM);
        }
        return List.copyOf(calls);
    }

    private static void drawMutualSuspicion(Simulation simulation, List<UniformRank> ranks, Pace pace) {
        SeededRandom random = simulation.random("mutual suspicion");
        if (ranks.size() < 2 || random.chance(50)) {
            return;
        }
        long atNs = random.between(0, pace.faultWindowNs());
        if (random.chance(40)) {
            // All ranks suspect all others, so there may be as many separate sides as ranks.
            for (UniformRank rank : ranks) {
                planSuspicion(simulation, rank, ranks, atNs + random.between(0, pace.unitNs() / 2));
            }
            return;
        }
        UniformRank one = ranks.get(random.below(ranks.size()));
        UniformRank other = ranks.get((one.id().slot() + 1 + random.below(ranks.size() - 1)) % ranks.size());
        planSuspicion(simulation, one, List.of(other), atNs);
        planSuspicion(simulation, other, List.of(one), atNs + random.between(0, pace.unitNs() / 2));
    }

    private static void planSuspicion(Simulation simulation, UniformRank by, List<UniformRank> of, long atNs) {
        if (simulation.plans("suspicion of " + of + " by " + by.id())) {
            simulation.faultAt(
                    atNs, () -> of.stream().filter(other -> other != by).forEach(other -> suspect(by, other)));
        }
    }

    private static void suspect(UniformRank one, UniformRank other) {
        if (one.isRunning() && other.isRunning()) {
            one.suspect(other.id());
        }
    }
}
