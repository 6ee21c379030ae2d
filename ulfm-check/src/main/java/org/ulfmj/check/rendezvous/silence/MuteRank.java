package org.ulfmj.check.rendezvous.silence;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ulfmj.protocol.ProcessId;

/**
 * A rank as far as its silence goes: it beats for its observer, complains of whom it does not hear, and answers the
 * judge. It may stand still, for a while or for good, and then does what it missed when it goes on.
 */
final class MuteRank {
    /** How it stands. */
    enum State {
        RUNS,
        /** Stopped by a signal. */
        STOPPED,
        /** Waits for a disk; SIGKILL waits too. */
        DISK,
        /** Runs as far as the system can see, and does nothing. */
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
    /** Whether it did anything else than to run and be heard. */
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

    /** Now, or when it goes on. */
    void input(Runnable action) {
        if (runs()) {
            action.run();
        } else if (!hasEnded()) {
            missed.add(action);
        }
    }

    /** Not again within one look of the launcher, which would see one standstill. */
    void standStill(State how) {
        if (runs() && !job.hasGoneOnSinceALook(this)) {
            job.log(id, how.toString(), null);
            state = how;
        }
    }

    /** Its own stall is blamed on no process. */
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

    /** A heartbeat came; where the way back is broken the link is lost all the same. */
    void onBeat(ProcessId from, long nowNs) {
        heardNs.put(from, nowNs);
        if (job.areConnected(id, from) && silent.remove(from)) {
            job.toJudge(this, at -> job.judge().hears(id, from, at));
        }
    }

    /** Another one than before has a whole timeout from now on, as on the ring. */
    void observe(ProcessId peer, long nowNs) {
        if (observed != null && !observed.equals(peer)) {
            heardNs.put(peer, nowNs);
        }
        observed = peer;
    }

    /** J1; also by a timer that fires early. */
    void suspect(ProcessId peer) {
        if (!marked.contains(peer) && silent.add(peer)) {
            job.toJudge(this, at -> job.judge().suspects(id, peer, at));
        }
    }

    void mark(ProcessId peer) {
        job.requireOver(peer);
        job.log(id, "marks", peer);
        silent.remove(peer);
        marked.add(peer);
    }

    /** J2: it beats the complainers, then answers. */
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
