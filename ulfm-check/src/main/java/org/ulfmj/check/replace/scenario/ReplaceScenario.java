package org.ulfmj.check.replace.scenario;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.agree.change.ReplaceTerms;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.tree.TreeShape;
import org.ulfmj.check.detector.FaultInjection;
import org.ulfmj.check.detector.LiveRankFenced;
import org.ulfmj.check.detector.Pace;
import org.ulfmj.check.replace.Fate;
import org.ulfmj.check.replace.LaterSuspicions;
import org.ulfmj.check.replace.Launcher;
import org.ulfmj.check.replace.ReplaceEvents;
import org.ulfmj.check.replace.ReplaceProgram;
import org.ulfmj.check.replace.ReplaceRank;
import org.ulfmj.check.replace.ReplaceWorld;
import org.ulfmj.check.replace.invariant.ReplaceInvariants;
import org.ulfmj.check.survivor.ControlTraits;
import org.ulfmj.check.survivor.LateObituaries;
import org.ulfmj.protocol.Digest64;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.FaultPlan;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.VirtualNetwork;

/**
 * Survivors replace their dead, in most schedules one to three times in a row. Meanwhile the launcher starts next
 * incarnations late, announces them late, or dies, newcomers die, and processes suspect each other. In half of the
 * schedules there are several hosts, and a newcomer is perhaps on another one than the process before it.
 */
public final class ReplaceScenario implements Scenario {
    private static final byte[] SECRET = new byte[32];

    @Override
    public String name() {
        return "replace";
    }

    @Override
    public int weight() {
        return 2;
    }

    @Override
    public Set<String> mustCover() {
        return Set.of(
                ReplaceEvents.ADMITTED,
                ReplaceEvents.ADMITTED_DEAD,
                ReplaceEvents.SEVERAL_HOSTS,
                ReplaceEvents.RANK_0,
                ReplaceEvents.ALL_BUT_ONE,
                ReplaceEvents.REPLACED_TWICE,
                ReplaceEvents.DIED_JOINING,
                ReplaceEvents.DIED_FIRST,
                ReplaceEvents.SECOND_FAILURE,
                ReplaceEvents.NOTHING_FAILED,
                ReplaceEvents.NOT_REPLACED,
                ReplaceEvents.MIXED,
                ReplaceEvents.LAUNCHER_LOST,
                ReplaceEvents.NEWS_LOST,
                ReplaceEvents.WENT_AWAY,
                ReplaceEvents.LEFT,
                ReplaceEvents.ENDED_ON_REPORT,
                ReplaceEvents.ROLL_CALL,
                ReplaceEvents.GATHERED,
                ReplaceEvents.REVOKED,
                ReplaceEvents.ABORTED,
                ReplaceEvents.OLDER_EPOCH,
                ReplaceEvents.DECIDED_LATER,
                LateObituaries.EVENT,
                LiveRankFenced.EVENT);
    }

    @Override
    public void build(Simulation simulation) {
        int size = simulation.ranks();
        SeededRandom random = simulation.random("world");
        ReplaceProgram program = ReplaceProgram.draw(random, simulation);
        Pace pace = Pace.draw(random, 4 * program.acts().size());
        VirtualNetwork<ProcessId, ControlMessage> network = new VirtualNetwork<>(
                simulation,
                pace.delays(simulation),
                new ControlTraits(random.chance(50), random.chance(20)),
                id -> id.incarnation() * size + id.slot(),
                node -> new ProcessId(node % size, node / size));
        ReplaceWorld world = new ReplaceWorld(
                simulation,
                network,
                pace,
                program,
                drawTerms(random, pace),
                new CommunicatorIds(new Digest64(SECRET)),
                random.chance(80) ? TreeShape.BINARY : TreeShape.WIDE,
                random.chance(15));
        if (simulation.random("repeats").chance(20) && simulation.plans("repeated messages of agreements")) {
            network.repeat(5);
        }
        Launcher launcher = drawLauncher(world);
        List<Contact> contacts = IntStream.range(0, size)
                .mapToObj(slot -> world.contactOf(ProcessId.of(slot)))
                .toList();
        world.begin(contacts);
        contacts.forEach(contact -> world.create(contact, null));
        List<ReplaceRank> first = List.copyOf(world.all());
        for (ReplaceRank rank : first) {
            simulation.at(random.between(0, 3 * pace.unitNs()), () -> rank.start(launcher, contacts));
        }
        FaultPlan plan = Pace.drawFaults(simulation, pace.faultWindowNs() / 2, 1, ControlTraits.SORTS_WITH_WELCOME);
        FaultInjection faults = new FaultInjection(simulation, world.all(), plan, 20 * pace.unitNs());
        faults.plan();
        world.onEnd(ended -> {
            faults.tellOthers(ended);
            launcher.onEnd(ended);
        });
        boolean suspects = new LaterSuspicions(world).plan();
        planEndOfAll(world);
        if (LateObituaries.draw(simulation)) {
            world.putOffObituaries();
        }
        ReplaceInvariants.require(world, launcher, plan, suspects);
    }

    /** In some schedules lets all processes that are in a world die at about the same time. */
    private static void planEndOfAll(ReplaceWorld world) {
        Simulation simulation = world.simulation();
        SeededRandom random = simulation.random("end of all");
        long atNs = random.between(0, 2 * world.pace().faultWindowNs());
        if (random.chance(15) && simulation.plans("end of all members")) {
            simulation.faultAt(atNs, () -> {
                for (ReplaceRank member : world.members()) {
                    long laterNs = random.between(0, 4 * world.pace().unitNs());
                    simulation.faultAt(simulation.nowNs() + laterNs, member.process()::crash);
                }
            });
        }
    }

    private static ReplaceTerms drawTerms(SeededRandom random, Pace pace) {
        long shortNs = 30 * pace.unitNs();
        long longNs = 5 * Pace.TIMING.detectorTimeoutNs();
        return new ReplaceTerms(random.chance(65), 1 + random.below(4), random.chance(30) ? shortNs : longNs);
    }

    private static Launcher drawLauncher(ReplaceWorld world) {
        Simulation simulation = world.simulation();
        Pace pace = world.pace();
        SeededRandom random = simulation.random("fates");
        Map<ProcessId, Fate> fates = new TreeMap<>();
        for (int slot = 0; slot < world.size(); slot++) {
            for (int incarnation = 1; incarnation <= Launcher.MOST_RESTARTS_OF_A_SLOT; incarnation++) {
                ProcessId id = new ProcessId(slot, incarnation);
                fates.put(id, Fate.draw(random, simulation, pace, "newcomer " + id));
            }
        }
        boolean isScarce = random.chance(25);
        int restarts = isScarce ? random.below(world.size()) : 4 * world.size();
        Launcher launcher = new Launcher(world, fates, restarts, 20 * pace.unitNs());
        long diesNs = random.between(0, 2 * pace.faultWindowNs());
        boolean isNoticed = random.chance(50);
        if (random.chance(25) && simulation.plans("end of the launcher")) {
            simulation.faultAt(diesNs, () -> launcher.die(isNoticed));
        }
        return launcher;
    }
}
