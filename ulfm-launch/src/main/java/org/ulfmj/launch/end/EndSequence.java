package org.ulfmj.launch.end;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The steps from the decision to end a job to the last SIGKILL, each at its time. Pure; used by one thread.
 *
 * <p>When one process fails, others often fail too, and the exit code is that of the lowest failed rank. So a moment
 * passes before the remaining processes are told to end, in which processes that fail by themselves do so. In that
 * moment also those processes end by themselves that waited for a place in a world that has ended, because the
 * rendezvous has told them so.
 */
public final class EndSequence {
    public enum Action {
        /** Ask each process which other processes it waits for. */
        ASK,
        /** Have Java virtual machines write the stacks of their threads. */
        DUMP,
        INTERRUPT,
        TERMINATE,
        /** Kill all processes that are left. */
        SWEEP
    }

    private static final long SETTLE_NS = 200_000_000;
    /** Time for the answers to {@link Action#ASK}. */
    private static final long ASK_NS = 1_100_000_000;

    private static final long DUMP_NS = 1_000_000_000;
    /**
     * How long after the last SIGKILL the launcher still waits for processes to end. Processes that are left then may
     * be stuck in the kernel.
     */
    private static final long REAP_NS = 10_000_000_000L;

    /** How long a launcher in a minority waits after the SIGKILL, so that its own processes on this host are reaped. */
    private static final long PARTED_NS = 1_000_000_000;

    private final Deque<Step> steps = new ArrayDeque<>();
    private final EndReason reason;
    private long giveUpNs;

    /**
     * @param isMpi whether a process has called MPI.Init
     * @param isJava whether some of the processes are Java virtual machines, which can write their stacks
     */
    public EndSequence(EndReason reason, boolean isMpi, boolean isJava, long graceNs, long nowNs) {
        this.reason = reason;
        long atNs = nowNs;
        switch (reason.kind()) {
            case FAILURE, NOT_FORMED, ABORT, DONE -> atNs += SETTLE_NS;
            case TIMEOUT, HUNG -> {
                if (isMpi && reason.kind() == EndReason.Kind.TIMEOUT) {
                    steps.add(new Step(atNs, Action.ASK));
                    atNs += ASK_NS;
                }
                if (isJava) {
                    steps.add(new Step(atNs, Action.DUMP));
                    atNs += DUMP_NS;
                }
            }
            case MINORITY -> {
                // The SIGKILL is sent at once, and the launcher does not wait for the processes on other hosts.
                steps.add(new Step(atNs, Action.SWEEP));
                giveUpNs = atNs + PARTED_NS;
                return;
            }
            case SIGNAL, LAUNCHER -> {
                // No step comes before the end.
            }
        }
        boolean isInterrupt = reason.kind() == EndReason.Kind.SIGNAL && reason.code() == 2;
        steps.add(new Step(atNs, isInterrupt ? Action.INTERRUPT : Action.TERMINATE));
        steps.add(new Step(atNs + graceNs, Action.SWEEP));
        giveUpNs = atNs + graceNs + REAP_NS;
    }

    public EndReason reason() {
        return reason;
    }

    /**
     * The user lost patience: all steps but the SIGKILL are left out, and the SIGKILL is due now. If the SIGKILL was
     * sent already, the launcher stops waiting for the processes to end.
     */
    public void hurry(long nowNs) {
        if (steps.isEmpty()) {
            giveUpNs = nowNs;
        } else {
            steps.clear();
            steps.add(new Step(nowNs, Action.SWEEP));
            giveUpNs = nowNs + REAP_NS;
        }
    }

    /** Returns the next action whose time has come; null if there is none. */
    public Action due(long nowNs) {
        return !steps.isEmpty() && steps.peek().atNs() <= nowNs ? steps.remove().action() : null;
    }

    /** The time at which {@link #due} or {@link #isOver} is to be asked again, in nanoseconds. */
    public long deadlineNs() {
        return steps.isEmpty() ? giveUpNs : steps.peek().atNs();
    }

    /** Whether all steps are done and the time to wait for the remaining processes has passed. */
    public boolean isOver(long nowNs) {
        return steps.isEmpty() && nowNs >= giveUpNs;
    }

    private record Step(long atNs, Action action) {}
}
