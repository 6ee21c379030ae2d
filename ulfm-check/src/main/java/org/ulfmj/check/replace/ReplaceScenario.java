package org.ulfmj.check.replace;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.ulfmj.agree.CommunicatorIds;
import org.ulfmj.agree.ReplaceTerms;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.ControlMessage;
import org.ulfmj.agree.tree.TreeShape;
import org.ulfmj.check.detector.FaultInjection;
import org.ulfmj.check.detector.LiveRankFenced;
import org.ulfmj.check.detector.Pace;
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
 * Survivors replace their dead, one to three times in a row, while a launcher starts next incarnations late, tells of
 * them or dies, newcomers die or give up, and processes suspect each other.
 */
public final class ReplaceScenario implements Scenario {
    static final String ADMITTED = "a newcomer admitted";
    static final String ADMITTED_DEAD = "a newcomer admitted that was dead";
    static final String RANK_0 = "rank 0 replaced";
    static final String ALL_BUT_ONE = "all but one replaced";
    static final String REPLACED_TWICE = "a newcomer replaced";
    static final String DIED_JOINING = "a newcomer that ended while it waited";
    static final String DIED_FIRST = "a rank died after its return and before another's";
    static final String SECOND_FAILURE = "a death during a replace";
    static final String NOTHING_FAILED = "a replace of nobody";
    static final String NOT_REPLACED = "a replace that failed for want of processes";
    static final String MIXED = "a replace that met another call";
    static final String LAUNCHER_LOST = "the launcher died during a replace";
    static final String NEWS_LOST = "news that died with the launcher";
    static final String WENT_AWAY = "a newcomer that was not needed went away";
    static final String LEFT = "a newcomer finalized";
    static final String EXCLUDED = "a member of a split that the launcher excluded";

    static final String ENDED_ON_REPORT = "a process that the launcher ended on a report";
    static final String ROLL_CALL = "all members ended";
    static final String GATHERED = "a world gathered by the launcher";

    /** Rare: it was welcomed when the last member died. */
    static final String KEPT = "a welcome of a world that has ended, kept until another was gathered";

    static final String ANSWERED = "a roll call that a member answered";

    static final String REVOKED = "a communicator revoked where the dead are replaced";
    static final String ABORTED = "a communicator beside the world that could not be built";
    static final String OLDER_EPOCH = "a communicator made of one of an epoch that is over";
    static final String DECIDED_LATER = "a call decided in an epoch behind its communicator's";

    /** Rare, and so not demanded. */
    static final String SPLIT = "survivors of a split in different worlds";

    /** Rarer still: of a split only newcomers are left. */
    static final String NEWCOMERS_SPLIT = "newcomers of a split in different worlds";

    /** As rare. */
    static final String TOLD_TWICE = "a newcomer told of two worlds";

    static final int SORTS = ControlTraits.SORTS_WITH_WELCOME;

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
                ADMITTED,
                ADMITTED_DEAD,
                RANK_0,
                ALL_BUT_ONE,
                REPLACED_TWICE,
                DIED_JOINING,
                DIED_FIRST,
                SECOND_FAILURE,
                NOTHING_FAILED,
                NOT_REPLACED,
                MIXED,
                LAUNCHER_LOST,
                NEWS_LOST,
                WENT_AWAY,
                LEFT,
                ENDED_ON_REPORT,
                ROLL_CALL,
                GATHERED,
                REVOKED,
                ABORTED,
                OLDER_EPOCH,
                DECIDED_LATER,
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
        for (int slot = 0; slot < size; slot++) {
            world.create(world.contactOf(ProcessId.of(slot)), null);
        }
        List<ReplaceRank> first = List.copyOf(world.all());
        List<Contact> contacts = first.stream().map(ReplaceRank::contact).toList();
        for (ReplaceRank rank : first) {
            simulation.at(random.between(0, 3 * pace.unitNs()), () -> rank.start(launcher, contacts));
        }
        FaultPlan plan = drawFaults(simulation, pace);
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

    /** All that are members at a time die at about the same time. */
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

    private static FaultPlan drawFaults(Simulation simulation, Pace pace) {
        int size = simulation.ranks();
        FaultPlan.Limits limits = new FaultPlan.Limits(
                size - 1, 1, SORTS, Pace.SHORT_PAUSE_NS, Pace.LONGEST_UNNOTICED_NS, Pace.LONG_PAUSE_NS, true);
        return FaultPlan.draw(simulation, size, pace.faultWindowNs() / 2, limits);
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
