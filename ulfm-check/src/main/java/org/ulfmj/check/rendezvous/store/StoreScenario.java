package org.ulfmj.check.rendezvous.store;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.store.StoreRequest;
import org.ulfmj.sim.LinkDelays;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;

/**
 * Ranks ask the store while the connections of each process break, up to twenty times; some ranks die, and another
 * process may take their place. The first rank lives: later it stores the values for which ranks wait.
 */
public final class StoreScenario implements Scenario {
    static final String BROKEN = "a connection broken";
    static final String BROKEN_DIAL = "a dial broken";
    static final String LATE = "a dial that came too late";
    static final String WITHDRAWN = "a request withdrawn";
    static final String REPLACED = "a process replaced";

    private static final long MS = 1_000_000;
    private static final long WINDOW_NS = 400 * MS;
    private static final int MOST_RANKS = 4;
    private static final int GATES = 3;
    private static final int WATCHED_KEYS = 3;
    static final String WATCHED = "watched/";

    @Override
    public String name() {
        return "store";
    }

    @Override
    public Set<String> mustCover() {
        return Set.of(BROKEN, BROKEN_DIAL, LATE, WITHDRAWN, REPLACED);
    }

    @Override
    public void build(Simulation world) {
        new Job(world).plan();
    }

    /** One world of this scenario. */
    private static final class Job {
        final Simulation world;
        final SeededRandom random;
        final LinkDelays delays;
        final LauncherHost launcher;
        final List<Caller> callers = new ArrayList<>();
        final List<Follower> followers = new ArrayList<>();
        final EveryRequestIsAnswered ledger;
        int keys;

        Job(Simulation world) {
            this.world = world;
            random = world.random("store");
            delays = new LinkDelays(world, random.chance(50) ? MS / 2 : 5 * MS, 60 * MS);
            int size = Math.min(world.ranks(), MOST_RANKS);
            launcher = new LauncherHost(world, size);
            for (int slot = 0; slot < size; slot++) {
                begin(ProcessId.of(slot), List.of(), 0);
            }
            ledger = new EveryRequestIsAnswered(world, callers, followers);
        }

        private Caller begin(ProcessId id, List<Caller> predecessors, long atNs) {
            Caller caller = new Caller(world, delays, launcher, id, 1 + callers.size(), predecessors);
            callers.add(caller);
            world.at(atNs, caller::dial);
            if (random.chance(40)) {
                followers.add(new Follower(caller, WATCHED));
            }
            planRequests(caller, atNs);
            planBreaks(caller, atNs);
            return caller;
        }

        void plan() {
            for (Caller caller : List.copyOf(callers)) {
                if (caller.id().slot() > 0 && random.chance(30)) {
                    planDeath(caller);
                }
            }
            world.faultAt(2 * WINDOW_NS, () -> {
                for (int gate = 0; gate < GATES; gate++) {
                    callers.get(0).ask(set("gate/" + gate, "open"));
                }
            });
            lookLater();
            world.must(ledger);
            world.bound(failures -> 4_000 * MS);
        }

        /** Lets all watches take over what has come, and the ledger look, every 5 ms. */
        private void lookLater() {
            world.at(world.nowNs() + 5 * MS, () -> {
                followers.forEach(Follower::goOn);
                ledger.look();
                lookLater();
            });
        }

        private void planRequests(Caller caller, long fromNs) {
            for (int left = 1 + random.below(12); left > 0; left--) {
                long atNs = random.between(fromNs, fromNs + WINDOW_NS);
                int kind = random.below(10);
                world.faultAt(atNs, () -> ask(caller, kind));
            }
        }

        private void ask(Caller caller, int kind) {
            if (kind < 5) {
                caller.ask(new StoreRequest.Add("once/" + keys++, 1));
            } else if (kind < 7) {
                Asked waiting = caller.ask(new StoreRequest.Get("gate/" + random.below(GATES), true));
                if (waiting != null && random.chance(40)) {
                    world.faultAt(world.nowNs() + random.between(0, WINDOW_NS), () -> withdraw(caller, waiting));
                }
            } else if (kind < 9) {
                caller.ask(set(WATCHED + random.below(WATCHED_KEYS), "value " + keys++));
            } else {
                caller.ask(new StoreRequest.Delete(WATCHED + random.below(WATCHED_KEYS)));
            }
        }

        private void withdraw(Caller caller, Asked waiting) {
            if (!caller.hasEnded() && !waiting.reply().isDone()) {
                world.cover(WITHDRAWN);
                caller.withdraw(waiting);
            }
        }

        private void planBreaks(Caller caller, long fromNs) {
            for (int left = random.below(21); left > 0; left--) {
                long atNs = random.between(fromNs, fromNs + 3 * WINDOW_NS);
                if (world.plans("break of the line of " + caller)) {
                    world.faultAt(atNs, caller::breakLine);
                }
            }
        }

        /**
         * Schedules a death: the process dies, and the launcher learns of that later. A replacement may be started
         * before or after that.
         */
        private void planDeath(Caller caller) {
            long atNs = random.between(0, WINDOW_NS);
            long learnedNs = atNs + random.between(0, random.chance(50) ? 60 * MS : WINDOW_NS);
            boolean isReplaced = random.chance(70);
            long startNs = random.between(atNs, learnedNs + 60 * MS);
            if (!world.plans("death of " + caller)) {
                return;
            }
            world.faultAt(atNs, caller::end);
            world.faultAt(learnedNs, () -> launcher.ended(caller));
            if (isReplaced) {
                ProcessId next = new ProcessId(caller.id().slot(), 1);
                world.faultAt(startNs, () -> {
                    world.cover(REPLACED);
                    launcher.allowRestart(next);
                    begin(next, List.of(caller), world.nowNs());
                });
            }
        }

        private static StoreRequest set(String key, String value) {
            return new StoreRequest.Set(key, value.getBytes(StandardCharsets.UTF_8));
        }
    }
}
