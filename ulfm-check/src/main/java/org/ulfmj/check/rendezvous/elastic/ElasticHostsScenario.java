package org.ulfmj.check.rendezvous.elastic;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.lease.HeldLease;
import org.ulfmj.rendezvous.lease.LeaseTimes;
import org.ulfmj.rendezvous.rounds.WorldSize;
import org.ulfmj.sim.FaultPlan;
import org.ulfmj.sim.LinkDelays;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.VirtualNetwork;

/**
 * An elastic world on two or three hosts (J4 and V15 where names change): processes join early and late and are let in,
 * while hosts other than the launcher's may be cut off from the others, perhaps with their processes stopped, or lose
 * their power. The launcher loses the agent of such a host for a while or for good, and after a loss of power for good.
 * In some schedules the processes of the launcher's host that run in a world die.
 */
public final class ElasticHostsScenario implements Scenario {
    private static final long MS = 1_000_000;
    private static final long JOIN_TIMEOUT_NS = 60_000 * MS;
    private static final long CONFIRM_TIMEOUT_NS = 2_000 * MS;
    private static final long LAST_CALL_NS = 200 * MS;
    private static final long SILENCE_NS = 2_000 * MS;
    private static final long LEASE_NS = 5_000 * MS;
    private static final long WINDOW_NS = 3_000 * MS;
    private static final long LONGEST_FAULT_NS = 12_000 * MS;
    private static final long LIMIT_NS = 300_000 * MS;
    private static final long BEAT_NS = 100 * MS;
    private static final LeaseTimes TIMES = new LeaseTimes(LEASE_NS, 400 * MS, 60_000 * MS);

    @Override
    public String name() {
        return "elastic-hosts";
    }

    @Override
    public Set<String> mustCover() {
        return Set.of(
                "let in",
                "let in while its host is away",
                "a later round",
                "a host is lost",
                "counted as dead",
                "counted as dead while it stands still",
                "ended by the agent of a host that is back");
    }

    @Override
    public void build(Simulation world) {
        new Job(world).plan();
    }

    /** One world of this scenario. */
    private static final class Job implements HostsReached {
        final Simulation world;
        final SeededRandom random;
        /**
         * By host: the time until which the launcher does not reach it; 0 at first. The launcher's own host is always
         * reached.
         */
        final long[] awayUntilNs;

        final VirtualNetwork<Integer, Note> network;
        final HostedLauncher launcher;
        final HostedGrowing growing;
        final Map<Integer, LauncherApplicant> byNode = new TreeMap<>();

        Job(Simulation world) {
            this.world = world;
            random = world.random("elastic-hosts");
            awayUntilNs = new long[2 + random.below(2)];
            int max = world.ranks() + random.below(2);
            LinkDelays delays = new LinkDelays(world, 2 * MS, 50 * MS);
            network = new VirtualNetwork<>(world, delays, new NoteTraits(), node -> node, node -> node);
            RunSpec run = new RunSpec(
                            "run", new WorldSize(1, max, LAST_CALL_NS), 0, JOIN_TIMEOUT_NS, CONFIRM_TIMEOUT_NS)
                    .withSilence(SILENCE_NS)
                    .withLease(LEASE_NS);
            SimProcess<Integer, Note> process = new SimProcess<>(world, HostedLauncher.NODE, network);
            launcher = new HostedLauncher(run, world, process, byNode, this);
            growing = new HostedGrowing(world, random, max, byNode, this);
        }

        @Override
        public boolean isReached(int host) {
            return awayUntilNs[host] <= world.nowNs();
        }

        void plan() {
            launcher.process().start(launcher, (nowNs, out) -> {});
            beat();
            for (int i = 0; i < world.ranks() + 2; i++) {
                LauncherApplicant one = applicant(i == 0 ? 0 : random.below(awayUntilNs.length));
                long latestNs = i == 0 || random.chance(50) ? 100 * MS : 3 * WINDOW_NS;
                world.faultAt(random.between(0, latestNs), () -> init(one));
            }
            world.faultAt(200 * MS, launcher::endLastCall);
            for (int host = 1; host < awayUntilNs.length; host++) {
                planFault(host);
            }
            for (int calls = 4 + random.below(12); calls > 0; calls--) {
                world.faultAt(random.between(300 * MS, 6 * WINDOW_NS), growing::grow);
            }
            if (random.chance(30)) {
                world.faultAt(random.between(WINDOW_NS, 6 * WINDOW_NS), this::loseOwnHost);
            }
            world.bound(failures -> 3 * (LEASE_NS + SILENCE_NS));
            world.limitNs(LIMIT_NS);
            world.must(new LostProcessesEnd(launcher, byNode, this));
        }

        private LauncherApplicant applicant(int host) {
            int node = byNode.size() + 1;
            HeldLease lease = host == 0 ? null : new HeldLease(TIMES);
            LauncherApplicant one = new LauncherApplicant(host, node, new SimProcess<>(world, node, network), lease);
            byNode.put(node, one);
            one.process().onEnd(() -> {
                if (isReached(host)) {
                    network.hurry(node, HostedLauncher.NODE);
                }
                tellOfEnd(one);
            });
            return one;
        }

        private void init(LauncherApplicant one) {
            if (one.host() > 0) {
                launcher.placed(one);
            }
            // A process cannot be started on a host whose agent is not reached.
            if (isReached(one.host())) {
                one.init();
            }
        }

        /** All processes of the launcher's host that run in a world die, which may be all members of that world. */
        private void loseOwnHost() {
            for (LauncherApplicant one : byNode.values()) {
                if (one.host() == 0 && one.isRunning()) {
                    one.excuse();
                    one.process().crash();
                }
            }
        }

        private void beat() {
            for (int host = 1; host < awayUntilNs.length; host++) {
                if (isReached(host)) {
                    launcher.agentHeard(host);
                }
            }
            for (LauncherApplicant one : byNode.values()) {
                if (one.process().isRunning() && isReached(one.host())) {
                    launcher.looked(one);
                }
            }
            world.at(world.nowNs() + BEAT_NS, this::beat);
        }

        private void planFault(int host) {
            if (random.chance(20)) {
                return;
            }
            long atNs = random.between(500 * MS, 4 * WINDOW_NS);
            long durationNs = random.between(200 * MS, LONGEST_FAULT_NS);
            boolean isForGood = random.chance(25);
            int kind = random.below(3);
            world.faultAt(atNs, () -> {
                goAway(host, isForGood || kind == 2 ? FaultPlan.FOR_EVER : durationNs);
                for (LauncherApplicant one : byNode.values()) {
                    if (one.host() == host && one.process().isRunning()) {
                        one.excuse();
                        happens(one, kind, isForGood ? LONGEST_FAULT_NS : durationNs);
                    }
                }
                world.faultAt(world.nowNs() + LONGEST_FAULT_NS, () -> {});
            });
        }

        private void goAway(int host, long durationNs) {
            awayUntilNs[host] = durationNs == FaultPlan.FOR_EVER ? Long.MAX_VALUE : world.nowNs() + durationNs;
            launcher.agentLost(host);
        }

        /**
         * A fault hits a process: it dies, or it is cut off from other hosts, perhaps while it is also stopped as by
         * SIGSTOP. A stop may last beyond the return of the agent of its host.
         */
        private void happens(LauncherApplicant one, int kind, long durationNs) {
            if (kind == 2) {
                one.process().crash();
                return;
            }
            if (kind == 1) {
                boolean lasts = random.chance(40) && one.hasCalled() && awayUntilNs[one.host()] != Long.MAX_VALUE;
                one.process().pause(lasts ? LIMIT_NS : durationNs);
            }
            for (LauncherApplicant other : byNode.values()) {
                if (other.host() != one.host()) {
                    other.process().cutLinkTo(one.node(), durationNs);
                    one.process().cutLinkTo(other.node(), durationNs);
                }
            }
            launcher.process().cutLinkTo(one.node(), durationNs);
            one.process().cutLinkTo(HostedLauncher.NODE, durationNs);
        }

        /**
         * Has the launcher told of the end of a process soon after the agent of its host is reached; never if that host
         * is away for good.
         */
        private void tellOfEnd(LauncherApplicant one) {
            if (isReached(one.host())) {
                world.faultAt(world.nowNs() + random.between(0, 50 * MS), () -> launcher.learnOfEnd(one.node()));
            } else if (awayUntilNs[one.host()] != Long.MAX_VALUE) {
                world.faultAt(awayUntilNs[one.host()], () -> tellOfEnd(one));
            }
        }
    }
}
