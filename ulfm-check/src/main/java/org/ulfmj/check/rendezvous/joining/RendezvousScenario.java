package org.ulfmj.check.rendezvous.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.sim.FaultPlan;
import org.ulfmj.sim.LinkDelays;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.VirtualNetwork;

/**
 * A static job is launched: processes call Init at different times, or never; they die, stand still, lose their
 * connections, are started twice, or lose the launcher.
 */
public final class RendezvousScenario implements Scenario {
    static final List<String> REASONS = List.of(
            "ulfm.rdzv.join",
            "ulfm.rdzv.confirm",
            "ended before MPI.Init",
            "ended in MPI.Init",
            "has joined already",
            "the launcher is gone");

    private static final long MS = 1_000_000;
    private static final long JOIN_TIMEOUT_NS = 2_000 * MS;
    private static final long CONFIRM_TIMEOUT_NS = 500 * MS;
    private static final long PATIENCE_NS = 2 * (JOIN_TIMEOUT_NS + CONFIRM_TIMEOUT_NS);
    private static final long WINDOW_NS = 600 * MS;

    @Override
    public String name() {
        return "rendezvous";
    }

    @Override
    public Set<String> mustCover() {
        Set<String> events = new TreeSet<>(
                Set.of("all joined", "a death told", "a departure told", "a live rank fenced", "dialed again"));
        REASONS.forEach(reason -> events.add("told: " + reason));
        return events;
    }

    @Override
    public void build(Simulation world) {
        new Job(world).plan();
    }

    /** One world of this scenario. */
    private static final class Job {
        final Simulation world;
        final SeededRandom random;
        final int size;
        final VirtualNetwork<Integer, Packet> network;
        final StaticLauncher launcher;
        final List<JoiningRank> launched = new ArrayList<>();
        final List<JoiningRank> callers = new ArrayList<>();

        Job(Simulation world) {
            this.world = world;
            random = world.random("rendezvous");
            size = world.ranks();
            LinkDelays delays = new LinkDelays(world, 2 * MS, 100 * MS);
            network = new VirtualNetwork<>(world, delays, new PacketTraits(), node -> node, node -> node);
            RunSpec run = new RunSpec("run", size, 0, JOIN_TIMEOUT_NS, CONFIRM_TIMEOUT_NS);
            launcher = new StaticLauncher(run, new SimProcess<>(world, StaticLauncher.NODE, network));
            for (int slot = 0; slot < size; slot++) {
                launched.add(rank(slot, slot + 1));
            }
        }

        private JoiningRank rank(int slot, int node) {
            return new JoiningRank(ProcessId.of(slot), PATIENCE_NS, new SimProcess<>(world, node, network));
        }

        void plan() {
            launcher.process().start(launcher, (nowNs, out) -> {});
            boolean someNeverCall = random.chance(15);
            for (JoiningRank rank : launched) {
                rank.process().onEnd(() -> onEnd(rank));
                if (someNeverCall && random.chance(40)) {
                    planNoCall(rank);
                } else {
                    world.faultAt(random.between(0, WINDOW_NS), () -> init(rank));
                }
            }
            if (random.chance(20)) {
                JoiningRank copy = rank(random.below(size), size + 1);
                world.faultAt(random.between(0, 2 * WINDOW_NS), () -> init(copy));
            }
            planReconnections();
            planFaults();
            planEnd();
            // A waiting process is told the outcome by the launcher, or gives up after its patience.
            world.bound(failures -> PATIENCE_NS + 100 * MS);
            world.must(new AllJoinedOrAllToldWhyNot(world, launcher, launched, callers));
            world.must(new NewsReachesAllRunningRanks(world, launcher, launched, callers));
        }

        private void init(JoiningRank rank) {
            if (rank.process().isRunning()) {
                callers.add(rank);
                rank.init();
            }
        }

        private void planNoCall(JoiningRank rank) {
            if (random.chance(60)) {
                world.faultAt(
                        random.between(0, 2 * WINDOW_NS), () -> rank.process().end(SimProcess.End.LEFT));
            }
        }

        private void planReconnections() {
            for (int left = random.chance(60) ? random.below(4) : 0; left > 0; left--) {
                JoiningRank rank = launched.get(random.below(size));
                world.faultAt(random.between(0, 3 * WINDOW_NS), () -> {
                    if (callers.contains(rank) && rank.process().isRunning()) {
                        world.cover("dialed again");
                        rank.reconnect();
                    }
                });
            }
        }

        private void planFaults() {
            FaultPlan.Limits limits = new FaultPlan.Limits(size - 1, 0, PacketTraits.SORTS, 100 * MS, 3_000 * MS);
            FaultPlan plan = random.chance(60) ? FaultPlan.draw(world, size, 3 * WINDOW_NS, limits) : FaultPlan.none();
            for (FaultPlan.Crash crash : plan.crashes()) {
                SimProcess<?, ?> process = launched.get(crash.node()).process();
                world.faultAt(crash.atNs(), () -> {
                    if (crash.afterSends() == FaultPlan.NEVER) {
                        process.crash();
                    } else {
                        process.crashAfterSends(crash.afterSends(), crash.sort());
                    }
                });
            }
            for (FaultPlan.Pause pause : plan.pauses()) {
                world.faultAt(
                        pause.atNs(), () -> launched.get(pause.node()).process().pause(pause.durationNs()));
            }
            if (random.chance(10)) {
                world.faultAt(random.between(0, 3 * WINDOW_NS), launcher.process()::crash);
                launcher.process().onEnd(() -> callers.forEach(this::tellLauncherLost));
            }
            if (random.chance(20)) {
                JoiningRank rank = launched.get(random.below(size));
                world.faultAt(random.between(WINDOW_NS, 3 * WINDOW_NS), () -> {
                    if (rank.isRunning()) {
                        launcher.fence(rank);
                    }
                });
            }
        }

        private void tellLauncherLost(JoiningRank rank) {
            world.faultAt(world.nowNs() + random.between(0, 100 * MS), rank::loseLauncher);
        }

        private void planEnd() {
            if (random.chance(50)) {
                for (JoiningRank rank : launched) {
                    world.faultAt(random.between(WINDOW_NS, 4 * WINDOW_NS), rank::sayGoodbye);
                }
            }
        }

        /**
         * A process has ended: the launcher is told so after a while. The messages of the process that are still on
         * their way to the launcher, and were not lost with its end, arrive before that.
         */
        private void onEnd(JoiningRank rank) {
            network.hurry(rank.node(), StaticLauncher.NODE);
            long delayNs = random.between(0, 50 * MS);
            world.faultAt(world.nowNs() + delayNs, () -> launcher.learnOfEnd(rank, "ended"));
        }
    }
}
