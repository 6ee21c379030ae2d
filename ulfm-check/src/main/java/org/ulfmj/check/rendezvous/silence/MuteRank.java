package org.ulfmj.check.rendezvous.silence;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.protocol.ProcessId;

/**
 * A simulated rank, as far as silences matter: it sends heartbeats to its observer, complains of processes that it does
 * not hear, and answers the judge. It may stand still, for a while or for good. When it goes on, it does the actions
 * that it missed.
 */
final class MuteRank {
    /** The state of the rank. */
    enum State {
        RUNS,
        /** Stopped by a signal. */
        STOPPED,
        /** The rank waits for a disk. SIGKILL has no effect before the wait ends. */
        DISK,
        /** The rank does nothing, although the system shows the same state as for a rank that runs. */
        DEADLOCKED,
        ENDED
    }

    final ProcessId id;
    private final SilentJob job;
    private final List<Runnable> missed = new ArrayList<>();
    final SortedMap<ProcessId, Long> heardNs = new TreeMap<>();
    final SortedSet<ProcessId> silent = new TreeSet<>();
    /** The processes that it has marked failed. */
    final SortedSet<ProcessId> marked = new TreeSet<>();

    /** The process that it listens to. */
    private ProcessId observed;

    State state = State.RUNS;
    long wentOnNs = Long.MIN_VALUE / 2;
    boolean isKillPending;
    /**
     * Whether the rank was told that it is a member. A newcomer that the others have let in and that was not told sends
     * heartbeats to its observer, answers the judge, and complains of no process.
     */
    boolean isWelcome = true;
    /**
     * Whether a fault was to make the rank crash or stand still, so that it is no error if it is ended. A short stop
     * counts only in schedules with early timers.
     */
    boolean isHurt;

    MuteRank(ProcessId id, SilentJob job) {
        this.id = id;
        this.job = job;
    }

    boolean hasEnded() {
        return state == State.ENDED;
    }

    boolean runs() {
        return state == State.RUNS;
    }

    /** Carries out an action now, or when the rank goes on. A rank that has ended does nothing. */
    void input(Runnable action) {
        if (runs()) {
            action.run();
        } else if (!hasEnded()) {
            missed.add(action);
        }
    }

    /**
     * Lets a rank that runs stand still, unless it has gone on within the time between two looks of the launcher: the
     * launcher would take two such standstills for one.
     */
    void standStill(State how) {
        if (runs() && !job.hasGoneOnSinceALook(this)) {
            job.log(id, how.toString(), null);
            state = how;
        }
    }

    /**
     * Lets a rank that stands still go on, or end if it was killed meanwhile. The time of its own standstill does not
     * count as a silence of other processes.
     */
    void goOn(long nowNs) {
        if (hasEnded() || runs()) {
            return;
        }
        if (isKillPending) {
            end();
            return;
        }
        job.log(id, "goes on", null);
        state = State.RUNS;
        wentOnNs = nowNs;
        heardNs.replaceAll((peer, atNs) -> nowNs);
        List<Runnable> actions = new ArrayList<>(missed);
        missed.clear();
        actions.forEach(Runnable::run);
    }

    void end() {
        job.log(id, "ends", null);
        state = State.ENDED;
        missed.clear();
        job.onEnd(this);
    }

    void kill() {
        if (state == State.DISK) {
            isKillPending = true;
        } else if (!hasEnded()) {
            end();
        }
    }

    /** The rank is told that it is a member. It listens to others from now on, and their silence counts from now on. */
    void welcome(long nowNs) {
        isWelcome = true;
        heardNs.replaceAll((peer, atNs) -> nowNs);
        job.toJudge(this, at -> job.judge().runs(id, at));
    }

    /**
     * Handles a heartbeat. If the rank has complained of the sender, the complaint is withdrawn only if the path works
     * in both directions.
     */
    void onBeat(ProcessId from, long nowNs) {
        heardNs.put(from, nowNs);
        if (job.areConnected(id, from) && silent.remove(from)) {
            job.toJudge(this, at -> job.judge().hears(id, from, at));
        }
    }

    /**
     * Sets the process that this rank listens to. If it listened to another one before, the new one gets a whole
     * timeout from now on.
     */
    void observe(ProcessId peer, long nowNs) {
        if (observed != null && !observed.equals(peer)) {
            heardNs.put(peer, nowNs);
        }
        observed = peer;
    }

    /**
     * J1: complains of a process, unless such a complaint stands already, the rank has marked the process failed, or it
     * was not told that it is a member. Also called by a timer that fires early.
     */
    void suspect(ProcessId peer) {
        if (isWelcome && !marked.contains(peer) && silent.add(peer)) {
            job.toJudge(this, at -> job.judge().suspects(id, peer, at));
        }
    }

    void mark(ProcessId peer) {
        job.requireOver(peer);
        job.log(id, "marks", peer);
        silent.remove(peer);
        marked.add(peer);
    }

    /** J2: sends a heartbeat to each complainer, then answers. */
    void asked(long question, List<ProcessId> complainers) {
        complainers.forEach(complainer -> job.beat(this, complainer));
        job.toJudge(this, at -> job.judge().answers(id, question, at));
    }

    void askedAgain(long question, ProcessId about) {
        if (silent.contains(about)) {
            job.toJudge(this, at -> job.judge().confirms(id, question, about, at));
        } else if (!marked.contains(about)) {
            job.toJudge(this, at -> job.judge().hears(id, about, at));
        }
    }
}
