package org.ulfmj.check.rendezvous.elected;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.ulfmj.check.rendezvous.elastic.AllRunInOneWorldOrKnowWhyNot;
import org.ulfmj.check.rendezvous.elastic.Growing;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.elect.ElectionKeys;
import org.ulfmj.rendezvous.rounds.WorldSize;
import org.ulfmj.sim.FaultPlan;
import org.ulfmj.sim.LinkDelays;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.SimProcess;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.Violation;
import org.ulfmj.sim.VirtualNetwork;

/**
 * A world with a least and a greatest size whose coordinator is elected. Processes join early and late, die, stand
 * still and leave; the members admit processes that wait. Candidates end or stand still, also while a process joins,
 * and etcd has faults of the same kinds as in {@link ElectedScenario}.
 */
public final class ElectedElasticScenario implements Scenario {
    private static final int CANDIDATES = 3;
    private static final OfficeFaults.Odds ODDS = new OfficeFaults.Odds(60, 4, 40, 40, 3, 3);
    private static final int FIRST = 1 + CANDIDATES;
    private static final long LAST_CALL_NS = 200 * Times.MS;
    /** The time after the start of a process within which a fault is meant to hit its join. Other delays use it too. */
    private static final long JOINING_NS = 400 * Times.MS;

    @Override
    public String name() {
        return "elected-elastic";
    }

    @Override
    public Set<String> mustCover() {
        return Set.of(
                "the job began",
                "the launcher went on",
                "a stand-in went on",
                "deposed",
                "a write got no answer",
                "admitted",
                "waits",
                "a later round",
                "ran under another coordinator",
                "a world grew, and its coordinator changed",
                "the office fell empty at a join",
                "a process that stood still was ended",
                "finalized",
                "finalized, and no goodbye was heard",
                "finalized, and was killed",
                "told TIMEOUT",
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
        final VirtualNetwork<Integer, Line> network;
        final OfficeFaults faults;
        final Etcd etcd;
        final List<GrowingCoordinator> candidates = new ArrayList<>();
        final Offices offices;
        final Map<Integer, Newcomer> byNode = new TreeMap<>();
        final Growing growing;
        int restartsLeft;

        Job(Simulation world) {
            this.world = world;
            random = world.random("elected-elastic");
            size = world.ranks();
            restartsLeft = random.below(size + 2);
            int min = 1 + random.below(size);
            int max = min + random.below(size - min + 2);
            LinkDelays delays = new LinkDelays(world, 2 * Times.MS, 20 * Times.MS);
            network = new VirtualNetwork<>(world, delays, new LineTraits(), node -> node, node -> node);
            faults = new OfficeFaults(world, random, candidates);
            ElectionKeys keys = ElectionKeys.under("/ulfm/job");
            boolean isFaulty = random.chance(50) && world.plans("requests to etcd with faults");
            etcd = new Etcd(
                    world, keys, new SimProcess<>(world, Etcd.NODE, network), isFaulty ? 25 : 0, faults::standStill);
            RunSpec run = new RunSpec("job", new WorldSize(min, max, LAST_CALL_NS), 0, Times.JOIN_NS, Times.CONFIRM_NS)
                    .withSilence(Times.SILENCE_NS);
            Witness witness = new Witness();
            for (int node = 1; node <= CANDIDATES; node++) {
                SimProcess<Integer, Line> process = new SimProcess<>(world, node, network);
                candidates.add(new GrowingCoordinator(
                        world, run, node == 1, keys, process, etcd, witness, this::kill, this::hasNote));
            }
            offices = new Offices(etcd, candidates, byNode);
            growing = new Growing(world, random, max, byNode, false);
        }

        private Newcomer newcomer() {
            int node = FIRST + byNode.size();
            Newcomer one = new Newcomer(0, random.below(3), new SimProcess<>(world, node, network));
            byNode.put(node, one);
            one.process().onEnd(() -> onEnd(one));
            return one;
        }

        /**
         * Schedules the start of a process. In some cases the coordinator of that moment is to crash, or stands still,
         * at most {@link #JOINING_NS} after that start.
         */
        private void initAt(long atNs) {
            Newcomer one = newcomer();
            world.faultAt(atNs, one::init);
            if (random.chance(40)) {
                long faultNs = atNs + random.between(0, JOINING_NS);
                boolean isCrash = random.chance(30);
                long durationNs = random.between(Times.TTL_NS, 3 * Times.TTL_NS);
                if (world.plans("the office falls empty at " + faultNs / Times.MS + " ms")) {
                    world.faultAt(faultNs, () -> emptyTheOffice(isCrash, durationNs));
                }
            }
        }

        private void emptyTheOffice(boolean isCrash, long durationNs) {
            Coordinator holder = offices.holder();
            if (holder == null) {
                return;
            }
            world.cover("the office fell empty at a join");
            if (isCrash) {
                holder.process().crashAfterSends(random.below(3), 0);
            } else {
                holder.process().pause(durationNs);
            }
        }

        /**
         * Ends a process, as the judge of silences asks, if it has not ended yet. Checks J2: no process that is not
         * excused is ended in this way.
         */
        private void kill(int node, String reason) {
            Newcomer one = byNode.get(node);
            if (one.process().isRunning()) {
                if (!one.isExcused()) {
                    throw new Violation("the healthy live: " + one.process() + " is ended, as it " + reason);
                }
                world.cover("a process that stood still was ended");
                one.process().crash();
            }
        }

        private boolean hasNote(int node) {
            return byNode.get(node).hasFinalized();
        }

        /** Each candidate sees the end of a process by itself, after some time. Another process may be started. */
        private void onEnd(Newcomer ended) {
            for (GrowingCoordinator candidate : candidates) {
                world.faultAt(
                        world.nowNs() + random.between(0, 100 * Times.MS), () -> candidate.learnOfEnd(ended.node()));
            }
            if (restartsLeft > 0 && ended.reason() == null && random.chance(60)) {
                restartsLeft--;
                initAt(world.nowNs() + random.between(0, Times.WINDOW_NS / 4));
            }
        }

        void plan() {
            etcd.process().start(etcd, (nowNs, out) -> {});
            for (GrowingCoordinator candidate : candidates) {
                candidate.process().onEnd(() -> byNode.values().forEach(one -> loseLine(one, candidate)));
                // The launcher is a candidate from the beginning; the others become candidates at drawn times.
                long atNs = candidate.isLauncher() ? 0 : random.between(0, Times.WINDOW_NS);
                world.faultAt(atNs, candidate::start);
            }
            for (int i = 0; i < size; i++) {
                initAt(random.between(0, random.chance(60) ? 100 * Times.MS : 2 * Times.WINDOW_NS));
            }
            planNewcomers();
            faults.plan(etcd, ODDS);
            for (int calls = random.below(14); calls > 0; calls--) {
                world.faultAt(random.between(0, 4 * Times.WINDOW_NS), growing::grow);
            }
            if (random.chance(30)) {
                boolean isEmptied = random.chance(60);
                world.faultAt(
                        random.between(Times.WINDOW_NS / 4, 3 * Times.WINDOW_NS), () -> loseAllWhoAdmit(isEmptied));
            }
            if (random.chance(50)) {
                planTheEnd(random.between(Times.WINDOW_NS / 8, 3 * Times.WINDOW_NS));
            }
            if (random.chance(40)) {
                world.faultAt(random.between(0, Times.WINDOW_NS), candidates.get(0)::endLastCall);
            }
            if (random.chance(10)) {
                world.faultAt(random.between(0, 3 * Times.WINDOW_NS), candidates.get(0)::closeRendezvous);
            }
            world.limitNs(600_000 * Times.MS);
            world.bound(failures -> 3 * Times.PATIENCE_NS + 4 * Times.TTL_NS);
            world.must(new AllRunInOneWorldOrKnowWhyNot(world, offices, byNode));
            world.must(new NewcomersFindTheOffice(world, offices, byNode));
            world.must(new WhatIsFinishedIsOver(world, byNode));
        }

        /**
         * Schedules the end of the program: the members finalize, perhaps while no coordinator can take their goodbyes,
         * or in a world of which no coordinator knows. Up to two processes may be killed, before or after that; one
         * more process is started before the first member may finalize, and perhaps another one later.
         */
        private void planTheEnd(long atNs) {
            long endNs = atNs + JOINING_NS;
            initAt(random.between(0, endNs));
            if (random.chance(50)) {
                initAt(endNs + random.between(0, 2 * Times.TTL_NS));
            }
            if (random.chance(60) && world.plans("etcd is away at the end, at " + atNs / Times.MS + " ms")) {
                long durationNs = random.between(Times.TTL_NS, 5 * Times.TTL_NS);
                boolean isExtending = random.chance(70);
                world.faultAt(atNs, etcd::goAway);
                world.faultAt(atNs + durationNs, () -> etcd.comeBack(isExtending));
            }
            if (random.chance(60)) {
                boolean isCrash = random.chance(30);
                long durationNs = random.between(Times.TTL_NS, 5 * Times.TTL_NS);
                if (world.plans("the office falls empty at the end, at " + atNs / Times.MS + " ms")) {
                    world.faultAt(atNs, () -> emptyTheOffice(isCrash, durationNs));
                }
            }
            if (random.chance(50)) {
                world.faultAt(random.between(atNs, endNs), growing::grow);
            }
            if (random.chance(40)) {
                world.faultAt(random.between(atNs, endNs), this::killOne);
            }
            for (int calls = 4; calls > 0; calls--) {
                world.faultAt(endNs + random.between(0, JOINING_NS), growing::finish);
            }
            if (random.chance(40)) {
                world.faultAt(endNs + random.between(0, 2 * JOINING_NS), this::killOne);
            }
        }

        private void killOne() {
            Newcomer one = byNode.get(FIRST + random.below(byNode.size()));
            if (one.process().isRunning()) {
                one.process().crash();
            }
        }

        /**
         * All processes that run in a world are to die, each at the end of its next step or after one to three more
         * foreground messages. Then the members call grow(); if they decide on a new world, they begin to tell the
         * newcomers and the coordinator.
         *
         * @param isEmptied whether the coordinator crashes or stands still soon after that
         */
        private void loseAllWhoAdmit(boolean isEmptied) {
            for (Newcomer one : byNode.values()) {
                if (one.isRunning()) {
                    one.process().crashAfterSends(random.below(4));
                }
            }
            growing.grow();
            if (isEmptied) {
                long durationNs = random.between(Times.TTL_NS, 3 * Times.TTL_NS);
                boolean isCrash = random.chance(30);
                world.faultAt(world.nowNs() + random.between(0, JOINING_NS), () -> emptyTheOffice(isCrash, durationNs));
            }
        }

        private void loseLine(Newcomer one, Coordinator candidate) {
            world.faultAt(world.nowNs() + random.between(0, 100 * Times.MS), () -> one.loseLine(candidate.node()));
        }

        private void planNewcomers() {
            FaultPlan.Limits limits = new FaultPlan.Limits(size, 0, LineTraits.SORTS, 100 * Times.MS, 2 * Times.TTL_NS);
            FaultPlan plan =
                    random.chance(70) ? FaultPlan.draw(world, size, 3 * Times.WINDOW_NS, limits) : FaultPlan.none();
            for (FaultPlan.Crash crash : plan.crashes()) {
                byNode.get(FIRST + crash.node()).process().plan(crash);
            }
            for (FaultPlan.Pause pause : plan.pauses()) {
                Newcomer one = byNode.get(FIRST + pause.node());
                world.faultAt(pause.atNs(), () -> {
                    one.excuse();
                    one.process().pause(pause.durationNs());
                });
            }
            if (random.chance(30)) {
                world.faultAt(random.between(0, 3 * Times.WINDOW_NS), () -> {
                    Newcomer one = byNode.get(FIRST + random.below(byNode.size()));
                    if (one.process().isRunning() && one.hasCalled()) {
                        one.excuse();
                        one.leave();
                    }
                });
            }
        }
    }
}
