package org.ulfmj.detector;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.protocol.ProcessId;

/**
 * Ends silent processes of a host whose launcher is dead (rule J1). A live launcher judges silences itself. Once the
 * launcher is <em>proven</em> dead, each rank judges the processes of the host of which it hears nothing. A launcher
 * that is only stopped, or out of reach, will judge again later: until then no rank begins to end a process.
 *
 * <p>A process that stays silent for another timeout is ended by SIGKILL. Its end is then proven like any other death,
 * or {@link Host#isDoomed} shows that it runs no more: no process is marked on a silence alone. If two live ranks do
 * not hear each other, only one of them ends the other, because a rank needs the lock of the host for that. The holder
 * of the lock looks once more whether the other process is still silent, ends it, waits until it is marked, and gives
 * the lock back. A silent holder that is stopped would keep the lock for ever, so it is ended by a rank that does not
 * hold the lock.
 *
 * <p>Pure: {@link Host} is what the judge sees and does. One rank drives it, under its engine lock, only after
 * everything that can be read was read. Processes of other hosts are not given to it.
 */
public final class OrphanJudge {
    /** What is known of the launcher. */
    public enum Launcher {
        THERE,
        /** The launcher does not answer, which is no proof of its death. */
        LOST,
        /** The launcher's process is gone. */
        DEAD
    }

    /** The host and its processes, as one rank sees them. */
    public interface Host {
        Launcher launcher();

        /** Takes the lock of this host. Returns false if another process has it, or if it cannot be taken. */
        boolean tryLock();

        void unlock();

        /**
         * Whether the process has the lock of this host, and does not run: it is stopped, or in a sleep that the system
         * does not interrupt.
         */
        boolean isStoppedHolder(ProcessId process);

        /** Sends SIGKILL to the process, if it is still there. */
        void kill(ProcessId process);

        /**
         * Whether SIGKILL has reached the process, but the system cannot end the process yet. Such a process runs no
         * instruction any more.
         */
        boolean isDoomed(ProcessId process);

        /** Marks the process failed, though its end is not proven. */
        void mark(ProcessId process);
    }

    private static final long NEVER = Long.MAX_VALUE;

    private final Host host;
    private final long timeoutNs;
    private final long periodNs;

    /** The silent processes, each with the time from which it may be ended if it has been silent until then. */
    private final SortedMap<ProcessId, Long> silent = new TreeMap<>();

    private boolean hasLock;
    private boolean hasLeft;

    /** The process that was sent SIGKILL and is not marked yet; null if there is none, or if this rank has left. */
    private ProcessId ending;

    private long killedNs;
    private long nextLookNs = NEVER;

    /** @param timeoutNs the timeout of the detector */
    public OrphanJudge(Host host, long timeoutNs) {
        this.host = host;
        this.timeoutNs = timeoutNs;
        this.periodNs = Math.max(1, timeoutNs / 20);
    }

    /** Nothing was heard of the process for the detector's timeout, or the link to the process is lost. */
    public void silent(ProcessId process, long nowNs) {
        if (!hasLeft && silent.putIfAbsent(process, nowNs + timeoutNs) == null) {
            nextLookNs = Math.min(nextLookNs, nowNs + periodNs);
        }
    }

    /** The silence of the process has ended. */
    public void heard(ProcessId process) {
        silent.remove(process);
    }

    /** The process is marked, or has left. */
    public void gone(ProcessId process) {
        silent.remove(process);
        if (process.equals(ending)) {
            ending = null;
            giveLockBack();
        }
    }

    /**
     * This rank has said goodbye, and judges no process any more. It gives the lock back at once, because another rank
     * may need the lock before this process has ended.
     */
    public void leave() {
        hasLeft = true;
        silent.clear();
        ending = null;
        giveLockBack();
        nextLookNs = NEVER;
    }

    /** When {@link #onTick} is due; {@link Long#MAX_VALUE} if never. */
    public long nextDeadlineNs() {
        return nextLookNs;
    }

    public void onTick(long nowNs) {
        if (nowNs < nextLookNs) {
            return;
        }
        extendBy(nowNs - nextLookNs);
        if (ending != null) {
            lookAfter(nowNs);
        } else if (hasLock) {
            endWhoIsStillSilent(nowNs);
        } else {
            open(nowNs);
        }
        // A look is due each period even before the next deadline, because a stall of this process shows only as a look
        // that comes late.
        nextLookNs = ending == null && !hasLock && silent.isEmpty() ? NEVER : nowNs + periodNs;
    }

    /** Moves the deadline of each silence by the time by which this look is late: perhaps this process stood still. */
    private void extendBy(long lateNs) {
        silent.replaceAll((process, untilNs) -> untilNs + lateNs);
    }

    private void open(long nowNs) {
        if (firstOverdue(nowNs) == null || host.launcher() != Launcher.DEAD) {
            return;
        }
        for (Map.Entry<ProcessId, Long> each : silent.entrySet()) {
            if (nowNs >= each.getValue() && host.isStoppedHolder(each.getKey())) {
                end(each.getKey(), nowNs);
                return;
            }
        }
        hasLock = host.tryLock();
    }

    /**
     * Ends the first process that is still silent past its deadline, or gives the lock back if there is none. Called at
     * the look after the one that took the lock, so that everything was read once more in between.
     */
    private void endWhoIsStillSilent(long nowNs) {
        ProcessId overdue = firstOverdue(nowNs);
        if (overdue == null) {
            giveLockBack();
        } else {
            end(overdue, nowNs);
        }
    }

    private ProcessId firstOverdue(long nowNs) {
        for (Map.Entry<ProcessId, Long> each : silent.entrySet()) {
            if (nowNs >= each.getValue()) {
                return each.getKey();
            }
        }
        return null;
    }

    private void end(ProcessId process, long nowNs) {
        ending = process;
        killedNs = nowNs;
        host.kill(process);
    }

    /**
     * Looks after the process that was sent SIGKILL, if it is not marked half a timeout later. A process that waits in
     * the system for a device does not end, but it will run no instruction again, so it is marked failed. Any other
     * process is sent SIGKILL again.
     */
    private void lookAfter(long nowNs) {
        if (nowNs - killedNs < timeoutNs / 2) {
            return;
        }
        if (host.isDoomed(ending)) {
            host.mark(ending);
        } else {
            end(ending, nowNs);
        }
    }

    private void giveLockBack() {
        if (hasLock) {
            hasLock = false;
            host.unlock();
        }
    }

    @Override
    public String toString() {
        return "silent " + silent.keySet() + (hasLock ? ", has the lock" : "")
                + (ending == null ? "" : ", ends " + ending);
    }
}
