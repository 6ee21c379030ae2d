package org.ulfmj.launch.end;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The steps from the decision to end a job to the last SIGKILL, each at its time. Pure; used by one thread.
 *
 * <p>A failure is seldom alone, and the exit code is that of the lowest rank. So a moment passes before the remaining
 * processes are told to end. In that moment those that fail by themselves do so. Processes that waited for a place in a
 * world that is over also end by themselves then, because the rendezvous has told them that it is over.
 */
public final class EndSequence {
    public enum Action {
        /** Ask the processes which others they wait for. */
        ASK,
        /** Have Java virtual machines write the stacks of their threads. */
        DUMP,
        INTERRUPT,
        TERMINATE,
        /** Kill all processes that are left. */
        SWEEP
    }

    private static final long SETTLE_NS = 200_000_000;
    /** Time for the answers of {@link Action#ASK}: a little more than the survey waits for them. */
    private static final long ASK_NS = 1_100_000_000;

    private static final long DUMP_NS = 1_000_000_000;
    /** Time after a sweep. Processes that are left then cannot be killed by the kernel. */
    private static final long REAP_NS = 10_000_000_000L;

    /** Time after the sweep of a launcher in a minority, in which its own processes are reaped. */
    private static final long PARTED_NS = 1_000_000_000;

    private final Deque<Step> steps = new ArrayDeque<>();
    private final EndReason reason;
    private long giveUpNs;

    /**
     * @param isMpi whether a process has called MPI.Init
     * @param isJava whether the processes are Java virtual machines
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
                // At once, and processes of other hosts are not waited for.
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
     * The user lost patience: the only step left is to kill, now; after that step, the dead are waited for no longer.
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

    /** When {@link #due} or {@link #isOver} is to be asked again. */
    public long deadlineNs() {
        return steps.isEmpty() ? giveUpNs : steps.peek().atNs();
    }

    /** Whether it is of no use to wait for the processes that are left. */
    public boolean isOver(long nowNs) {
        return steps.isEmpty() && nowNs >= giveUpNs;
    }

    private record Step(long atNs, Action action) {}
}
