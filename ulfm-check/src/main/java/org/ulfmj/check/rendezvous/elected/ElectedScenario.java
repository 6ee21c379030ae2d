package org.ulfmj.check.rendezvous.elected;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.elect.ElectionKeys;
import org.ulfmj.sim.FaultPlan;
import org.ulfmj.sim.LinkDelays;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.Violation;
import org.ulfmj.sim.VirtualNetwork;

/**
 * A static job with restarts whose coordinator is elected. Candidates end or stand still; requests to etcd come late,
 * twice or never, answers of etcd are lost, and etcd is away for a while. Members join, confirm, stand still, die and
 * say goodbye meanwhile.
 */
public final class ElectedScenario implements Scenario {
    private static final int CANDIDATES = 3;
    private static final OfficeFaults.Odds ODDS = new OfficeFaults.Odds(70, 6, 50, 50, 4, 2);
    private static final int FIRST_MEMBER = 1 + CANDIDATES;

    @Override
    public String name() {
        return "elected";
    }

    @Override
    public Set<String> mustCover() {
        return Set.of(
                "the job began",
                "the launcher went on",
                "a stand-in went on",
                "deposed",
                "a write got no answer",
                "a world ran",
                "a later round ran",
                "a goodbye was heard",
                "a process that stood still was ended",
                "a member went over to another coordinator");
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
        final VirtualNetwork<Integer, Line> network;
        final OfficeFaults faults;
        final Etcd etcd;
        final List<Coordinator> candidates = new ArrayList<>();
        final List<Member> members = new ArrayList<>();
        int lastNode = FIRST_MEMBER - 1;

        Job(Simulation world) {
            this.world = world;
            random = world.random("elected");
            size = world.ranks();
            LinkDelays delays = new LinkDelays(world, 2 * Times.MS, 20 * Times.MS);
            network = new VirtualNetwork<>(world, delays, new LineTraits(), node -> node, node -> node);
            faults = new OfficeFaults(world, random, candidates);
            ElectionKeys keys = ElectionKeys.under("/ulfm/job");
            boolean isFaulty = random.chance(70) && world.plans("requests to etcd with faults");
            etcd = new Etcd(
                    world, keys, new SimProcess<>(world, Etcd.NODE, network), isFaulty ? 25 : 0, faults::standStill);
            RunSpec run = new RunSpec("job", size, 0, Times.JOIN_NS, Times.CONFIRM_NS)
                    .withRestarts()
                    .withMajority(true)
                    .withSilence(Times.SILENCE_NS);
            Witness witness = new Witness();
            for (int node = 1; node <= CANDIDATES; node++) {
                SimProcess<Integer, Line> process = new SimProcess<>(world, node, network);
                candidates.add(new Coordinator(
                        world, run, node == 1, keys, process, etcd, witness, this::startNext, this::kill));
            }
            for (int slot = 0; slot < size; slot++) {
                add(ProcessId.of(slot));
            }
        }

        private Member add(ProcessId id) {
            Member member = new Member(id, new SimProcess<>(world, ++lastNode, network));
            members.add(member);
            member.process().onEnd(() -> onEnd(member));
            return member;
        }

        private void startNext(ProcessId next) {
            Member member = add(next);
            world.faultAt(world.nowNs() + random.between(0, 200 * Times.MS), member::init);
        }

        /**
         * Ends a process, as the judge of silences asks, if it has not ended yet. Checks J2: no process that never
         * stood still is ended in this way.
         */
        private void kill(ProcessId silent, String reason) {
            for (Member member : List.copyOf(members)) {
                if (member.id().equals(silent) && member.process().isRunning()) {
                    if (!member.hasStoodStill()) {
                        throw new Violation("the healthy live: " + member.process() + " is ended, as it " + reason);
                    }
                    world.cover("a process that stood still was ended");
                    member.process().crash();
                }
            }
        }

        /** Each candidate sees the end of a process by itself, after some time. */
        private void onEnd(Member ended) {
            for (Coordinator candidate : candidates) {
                long delayNs = random.between(0, 100 * Times.MS);
                world.faultAt(world.nowNs() + delayNs, () -> candidate.learnOfEnd(ended.id()));
            }
        }

        void plan() {
            etcd.process().start(etcd, (nowNs, out) -> {});
            for (Coordinator candidate : candidates) {
                candidate.process().onEnd(() -> members.forEach(member -> loseLine(member, candidate)));
                // The launcher is a candidate from the beginning; the others become candidates at drawn times.
                long atNs = candidate.isLauncher() ? 0 : random.between(0, Times.WINDOW_NS);
                world.faultAt(atNs, candidate::start);
            }
            for (Member member : List.copyOf(members)) {
                world.faultAt(random.between(0, Times.WINDOW_NS / 2), member::init);
            }
            planMembers();
            faults.plan(etcd, ODDS);
            world.limitNs(300_000 * Times.MS);
            world.bound(failures -> Times.PATIENCE_NS + 4 * Times.TTL_NS);
            world.must(new AllThatRunAreInOneRound(members));
            world.must(new TheOfficeIsFilled(world, candidates, members));
        }

        private void loseLine(Member member, Coordinator candidate) {
            world.faultAt(world.nowNs() + random.between(0, 100 * Times.MS), () -> member.loseLine(candidate.node()));
        }

        private void planMembers() {
            FaultPlan.Limits limits = new FaultPlan.Limits(size, 0, LineTraits.SORTS, 100 * Times.MS, 2 * Times.TTL_NS);
            FaultPlan plan =
                    random.chance(70) ? FaultPlan.draw(world, size, 2 * Times.WINDOW_NS, limits) : FaultPlan.none();
            for (FaultPlan.Crash crash : plan.crashes()) {
                SimProcess<?, ?> process = members.get(crash.node()).process();
                process.plan(crash);
            }
            for (FaultPlan.Pause pause : plan.pauses()) {
                world.faultAt(pause.atNs(), () -> members.get(pause.node()).pause(pause.durationNs()));
            }
            if (random.chance(30)) {
                for (Member member : List.copyOf(members)) {
                    world.faultAt(random.between(Times.WINDOW_NS, 3 * Times.WINDOW_NS), member::sayGoodbye);
                }
            }
        }
    }
}
