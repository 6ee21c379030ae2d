package org.ulfmj.check.survivor.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.tree.TreeShape;
import org.ulfmj.check.detector.DetectorInvariants;
import org.ulfmj.check.detector.FaultInjection;
import org.ulfmj.check.detector.LiveRankFenced;
import org.ulfmj.check.detector.LostObituary;
import org.ulfmj.check.detector.Pace;
import org.ulfmj.check.survivor.ControlTraits;
import org.ulfmj.check.survivor.Journal;
import org.ulfmj.check.survivor.LateObituaries;
import org.ulfmj.check.survivor.MessageWitness;
import org.ulfmj.check.survivor.SurvivorEvents;
import org.ulfmj.check.survivor.SurvivorProgram;
import org.ulfmj.check.survivor.SurvivorRank;
import org.ulfmj.check.survivor.SurvivorWorld;
import org.ulfmj.check.survivor.invariant.SurvivorInvariants;
import org.ulfmj.protocol.Digest64;
import org.ulfmj.protocol.Membership;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.FaultPlan;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.VirtualNetwork;

/** Ranks with the whole survivor core run one program, with all kinds of faults. */
abstract class SurvivorScenario implements Scenario {
    private static final byte[] SECRET = new byte[32];

    private final String name;
    private final int weight;
    private final SurvivorProgram.Emphasis emphasis;

    SurvivorScenario(String name, int weight, SurvivorProgram.Emphasis emphasis) {
        this.name = name;
        this.weight = weight;
        this.emphasis = emphasis;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final int weight() {
        return weight;
    }

    @Override
    public Set<String> mustCover() {
        return Set.of(
                MessageWitness.TAKEOVER,
                MessageWitness.REPOLL,
                MessageWitness.NEW_ROUND,
                LiveRankFenced.EVENT,
                LostObituary.EVENT,
                FaultInjection.UNREACHABLE,
                SurvivorEvents.MIXED_KINDS,
                SurvivorEvents.SLOW,
                SurvivorEvents.REPEATED,
                SurvivorEvents.ABORTED,
                LateObituaries.EVENT);
    }

    @Override
    public void build(Simulation simulation) {
        int size = simulation.ranks();
        SeededRandom random = simulation.random("world");
        SurvivorProgram program = program(random, size).within(simulation);
        Pace pace = Pace.draw(random, program.acts().size());
        VirtualNetwork<ProcessId, ControlMessage> network =
                pace.network(simulation, new ControlTraits(random.chance(50), random.chance(10)));
        SurvivorWorld world = new SurvivorWorld(
                simulation,
                network,
                pace,
                program,
                new Journal(),
                new ArrayList<>(),
                new CommunicatorIds(new Digest64(SECRET)),
                shape(),
                random.chance(50),
                random.chance(50));
        List<SurvivorRank> ranks = new ArrayList<>();
        Membership membership = membership(simulation, size);
        for (int slot = 0; slot < size; slot++) {
            ranks.add(new SurvivorRank(world, slot, membership, new SimProcess<>(simulation, slot, network)));
        }
        for (SurvivorRank rank : ranks) {
            simulation.at(random.between(0, 3 * pace.unitNs()), rank::start);
        }
        FaultPlan plan = faults(simulation, pace.faultWindowNs());
        connect(simulation, network, ranks, pace);
        boolean repeats = mayRepeat()
                && simulation.random("repeats").chance(20)
                && simulation.plans("repeated messages of agreements");
        if (repeats) {
            simulation.cover(SurvivorEvents.REPEATED);
            network.repeat(5);
        }
        new FaultInjection(simulation, ranks, plan, 20 * pace.unitNs()).plan();
        DetectorInvariants.require(simulation, ranks, SurvivorRank::ring, plan);
        SurvivorInvariants.require(world, ranks, repeats);
        requireMore(world, ranks);
        if (LateObituaries.draw(simulation)) {
            ranks.forEach(SurvivorRank::putOffObituaries);
        }
        simulation.bound(Pace.bounds(size)::anyCallNs);
        simulation.limitNs(120_000_000_000L);
    }

    static Set<String> more(Set<String> events, String... others) {
        SortedSet<String> all = new TreeSet<>(events);
        all.addAll(List.of(others));
        return all;
    }

    /**
     * Connects the ranks. Does nothing here: the lines of the network then carry the messages. A subclass may connect
     * the ranks in another way.
     */
    void connect(
            Simulation simulation, VirtualNetwork<?, ControlMessage> network, List<SurvivorRank> ranks, Pace pace) {}

    /** Whether messages of agreements may come twice. */
    boolean mayRepeat() {
        return true;
    }

    /**
     * Returns the shape of the trees of agreements. Here each rank has at most two children: more can go wrong in such
     * a tree than in the star that a real world of this size has on one host.
     */
    TreeShape shape() {
        return TreeShape.BINARY;
    }

    /** Returns the members of the world, with the hosts that they are on; here all are on one host. */
    Membership membership(Simulation simulation, int size) {
        return Membership.initial(size);
    }

    /** The program of the ranks. */
    SurvivorProgram program(SeededRandom random, int size) {
        return SurvivorProgram.draw(random, size, emphasis);
    }

    /** The faults of the schedule. */
    FaultPlan faults(Simulation simulation, long windowNs) {
        return Pace.drawFaults(simulation, windowNs, 2, ControlTraits.SORTS);
    }

    /** Requires further invariants of this scenario. */
    void requireMore(SurvivorWorld world, List<SurvivorRank> ranks) {}
}
