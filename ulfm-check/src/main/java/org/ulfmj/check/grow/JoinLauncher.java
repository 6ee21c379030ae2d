package org.ulfmj.check.grow;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.agree.message.Contact;
import org.ulfmj.agree.message.Joiner;
import org.ulfmj.check.detector.Pace;
import org.ulfmj.check.replace.Fate;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;

/**
 * The simulated launcher. It starts joiners, and announces a joiner after some time to the processes that were made
 * before its start, or to some of them never. It may start replacements for founders that have ended without a goodbye.
 * It gives no joiner a slot (G2), and admits no process; it ends processes that a later world leaves out.
 */
public final class JoinLauncher {
    private static final int LOST_PERCENT = 10;

    private final GrowWorld world;
    private final Simulation simulation;
    private final SeededRandom random;
    private final boolean replaces;
    private final Consumer<GrowProcess> tellsOthers;
    private boolean over;
    /** The world of the latest epoch that a member has reported to the launcher; null before the first report. */
    private Admission present;

    /** @param tellsOthers tells the other processes that a process has ended */
    public JoinLauncher(GrowWorld world, Consumer<GrowProcess> tellsOthers) {
        this.world = world;
        this.tellsOthers = tellsOthers;
        this.simulation = world.simulation();
        this.random = simulation.random("launcher");
        this.replaces = random.chance(40);
    }

    /** Schedules a joiner's start, its announcements, and whether and when it dies. */
    public void plan(GrowProcess joiner) {
        Pace pace = world.pace();
        Fate fate =
                Fate.draw(random, simulation, pace, "joiner " + joiner.process().node());
        long startsNs =
                random.chance(60) ? random.between(0, 10 * pace.unitNs()) : random.between(0, pace.faultWindowNs());
        int hostOrder = random.below(3);
        simulation.faultAt(startsNs, () -> start(joiner, joiner.joiner(hostOrder), fate));
    }

    private void start(GrowProcess joiner, Joiner announced, Fate fate) {
        joiner.join(this);
        for (GrowProcess each : List.copyOf(world.all())) {
            if (each != joiner && !random.chance(LOST_PERCENT)) {
                tell(() -> each.hearsOf(announced));
            }
        }
        end(joiner.process(), joiner, fate);
        if (over) {
            tell(joiner::isSentAway);
        }
    }

    private void end(SimProcess<?, ?> process, GrowProcess newcomer, Fate fate) {
        if (fate.endsNs() == Fate.NEVER) {
            return;
        }
        simulation.faultAt(simulation.nowNs() + fate.endsNs(), () -> {
            if (newcomer.isRunning() && newcomer.seat() == null) {
                simulation.cover(GrowEvents.GAVE_UP);
            }
            if (fate.afterSends() < 0) {
                process.crash();
            } else {
                process.crashAfterSends(fate.afterSends(), fate.sort());
            }
        });
    }

    private void tell(Runnable news) {
        long longestNs = 20 * world.pace().unitNs();
        simulation.faultAt(
                simulation.nowNs() + random.between(0, random.chance(50) ? longestNs : longestNs / 50), news);
    }

    /** A joiner is in a world: after some time it is told what it was told in vain while it waited. */
    void tellAgain(GrowProcess joiner) {
        tell(joiner::hearsAgain);
    }

    /**
     * A member has entered a world and reports that to the launcher (COMMITTED). The report of a member that dies may
     * be lost.
     */
    void committed(GrowProcess member, Admission entered) {
        boolean isLostIfItDies = random.chance(50);
        tell(() -> {
            if (member.isRunning() || !isLostIfItDies) {
                onCommitted(member, entered);
            }
        });
    }

    /**
     * V13: ends live processes of an earlier reported world that the latest reported one does not list, and a member
     * that reports a different world of the latest epoch; a paused one ends when it goes on. The founders count as a
     * world reported before the first.
     */
    private void onCommitted(GrowProcess member, Admission entered) {
        if (present != null && entered.epoch() == present.epoch()) {
            if (entered.world() != present.world()) {
                member.process().endWhenAwake(SimProcess.End.FENCED);
            }
            return;
        }
        Collection<Contact> earlier = entered.members().values();
        if (present == null || entered.epoch() > present.epoch()) {
            earlier = present == null ? world.founders() : present.members().values();
            present = entered;
        }
        for (Contact each : earlier) {
            if (present.members().values().stream().noneMatch(other -> other.nonce() == each.nonce())) {
                world.of(each).process().endWhenAwake(SimProcess.End.FENCED);
            }
        }
    }

    private void onEnd(GrowProcess ended) {
        if (ended.hasLeft()) {
            over = true;
            world.all().forEach(each -> tell(each::isSentAway));
        } else if (!over && ended.process().node() < world.size()) {
            replace(ended.process().node());
        }
    }

    private void replace(int slot) {
        if (!replaces || !random.chance(60)) {
            world.all().forEach(each -> tell(() -> each.hearsOfNoMore(slot)));
            return;
        }
        GrowProcess replacement = world.create(new ProcessId(slot, 1));
        Fate fate = Fate.draw(random, simulation, world.pace(), "replacement of slot " + slot);
        simulation.faultAt(
                simulation.nowNs() + random.between(0, 20 * world.pace().unitNs()), () -> {
                    watch(replacement);
                    replacement.start(this, world.founders());
                    Contact contact = replacement.contact(replacement.id());
                    world.all().forEach(each -> tell(() -> each.hearsOf(contact)));
                    end(replacement.process(), replacement, fate);
                    if (over) {
                        tell(replacement::isSentAway);
                    }
                });
    }

    /** From now on tells the other processes, and this launcher, when the process ends. */
    public void watch(GrowProcess process) {
        process.process().onEnd(() -> {
            tellsOthers.accept(process);
            onEnd(process);
        });
    }
}
