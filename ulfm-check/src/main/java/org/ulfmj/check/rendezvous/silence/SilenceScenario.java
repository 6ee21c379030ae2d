package org.ulfmj.check.rendezvous.silence;

import java.util.Set;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;

/**
 * One to four faults in a job on one host: a rank dies, is stopped for a while or for good, waits for a disk,
 * deadlocks, or loses the path to another rank in one direction or both; the launcher stands still; in half of the
 * schedules a timer may fire early. A judge decides which ranks it ends.
 */
public final class SilenceScenario implements Scenario {
    private static final long MS = SilentJob.MS;
    private static final long TIMEOUT_NS = SilentJob.TIMEOUT_NS;
    private static final long WINDOW_NS = 4 * TIMEOUT_NS;
    private static final long WHOLE_TIMEOUTS = 12;

    @Override
    public String name() {
        return "silence";
    }

    @Override
    public Set<String> mustCover() {
        return Set.of(
                "ended by its state", "ended for a path", "ended mute", "given up", "a short stop", "an early timer");
    }

    @Override
    public void build(Simulation world) {
        SeededRandom random = world.random("silence");
        build(world, random, new SilentJob(world, random));
    }

    static void build(Simulation world, SeededRandom random, SilentJob job) {
        job.start();
        boolean hasEarly = random.chance(50);
        int faults = 1 + random.below(4);
        for (int i = 0; i < faults; i++) {
            long atNs = random.between(0, WINDOW_NS);
            MuteRank rank = job.rank(random.below(world.ranks()));
            MuteRank other = job.rank(random.below(world.ranks()));
            boolean isForGood = random.chance(50);
            int kind = random.below(hasEarly ? 11 : 8);
            long longNs = random.between(TIMEOUT_NS / 10, 3 * TIMEOUT_NS);
            long shortNs = random.between(TIMEOUT_NS / 10, 3 * TIMEOUT_NS / 4);
            world.faultAt(atNs, () -> {
                switch (kind) {
                    case 0 -> crash(rank);
                    case 1 -> still(world, rank, MuteRank.State.STOPPED, 0);
                    case 2 -> still(world, rank, MuteRank.State.STOPPED, longNs);
                    case 3 -> shortStop(world, rank, shortNs, hasEarly);
                    case 4 -> still(world, rank, MuteRank.State.DISK, isForGood ? 0 : 5 * longNs);
                    case 5 -> still(world, rank, MuteRank.State.DEADLOCKED, 0);
                    case 6 -> breakPath(job, rank, other, isForGood);
                    case 7 -> stopLauncher(job, longNs);
                    case 8 -> {
                        early(world, rank, other);
                        still(world, rank, isForGood ? MuteRank.State.DEADLOCKED : MuteRank.State.STOPPED, 0);
                    }
                    default -> early(world, rank, other);
                }
            });
        }
        world.bound(ended -> WHOLE_TIMEOUTS * (faults + 1) * TIMEOUT_NS);
        world.limitNs(10 * WHOLE_TIMEOUTS * (faults + 1) * TIMEOUT_NS);
        world.must(new TheHealthyLive(job));
        world.must(new SilencesEnd(job));
    }

    private static void crash(MuteRank rank) {
        rank.isHurt = true;
        if (!rank.hasEnded()) {
            rank.end();
        }
    }

    private static void still(Simulation world, MuteRank rank, MuteRank.State how, long durationNs) {
        rank.isHurt = true;
        rank.standStill(how);
        if (durationNs > 0) {
            world.faultAt(world.nowNs() + durationNs, () -> rank.goOn(world.nowNs()));
        }
    }

    /** Stops a rank for less than the timeout. That harms no process, unless a timer fires early meanwhile. */
    private static void shortStop(Simulation world, MuteRank rank, long durationNs, boolean isHurt) {
        world.cover("a short stop");
        if (!rank.runs()) {
            return;
        }
        rank.isHurt |= isHurt;
        rank.standStill(MuteRank.State.STOPPED);
        world.faultAt(world.nowNs() + durationNs, () -> {
            if (!rank.isHurt || rank.state == MuteRank.State.STOPPED) {
                rank.goOn(world.nowNs());
            }
        });
    }

    private static void breakPath(SilentJob job, MuteRank rank, MuteRank other, boolean bothWays) {
        if (rank != other && !rank.hasEnded() && !other.hasEnded()) {
            job.breakPath(rank, other, bothWays);
        }
    }

    private static void stopLauncher(SilentJob job, long durationNs) {
        if (!job.isStopped()) {
            job.stopLauncher(durationNs + 10 * MS);
        }
    }

    private static void early(Simulation world, MuteRank rank, MuteRank other) {
        if (rank != other && rank.runs()) {
            world.cover("an early timer");
            rank.suspect(other.id);
        }
    }
}
