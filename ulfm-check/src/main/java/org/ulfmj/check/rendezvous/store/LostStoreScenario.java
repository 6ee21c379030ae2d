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
 * Ranks ask the store while their connections break, and may lose the store: another launcher with an empty store takes
 * the place of the first one; or the launcher takes living processes for ended, as when their host was given up.
 */
public final class LostStoreScenario implements Scenario {
    private static final String ANOTHER = "another launcher";
    private static final String GIVEN_UP = "a living process held for ended";

    private static final long MS = 1_000_000;
    private static final long WINDOW_NS = 400 * MS;
    private static final int MOST_RANKS = 4;

    @Override
    public String name() {
        return "store-lost";
    }

    @Override
    public Set<String> mustCover() {
        return Set.of(StoreScenario.BROKEN, StoreScenario.BROKEN_DIAL, StoreScenario.WITHDRAWN, ANOTHER, GIVEN_UP);
    }

    @Override
    public void build(Simulation world) {
        new Job(world).plan();
    }

    /** One world of this scenario. */
    private static final class Job {
        final Simulation world;
        final SeededRandom random;
        final LauncherHost launcher;
        final List<Caller> callers = new ArrayList<>();
        int keys;

        Job(Simulation world) {
            this.world = world;
            random = world.random("lost store");
            LinkDelays delays = new LinkDelays(world, random.chance(50) ? MS / 2 : 5 * MS, 60 * MS);
            int size = Math.min(world.ranks(), MOST_RANKS);
            launcher = new LauncherHost(world, size);
            for (int slot = 0; slot < size; slot++) {
                Caller caller = new Caller(world, delays, launcher, ProcessId.of(slot), 1 + slot, List.of());
                callers.add(caller);
                world.at(0, caller::dial);
            }
        }

        void plan() {
            for (Caller caller : callers) {
                planRequests(caller);
                planBreaks(caller);
            }
            if (random.chance(50)) {
                planAnother();
            } else {
                callers.stream().filter(caller -> random.chance(50)).forEach(this::planGivingUp);
            }
            world.must(new EveryRequestEnds(launcher, callers));
            world.bound(failures -> 4_000 * MS);
        }

        private void planRequests(Caller caller) {
            for (int left = 1 + random.below(12); left > 0; left--) {
                long atNs = random.between(0, 2 * WINDOW_NS);
                int kind = random.below(10);
                world.faultAt(atNs, () -> ask(caller, kind));
            }
        }

        private void ask(Caller caller, int kind) {
            if (kind < 5) {
                add(caller);
            } else if (kind < 8) {
                caller.ask(new StoreRequest.Set("key", ("value " + keys++).getBytes(StandardCharsets.UTF_8)));
            } else {
                Asked waiting = caller.ask(new StoreRequest.Get("nothing", true));
                if (waiting != null) {
                    world.faultAt(world.nowNs() + random.between(0, WINDOW_NS), () -> withdraw(caller, waiting));
                }
            }
        }

        private void add(Caller caller) {
            caller.ask(new StoreRequest.Add("once/" + keys++, 1));
        }

        private void withdraw(Caller caller, Asked waiting) {
            if (!caller.hasEnded() && !waiting.reply().isDone()) {
                world.cover(StoreScenario.WITHDRAWN);
                caller.withdraw(waiting);
            }
        }

        private void planBreaks(Caller caller) {
            for (int left = random.below(21); left > 0; left--) {
                long atNs = random.between(0, 3 * WINDOW_NS);
                if (world.plans("break of the line of " + caller)) {
                    world.faultAt(atNs, caller::breakLine);
                }
            }
        }

        private void planAnother() {
            long atNs = random.between(0, 2 * WINDOW_NS);
            if (world.plans("another launcher")) {
                world.faultAt(atNs, () -> {
                    world.cover(ANOTHER);
                    launcher.beginAnew();
                    callers.forEach(Caller::breakLine);
                });
            }
        }

        /**
         * The launcher takes a process of the world for ended, if the process is in the world then. The process asks
         * the store after that, too, unless it has ended.
         */
        private void planGivingUp(Caller caller) {
            long atNs = random.between(WINDOW_NS / 2, 2 * WINDOW_NS);
            long askNs = atNs + random.between(0, WINDOW_NS);
            if (world.plans("giving up of " + caller)) {
                world.faultAt(atNs, () -> {
                    if (caller.isRunning()) {
                        world.cover(GIVEN_UP);
                        launcher.ended(caller);
                        world.faultAt(askNs, () -> add(caller));
                    }
                });
            }
        }
    }
}
