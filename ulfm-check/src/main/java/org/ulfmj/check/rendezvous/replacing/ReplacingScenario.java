package org.ulfmj.check.rendezvous.replacing;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.message.OutReason;
import org.ulfmj.sim.FaultPlan;
import org.ulfmj.sim.LinkDelays;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.VirtualNetwork;

/**
 * A job with restarts and spares. Processes die at any time, newcomers too, stand still, lose their connections, and
 * are started again, sometimes while the older process of the slot still lives. The survivors admit the newcomers that
 * they know of, or go on without.
 */
public final class ReplacingScenario implements Scenario {
    private static final long MS = 1_000_000;
    private static final long JOIN_TIMEOUT_NS = 2_000 * MS;
    private static final long CONFIRM_TIMEOUT_NS = 500 * MS;
    private static final long PATIENCE_NS = 3 * (JOIN_TIMEOUT_NS + CONFIRM_TIMEOUT_NS);
    private static final long WINDOW_NS = 400 * MS;

    /** The reasons after which a process is not started again. */
    private static final Set<OutReason> DONE = EnumSet.of(OutReason.CLOSED, OutReason.GONE_ON, OutReason.TIMEOUT);

    @Override
    public String name() {
        return "newcomers";
    }

    @Override
    public Set<String> mustCover() {
        return new TreeSet<>(List.of(
                "a live member excluded",
                "a newcomer left out",
                "a process kept out",
                "a roll call was answered by one that ran",
                "a spare took a place",
                "a welcome was held back",
                "an admission",
                "an older epoch was told late",
                "dialed again",
                "finalized",
                "gathered anew",
                "given up",
                "the world was gone"));
    }

    @Override
    public void build(Simulation world) {
        new Job(world).plan();
    }

    /** One world of this scenario, and the decisions of its launcher. */
    private static final class Job {
        final Simulation world;
        final SeededRandom random;
        final int size;
        final VirtualNetwork<Integer, Letter> network;
        final JobLauncher launcher;
        final Map<Integer, Worker> byNode = new TreeMap<>();
        final Map<Integer, ProcessId> placeOfSpare = new TreeMap<>();
        final SurvivingWorkers survivors;
        final int[] given;
        int restartsLeft;

        Job(Simulation world) {
            this.world = world;
            random = world.random("newcomers");
            size = world.ranks();
            given = new int[size];
            restartsLeft = random.chance(80) ? random.below(2 * size + 2) : 0;
            LinkDelays delays = new LinkDelays(world, 2 * MS, 100 * MS);
            network = new VirtualNetwork<>(world, delays, new LetterTraits(), node -> node, node -> node);
            RunSpec run = new RunSpec("run", size, 0, JOIN_TIMEOUT_NS, CONFIRM_TIMEOUT_NS).withRestarts();
            launcher = new JobLauncher(world, run, new SimProcess<>(world, JobLauncher.NODE, network), byNode);
            survivors = new SurvivingWorkers(world, random, byNode);
        }

        private Worker worker(ProcessId id, int spareNumber) {
            int node = byNode.size() + 1;
            Worker worker = new Worker(id, spareNumber, PATIENCE_NS, new SimProcess<>(world, node, network));
            byNode.put(node, worker);
            worker.process().onEnd(() -> onEnd(worker));
            return worker;
        }

        void plan() {
            launcher.process().start(launcher, (nowNs, out) -> {});
            for (int slot = 0; slot < size; slot++) {
                world.faultAt(random.between(0, WINDOW_NS), worker(ProcessId.of(slot), 0)::init);
            }
            for (int number = random.chance(50) ? 1 + random.below(3) : 0; number > 0; number--) {
                Worker spare = worker(null, number);
                world.faultAt(random.between(0, 3 * WINDOW_NS), spare::init);
            }
            planFaults();
            planEarlyStart();
            for (int calls = random.below(12); calls > 0; calls--) {
                world.faultAt(random.between(0, 8 * WINDOW_NS), survivors::replace);
            }
            if (random.chance(30)) {
                world.faultAt(random.between(WINDOW_NS, 6 * WINDOW_NS), this::loseAllWhoAdmit);
            }
            if (random.chance(50)) {
                world.faultAt(random.between(2 * WINDOW_NS, 8 * WINDOW_NS), survivors::finish);
            }
            world.bound(failures -> PATIENCE_NS + 100 * MS);
            world.must(new AllThatRunAreInOneWorld(byNode));
            world.must(new EveryProcessKnowsItsPlace(launcher, byNode, survivors));
            world.must(new NoProcessIsThrownOutWithoutCause(world, byNode));
        }

        private void planFaults() {
            FaultPlan.Limits limits = new FaultPlan.Limits(size, 0, LetterTraits.SORTS, 100 * MS, 1_500 * MS);
            FaultPlan plan = random.chance(85) ? FaultPlan.draw(world, size, 6 * WINDOW_NS, limits) : FaultPlan.none();
            for (FaultPlan.Crash crash : plan.crashes()) {
                planCrash(byNode.get(crash.node() + 1), crash);
            }
            for (FaultPlan.Pause pause : plan.pauses()) {
                planPause(byNode.get(pause.node() + 1), pause.atNs(), pause.durationNs());
            }
            for (int left = random.chance(60) ? random.below(4) : 0; left > 0; left--) {
                world.faultAt(random.between(0, 8 * WINDOW_NS), this::reconnectOne);
            }
            if (random.chance(5)) {
                world.faultAt(random.between(0, 6 * WINDOW_NS), launcher.process()::crash);
                launcher.process().onEnd(() -> byNode.values().forEach(this::tellLauncherLost));
            }
        }

        /**
         * All processes that run in a world are to die after one to three more messages, or at the end of their next
         * step. Then the members decide on a new world, if they can, so that they may die while they tell the newcomers
         * and the launcher of that world.
         */
        private void loseAllWhoAdmit() {
            for (Worker worker : byNode.values()) {
                if (worker.isRunning()) {
                    worker.process().crashAfterSends(random.below(4));
                }
            }
            survivors.replace();
        }

        private void planCrash(Worker worker, FaultPlan.Crash crash) {
            world.faultAt(crash.atNs(), () -> {
                if (crash.afterSends() == FaultPlan.NEVER) {
                    worker.process().crash();
                } else {
                    worker.process().crashAfterSends(crash.afterSends(), crash.sort());
                }
            });
        }

        private void planPause(Worker worker, long atNs, long durationNs) {
            world.faultAt(atNs, () -> {
                // A long pause may make the process miss the time to confirm, which is then no error.
                if (durationNs > CONFIRM_TIMEOUT_NS / 2) {
                    worker.excuse();
                }
                worker.process().pause(durationNs);
            });
        }

        private void reconnectOne() {
            Worker worker = byNode.get(1 + random.below(byNode.size()));
            if (worker.process().isRunning()) {
                world.cover("dialed again");
                worker.reconnect(random.chance(50));
            }
        }

        /**
         * In some schedules the launcher starts the next process of a slot although the older one runs, if restarts are
         * left; after a while the older one is crashed. In some schedules a process that the launcher never started
         * tries to join, too.
         */
        private void planEarlyStart() {
            if (random.chance(20)) {
                Worker older = byNode.get(1 + random.below(size));
                world.faultAt(random.between(0, 6 * WINDOW_NS), () -> {
                    ProcessId id = older.id();
                    if (older.process().isRunning() && given[id.slot()] == id.incarnation() && restartsLeft > 0) {
                        older.excuse();
                        startNext(id.slot());
                        long laterNs = world.nowNs() + random.between(0, WINDOW_NS);
                        world.faultAt(laterNs, () -> older.process().crash());
                    }
                });
            }
            if (random.chance(10)) {
                Worker stray = worker(new ProcessId(random.below(size), Worker.STRAY), 0);
                stray.excuse();
                world.faultAt(random.between(0, 6 * WINDOW_NS), stray::init);
            }
        }

        private void startNext(int slot) {
            restartsLeft--;
            ProcessId next = new ProcessId(slot, ++given[slot]);
            Integer spare = launcher.takeSpare();
            if (spare != null) {
                world.cover("a spare took a place");
                placeOfSpare.put(spare, next);
                launcher.assign(spare, next);
                if (random.chance(20)) {
                    survivors.breakConnectionSoon(spareOf(spare));
                }
                return;
            }
            if (!launcher.process().isRunning()) {
                return;
            }
            launcher.allow(next);
            Worker newcomer = worker(next, 0);
            world.faultAt(world.nowNs() + random.between(0, WINDOW_NS), () -> {
                if (launcher.process().isRunning()) {
                    newcomer.init();
                } else {
                    newcomer.process().end(SimProcess.End.LEFT);
                }
            });
            if (random.chance(25)) {
                planCrash(newcomer, drawCrash(newcomer.node()));
            }
            if (random.chance(10)) {
                long atNs = world.nowNs() + random.between(0, 2 * WINDOW_NS);
                planPause(newcomer, atNs, random.between(0, 1_000 * MS));
            }
        }

        private Worker spareOf(int number) {
            for (Worker worker : byNode.values()) {
                if (worker.spareNumber() == number) {
                    return worker;
                }
            }
            throw new IllegalStateException("no spare has number " + number);
        }

        private FaultPlan.Crash drawCrash(int node) {
            long atNs = world.nowNs() + random.between(0, 2 * WINDOW_NS);
            int sends = random.chance(50) ? FaultPlan.NEVER : random.below(4);
            return new FaultPlan.Crash(node, atNs, sends, FaultPlan.ANY);
        }

        private void tellLauncherLost(Worker worker) {
            world.faultAt(world.nowNs() + random.between(0, 100 * MS), worker::loseLauncher);
        }

        /**
         * A process has ended: the launcher is told so after a while, unless it never started that process. Messages
         * that the process had sent are in the launcher's socket by then, or are lost.
         */
        private void onEnd(Worker worker) {
            network.hurry(worker.node(), JobLauncher.NODE);
            world.faultAt(world.nowNs() + random.between(0, 50 * MS), () -> learnOfEnd(worker));
        }

        private void learnOfEnd(Worker worker) {
            ProcessId id = worker.id() != null ? worker.id() : placeOfSpare.get(worker.spareNumber());
            if (id == null) {
                launcher.learnOfEndOfSpare(worker.spareNumber());
                return;
            }
            if (id.incarnation() == Worker.STRAY || !launcher.process().isRunning()) {
                return;
            }
            boolean isLast = given[id.slot()] == id.incarnation()
                    && !launcher.hasGoodbyeOf(id)
                    && !launcher.isUnwanted(id)
                    && (worker.reason() == null || !DONE.contains(worker.reason()));
            if (isLast && restartsLeft > 0 && random.chance(30)) {
                startNext(id.slot());
                launcher.learnOfEnd(id);
                return;
            }
            launcher.learnOfEnd(id);
            if (isLast) {
                world.faultAt(world.nowNs() + random.between(0, 200 * MS), () -> startOrGiveUp(id.slot()));
            }
        }

        private void startOrGiveUp(int slot) {
            if (restartsLeft > 0) {
                startNext(slot);
            } else {
                world.cover("given up");
                launcher.giveUp(slot);
            }
        }
    }
}
