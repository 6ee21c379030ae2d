package org.ulfmj.check.rendezvous.elastic;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.rounds.WorldSize;
import org.ulfmj.sim.FaultPlan;
import org.ulfmj.sim.LinkDelays;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.VirtualNetwork;

/**
 * A world with a least and a greatest size: processes join early, late and again, die, stand still, lose their
 * connections and leave; the members admit processes that wait; the launcher may end the last call early, and may close
 * the rendezvous.
 */
public final class ElasticScenario implements Scenario {
    private static final long MS = 1_000_000;
    private static final long JOIN_TIMEOUT_NS = 2_000 * MS;
    private static final long CONFIRM_TIMEOUT_NS = 500 * MS;
    private static final long LAST_CALL_NS = 200 * MS;
    private static final long WINDOW_NS = 600 * MS;

    @Override
    public String name() {
        return "elastic";
    }

    @Override
    public Set<String> mustCover() {
        return Set.of(
                "admitted",
                "went on without one that stood still",
                "waits",
                "a later round",
                "told TIMEOUT",
                "told NO_CONFIRM",
                "told FENCED",
                "told CLOSED");
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
        final VirtualNetwork<Integer, Note> network;
        final ElasticLauncher launcher;
        final Growing growing;
        final Map<Integer, LauncherApplicant> byNode = new TreeMap<>();
        int restartsLeft;

        Job(Simulation world) {
            this.world = world;
            random = world.random("elastic");
            size = world.ranks();
            restartsLeft = random.below(size + 2);
            int min = 1 + random.below(size);
            int max = min + random.below(size - min + 2);
            LinkDelays delays = new LinkDelays(world, 2 * MS, 100 * MS);
            network = new VirtualNetwork<>(world, delays, new NoteTraits(), node -> node, node -> node);
            RunSpec run =
                    new RunSpec("run", new WorldSize(min, max, LAST_CALL_NS), 0, JOIN_TIMEOUT_NS, CONFIRM_TIMEOUT_NS);
            launcher = new ElasticLauncher(run, new SimProcess<>(world, ElasticLauncher.NODE, network), byNode);
            growing = new Growing(world, random, max, byNode, true);
        }

        private LauncherApplicant applicant() {
            int node = byNode.size() + 1;
            LauncherApplicant one = new LauncherApplicant(
                    random.below(2), random.below(3), new SimProcess<>(world, node, network), null);
            byNode.put(node, one);
            one.process().onEnd(() -> onEnd(one));
            return one;
        }

        void plan() {
            launcher.process().start(launcher, (nowNs, out) -> {});
            for (int i = 0; i < size; i++) {
                long windows = random.chance(70) ? 1 : 6;
                world.faultAt(random.between(0, windows * WINDOW_NS), applicant()::init);
            }
            planFaults();
            for (int calls = random.below(10); calls > 0; calls--) {
                world.faultAt(random.between(0, 8 * WINDOW_NS), growing::grow);
            }
            if (random.chance(20)) {
                world.faultAt(random.between(WINDOW_NS, 6 * WINDOW_NS), this::loseAllWhoAdmit);
            }
            if (random.chance(40)) {
                world.faultAt(random.between(0, 4 * WINDOW_NS), launcher::endLastCall);
            }
            if (random.chance(15)) {
                world.faultAt(random.between(0, 8 * WINDOW_NS), launcher::closeRendezvous);
            }
            world.bound(failures -> 3 * (JOIN_TIMEOUT_NS + CONFIRM_TIMEOUT_NS + LAST_CALL_NS));
            world.must(new AllRunInOneWorldOrKnowWhyNot(world, launcher, byNode));
        }

        private void planFaults() {
            FaultPlan.Limits limits = new FaultPlan.Limits(size, 0, NoteTraits.SORTS, 100 * MS, 1_500 * MS);
            FaultPlan plan = random.chance(80) ? FaultPlan.draw(world, size, 6 * WINDOW_NS, limits) : FaultPlan.none();
            for (FaultPlan.Crash crash : plan.crashes()) {
                SimProcess<?, ?> process = byNode.get(crash.node() + 1).process();
                world.faultAt(crash.atNs(), () -> {
                    if (crash.afterSends() == FaultPlan.NEVER) {
                        process.crash();
                    } else {
                        process.crashAfterSends(crash.afterSends(), crash.sort());
                    }
                });
            }
            for (FaultPlan.Pause pause : plan.pauses()) {
                LauncherApplicant one = byNode.get(pause.node() + 1);
                world.faultAt(pause.atNs(), () -> pause(one, pause.durationNs()));
            }
            for (int left = random.chance(60) ? random.below(4) : 0; left > 0; left--) {
                world.faultAt(random.between(0, 8 * WINDOW_NS), this::reconnectOne);
            }
            if (random.chance(40)) {
                world.faultAt(random.between(0, 8 * WINDOW_NS), this::haveOneLeave);
            }
        }

        private void pause(LauncherApplicant one, long durationNs) {
            // A long pause may make the process miss the time to confirm, which is then no error.
            if (durationNs > CONFIRM_TIMEOUT_NS / 2) {
                one.excuse();
            }
            one.process().pause(durationNs);
        }

        private void reconnectOne() {
            LauncherApplicant one = byNode.get(1 + random.below(byNode.size()));
            if (one.process().isRunning() && one.hasCalled()) {
                one.reconnect(random.chance(50));
            }
        }

        private void haveOneLeave() {
            LauncherApplicant one = byNode.get(1 + random.below(byNode.size()));
            if (one.process().isRunning() && one.hasCalled()) {
                one.excuse();
                one.leave();
            }
        }

        /**
         * All processes that run in a world are to die, each at the end of its next step or after one to three more
         * foreground messages. Then the members call grow(); if they decide on a new world, they begin to tell the
         * newcomers and the launcher.
         */
        private void loseAllWhoAdmit() {
            for (LauncherApplicant one : byNode.values()) {
                if (one.isRunning()) {
                    one.process().crashAfterSends(random.below(4));
                }
            }
            growing.grow();
        }

        /**
         * A process has ended: the launcher is told so after a while, and another process may be started. The messages
         * of the ended process that are still on their way to the launcher, and were not lost with its end, arrive
         * before that.
         */
        private void onEnd(LauncherApplicant one) {
            network.hurry(one.node(), ElasticLauncher.NODE);
            world.faultAt(world.nowNs() + random.between(0, 50 * MS), () -> {
                launcher.learnOfEnd(one.node());
                if (restartsLeft > 0 && one.reason() == null && random.chance(60)) {
                    restartsLeft--;
                    world.faultAt(world.nowNs() + random.between(0, WINDOW_NS), applicant()::init);
                }
            });
        }
    }
}
