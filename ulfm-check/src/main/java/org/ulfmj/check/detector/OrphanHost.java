package org.ulfmj.check.detector;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.detector.OrphanJudge;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.sim.EventLog;
import org.ulfmj.sim.Invariant;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.sim.Simulation;
import org.ulfmj.sim.Violation;

/**
 * A simulated host each of whose ranks has an {@link OrphanJudge}. Ranks hear heartbeats of each other at uneven
 * intervals. A SIGKILL and the news of an end take some time. The lock of the host is released when its holder ends.
 *
 * <p>Checked: while the launcher lives, stopped or not, no rank kills another one. At no time have more ranks that were
 * never stopped ended than paths been broken. In the end, if any rank runs, no other rank is stopped, any two ranks
 * that run have a path, and each that runs has marked exactly those others that have ended.
 */
final class OrphanHost implements Invariant {
    private static final long MS = 1_000_000;
    private static final long TIMEOUT_NS = 1_000 * MS;
    private static final long STEP_NS = 10 * MS;
    private static final long LONGEST_BEAT_NS = 190 * MS;
    private static final long LONGEST_KILL_NS = 40 * MS;

    /** The number under which the log lists the launcher. */
    private static final int LAUNCHER = 99;

    private enum State {
        RUNS,
        STOPPED,
        ENDED
    }

    private final Simulation world;
    private final SeededRandom random;
    private final List<Rank> ranks = new ArrayList<>();
    private final boolean[][] isBroken;
    private OrphanJudge.Launcher launcher = OrphanJudge.Launcher.THERE;
    private boolean doesStopAHolder;
    private int lockedBy = EventLog.NO_PROCESS;
    private int brokenPaths;
    private int healthyLosses;

    OrphanHost(Simulation world, int size, boolean doesStopAHolder) {
        this.world = world;
        this.random = world.random("orphans' host");
        this.isBroken = new boolean[size][size];
        this.doesStopAHolder = doesStopAHolder;
        for (int slot = 0; slot < size; slot++) {
            ranks.add(new Rank(slot, size));
        }
    }

    /**
     * Returns the time within which silences must have ended: that of two silences in a row, and half a timeout, and
     * per rank, as any may be ended, the time for the lock, a kill and its news.
     */
    static long boundNs(int ranks) {
        return 2 * TIMEOUT_NS + TIMEOUT_NS / 2 + ranks * (TIMEOUT_NS / 4);
    }

    void start() {
        for (Rank rank : ranks) {
            world.at(random.between(0, STEP_NS), rank::step);
            world.at(random.between(0, LONGEST_BEAT_NS), rank::beat);
        }
    }

    private void log(int slot, String verb, int other) {
        world.log().add(world.nowNs(), slot, verb, other, null);
    }

    void stopLauncher() {
        log(LAUNCHER, "is stopped", EventLog.NO_PROCESS);
        launcher = OrphanJudge.Launcher.LOST;
        world.cover(OrphansScenario.STOPPED_LAUNCHER);
    }

    void killLauncher() {
        log(LAUNCHER, "dies", EventLog.NO_PROCESS);
        launcher = OrphanJudge.Launcher.DEAD;
    }

    void breakPath(int one, int other) {
        if (!isBroken[one][other]) {
            log(one, "cut off", other);
            isBroken[one][other] = true;
            isBroken[other][one] = true;
            brokenPaths++;
        }
    }

    void stop(int slot) {
        Rank rank = ranks.get(slot);
        if (rank.state == State.RUNS) {
            log(slot, "is stopped", EventLog.NO_PROCESS);
            rank.state = State.STOPPED;
            rank.wasStopped = true;
        }
    }

    void goOn(int slot) {
        Rank rank = ranks.get(slot);
        if (rank.state == State.STOPPED) {
            log(slot, "goes on", EventLog.NO_PROCESS);
            rank.state = State.RUNS;
            for (int other = 0; other < ranks.size(); other++) {
                rank.heardNs[other] = world.nowNs();
            }
        }
    }

    void fireEarly(int slot, int other) {
        Rank rank = ranks.get(slot);
        if (rank.state == State.RUNS && !rank.marked[other]) {
            rank.judge.silent(ProcessId.of(other), world.nowNs());
        }
    }

    private void end(Rank rank, String why) {
        if (rank.state == State.ENDED) {
            return;
        }
        log(rank.slot, "ends", EventLog.NO_PROCESS);
        rank.state = State.ENDED;
        lockedBy = lockedBy == rank.slot ? EventLog.NO_PROCESS : lockedBy;
        if (!rank.wasStopped && ++healthyLosses > brokenPaths) {
            throw new Violation("rank " + rank.slot + " was healthy and ended (" + why + "), the " + healthyLosses
                    + ". such end with " + brokenPaths + " broken paths");
        }
        for (Rank other : ranks) {
            world.at(world.nowNs() + random.between(0, LONGEST_KILL_NS), () -> other.learnOfEnd(rank.slot));
        }
    }

    @Override
    public String open() {
        for (Rank one : ranks) {
            for (Rank other : ranks) {
                String open = one == other || one.state != State.RUNS ? null : open(one, other);
                if (open != null) {
                    return open;
                }
            }
        }
        return null;
    }

    private String open(Rank one, Rank other) {
        if (other.state == State.STOPPED) {
            return "rank " + other.slot + " is stopped, and no rank ended it: " + one.judge;
        }
        if ((other.state == State.ENDED) != one.marked[other.slot]) {
            return "rank " + one.slot + " is wrong about the end of rank " + other.slot;
        }
        boolean isCut = other.state == State.RUNS && isBroken[one.slot][other.slot];
        return isCut ? "ranks " + one.slot + " and " + other.slot + " run without a path" : null;
    }

    private final class Rank implements OrphanJudge.Host {
        private final int slot;
        private final OrphanJudge judge = new OrphanJudge(this, TIMEOUT_NS);
        private final long[] heardNs;
        private final boolean[] marked;
        private State state = State.RUNS;
        private boolean wasStopped;

        Rank(int slot, int size) {
            this.slot = slot;
            this.heardNs = new long[size];
            this.marked = new boolean[size];
        }

        void beat() {
            for (Rank other : ranks) {
                if (state == State.RUNS && other.state == State.RUNS && !isBroken[slot][other.slot]) {
                    world.log().addUnread(world.nowNs(), other.slot, slot, 0);
                    other.heardNs[slot] = world.nowNs();
                    other.judge.heard(ProcessId.of(slot));
                }
            }
            world.at(world.nowNs() + random.between(STEP_NS, LONGEST_BEAT_NS), this::beat);
        }

        void step() {
            long nowNs = world.nowNs();
            if (state == State.RUNS) {
                for (int other = 0; other < heardNs.length; other++) {
                    if (other != slot && !marked[other] && nowNs - heardNs[other] >= TIMEOUT_NS) {
                        judge.silent(ProcessId.of(other), nowNs);
                    }
                }
                judge.onTick(nowNs);
            }
            world.at(nowNs + STEP_NS, this::step);
        }

        void learnOfEnd(int ended) {
            if (ended != slot) {
                log(slot, "told of the end of", ended);
                marked[ended] = true;
                judge.gone(ProcessId.of(ended));
            }
        }

        @Override
        public OrphanJudge.Launcher launcher() {
            return launcher;
        }

        @Override
        public boolean tryLock() {
            if (lockedBy != EventLog.NO_PROCESS) {
                return false;
            }
            log(slot, "locks", EventLog.NO_PROCESS);
            lockedBy = slot;
            if (doesStopAHolder) {
                doesStopAHolder = false;
                world.faultAt(world.nowNs(), () -> OrphanHost.this.stop(slot));
                world.cover(OrphansScenario.STOPPED_HOLDER);
            }
            return true;
        }

        @Override
        public void unlock() {
            lockedBy = lockedBy == slot ? EventLog.NO_PROCESS : lockedBy;
        }

        @Override
        public boolean isStoppedHolder(ProcessId process) {
            return lockedBy == process.slot() && ranks.get(process.slot()).state == State.STOPPED;
        }

        @Override
        public void kill(ProcessId process) {
            if (launcher != OrphanJudge.Launcher.DEAD) {
                throw new Violation(
                        "rank " + slot + " ends rank " + process + ", and the launcher that judges too lives");
            }
            log(slot, "kills", process.slot());
            world.cover(OrphansScenario.VERDICT);
            Rank victim = ranks.get(process.slot());
            String why = "killed by rank " + slot;
            world.at(world.nowNs() + random.between(0, LONGEST_KILL_NS), () -> end(victim, why));
        }

        @Override
        public boolean isDoomed(ProcessId process) {
            return false;
        }

        /**
         * Marks a process failed. The marked process then ends if it has not ended, after at most the time that a kill
         * may take, and all other ranks are told of that end.
         */
        @Override
        public void mark(ProcessId process) {
            log(slot, "marks", process.slot());
            marked[process.slot()] = true;
            judge.gone(process);
            Rank victim = ranks.get(process.slot());
            String why = "marked by rank " + slot;
            world.at(world.nowNs() + random.between(0, LONGEST_KILL_NS), () -> end(victim, why));
        }
    }
}
