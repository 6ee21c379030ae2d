package org.ulfmj.check.rendezvous.replacing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;
import org.ulfmj.transport.MemberRecord;

/**
 * Makes the decisions of the members of a world: which newcomers they admit, which members they go on without, and that
 * they finalize. The members that are alive and not paused take part in a decision. The protocol by which members
 * decide is simulated in other scenarios.
 */
final class SurvivingWorkers {
    private final Simulation world;
    private final SeededRandom random;
    private final Map<Integer, Worker> byNode;
    private boolean finalizing;

    SurvivingWorkers(Simulation world, SeededRandom random, Map<Integer, Worker> byNode) {
        this.world = world;
        this.random = random;
        this.byNode = byNode;
    }

    boolean isFinalizing() {
        return finalizing;
    }

    /**
     * Returns the members of the latest world that take part in a decision: all that are alive and not paused. Empty if
     * there is no such world, or if one of these is not in it.
     */
    private List<Worker> deciders() {
        Worker latest = null;
        for (Worker worker : byNode.values()) {
            if (worker.isRunning() && !worker.process().isPaused() && !worker.isExcluded()) {
                boolean isLater = latest == null
                        || worker.round() > latest.round()
                        || worker.round() == latest.round() && worker.epoch() > latest.epoch();
                latest = isLater ? worker : latest;
            }
        }
        List<Worker> deciders = new ArrayList<>();
        if (latest == null) {
            return deciders;
        }
        for (MemberRecord member : latest.table()) {
            Worker worker = of(member);
            if (!worker.process().isRunning() || worker.process().isPaused()) {
                continue;
            }
            if (!worker.isRunning() || worker.round() != latest.round() || worker.epoch() != latest.epoch()) {
                return List.of();
            }
            deciders.add(worker);
        }
        return deciders;
    }

    private Worker of(MemberRecord member) {
        return byNode.get((int) member.nonce());
    }

    /** All members call replace(). */
    void replace() {
        List<Worker> deciders = deciders();
        if (deciders.isEmpty() || finalizing) {
            return;
        }
        boolean isStrict = random.chance(50);
        boolean doExclude = random.chance(50);
        List<MemberRecord> members = new ArrayList<>();
        List<Integer> newcomers = new ArrayList<>();
        boolean hasChanged = random.chance(10);
        List<Worker> excluded = new ArrayList<>();
        for (MemberRecord member : deciders.get(0).table()) {
            Worker holder = of(member);
            boolean isPaused = holder.process().isPaused();
            if (deciders.contains(holder)) {
                members.add(member);
                continue;
            }
            if (isPaused && !doExclude) {
                return;
            }
            if (isPaused) {
                excluded.add(holder);
            }
            MemberRecord offered = offered(member.id(), deciders);
            if (offered != null) {
                members.add(offered);
                newcomers.add((int) offered.nonce());
            } else if (isStrict) {
                return;
            }
            hasChanged = true;
        }
        if (!hasChanged) {
            return;
        }
        excluded.forEach(Worker::exclude);
        Welcome next = new Welcome(deciders.get(0).round(), deciders.get(0).epoch() + 1, members);
        boolean isLauncherFirst = random.chance(50);
        for (Worker member : deciders) {
            member.enter(next, newcomers, isLauncherFirst);
        }
        if (random.chance(15)) {
            deciders.forEach(this::breakConnectionSoon);
        }
    }

    /**
     * Lets a process dial the launcher anew soon, if it still runs then. Messages on their way over its old connection
     * may be lost.
     */
    void breakConnectionSoon(Worker member) {
        world.faultAt(world.nowNs() + random.between(0, 5_000_000), () -> {
            if (member.process().isRunning()) {
                member.reconnect(random.chance(50));
            }
        });
    }

    /**
     * Returns the newcomer with the highest incarnation that a deciding member holds for waiting in the slot of a
     * former process, and whose incarnation is higher than the former one's; null if there is none.
     */
    private static MemberRecord offered(ProcessId former, List<Worker> deciders) {
        MemberRecord best = null;
        for (Worker decider : deciders) {
            for (MemberRecord newcomer : decider.pending().values()) {
                boolean isOfSlot =
                        newcomer.id().slot() == former.slot() && newcomer.id().incarnation() > former.incarnation();
                if (isOfSlot && (best == null || newcomer.id().compareTo(best.id()) > 0)) {
                    best = newcomer;
                }
            }
        }
        return best;
    }

    /** All members call Finalize. */
    void finish() {
        List<Worker> deciders = deciders();
        if (deciders.isEmpty()) {
            return;
        }
        for (MemberRecord member : deciders.get(0).table()) {
            if (of(member).process().isPaused()) {
                return;
            }
        }
        finalizing = true;
        world.cover("finalized");
        for (Worker member : deciders) {
            world.faultAt(world.nowNs() + random.between(0, 200_000_000), member::sayGoodbye);
        }
    }
}
