package org.ulfmj.check.grow.scenario;

import java.util.List;
import java.util.Set;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.check.detector.FaultInjection;
import org.ulfmj.check.detector.Pace;
import org.ulfmj.check.grow.GrowEvents;
import org.ulfmj.check.grow.GrowProcess;
import org.ulfmj.check.grow.GrowProgram;
import org.ulfmj.check.grow.GrowWorld;
import org.ulfmj.check.grow.JoinLauncher;
import org.ulfmj.check.grow.invariant.GrowInvariants;
import org.ulfmj.check.survivor.ControlTraits;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.FaultPlan;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;

/**
 * Members call grow() one to four times, perhaps with other calls in between, to let in processes without a slot.
 * Joiners come early or late, are announced late or not to all, die or give up, and may be more than the world may
 * take. Members die and are suspected falsely, and a member may make another call than the others.
 */
public final class GrowScenario implements Scenario {
    private static final int MOST_JOINERS = 4;

    @Override
    public String name() {
        return "grow";
    }

    @Override
    public Set<String> mustCover() {
        return Set.of(
                GrowEvents.ADMITTED,
                GrowEvents.ADMITTED_DEAD,
                GrowEvents.SEVERAL_AT_ONCE,
                GrowEvents.UNCHANGED,
                GrowEvents.LEFT_OUT,
                GrowEvents.REPLACED_TOO,
                GrowEvents.BEYOND_THE_MOST,
                GrowEvents.GREW_TWICE,
                GrowEvents.MIXED,
                GrowEvents.GAVE_UP,
                GrowEvents.DIED_FIRST,
                GrowEvents.SENT_AWAY,
                GrowEvents.FINALIZED,
                GrowEvents.OLD_NEWS);
    }

    @Override
    public void build(Simulation simulation) {
        int size = simulation.ranks();
        SeededRandom random = simulation.random("world");
        int joiners = 1 + random.below(MOST_JOINERS);
        GrowProgram program = GrowProgram.draw(random, simulation, joiners);
        Pace pace = Pace.draw(random, 4 * program.acts().size());
        GrowWorld world = new GrowWorld(simulation, random, pace, program);
        for (int slot = 0; slot < size; slot++) {
            world.create(ProcessId.of(slot));
        }
        FaultPlan plan = Pace.drawFaults(simulation, pace.faultWindowNs() / 2, 1, ControlTraits.SORTS_WITH_WELCOME);
        FaultInjection faults = new FaultInjection(simulation, world.all(), plan, 20 * pace.unitNs());
        JoinLauncher launcher = new JoinLauncher(world, faults::tellOthers);
        List<Contact> founders = world.founders();
        for (GrowProcess founder : List.copyOf(world.all())) {
            simulation.at(random.between(0, 3 * pace.unitNs()), () -> founder.start(launcher, founders));
        }
        for (int left = joiners; left > 0; left--) {
            launcher.plan(world.create(null));
        }
        faults.plan();
        world.all().forEach(launcher::watch);
        planSuspicions(world);
        GrowInvariants.require(world);
    }

    /** Schedules false suspicions of processes that are members when the suspicion begins, joiners among them. */
    private static void planSuspicions(GrowWorld world) {
        Simulation simulation = world.simulation();
        SeededRandom random = simulation.random("later suspicions");
        for (int left = random.chance(75) ? 0 : 1 + random.below(2); left > 0; left--) {
            long atNs = random.between(0, 2 * world.pace().faultWindowNs());
            if (simulation.plans("a later suspicion")) {
                simulation.faultAt(atNs, () -> {
                    List<GrowProcess> members = world.members();
                    if (members.size() > 1) {
                        int by = random.below(members.size());
                        int about = (by + 1 + random.below(members.size() - 1)) % members.size();
                        members.get(by).suspect(members.get(about).id());
                    }
                });
            }
        }
    }
}
