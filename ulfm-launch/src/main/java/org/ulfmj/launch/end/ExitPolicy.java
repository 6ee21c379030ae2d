package org.ulfmj.launch.end;

import java.util.List;
import org.ulfmj.runtime.leave.Preemption;

/**
 * The exit code of {@code mpiexec}. Some reasons to end a job determine it. Else a job that survives failures, and in
 * which a process has called Init, is a success if its survivors say so: at least one process returned from Finalize,
 * and each process that the survivors had not marked failed ended with 0. Any other job is judged by the exit codes of
 * its processes. For each slot only the exit code of the member counts, neither that of a process that was replaced nor
 * that of a newcomer that the world never admitted; and that only if the launcher had not told the member to end. Pure.
 */
public final class ExitPolicy {
    /**
     * The exit code of {@code mpiexec} when the time of {@code --timeout} has passed or the program was taken for hung;
     * the same as that of {@code timeout(1)}.
     */
    public static final int TIMED_OUT = 124;
    /** The launcher itself failed. */
    public static final int LAUNCHER_FAILED = 125;

    /** The exit code of a process that a signal ended is this constant plus the number of the signal. */
    static final int SIGNAL_BASE = 128;

    static final int KILL = 9;
    static final int TERM = 15;

    private static final int FAILED = 1;
    private static final int CODE_MASK = 255;

    private ExitPolicy() {}

    /**
     * @param outcomes of all processes that were started, in ascending order of rank
     * @param isFaultTolerant whether the job survives failures
     * @param reason why the job was ended; null if it ended by itself
     */
    public static int exitCode(List<ProcessOutcome> outcomes, boolean isFaultTolerant, EndReason reason) {
        if (reason == null) {
            return judged(outcomes, isFaultTolerant);
        }
        return switch (reason.kind()) {
            case FAILURE, NOT_FORMED -> notZero(judged(outcomes, isFaultTolerant));
            case ABORT -> ofAbort(reason.code());
            case TIMEOUT, HUNG -> TIMED_OUT;
            case SIGNAL -> isPreempted(outcomes, reason) ? Preemption.PREEMPTED : SIGNAL_BASE + reason.code();
            case LAUNCHER, MINORITY -> reason.code();
            case DONE -> judged(outcomes, isFaultTolerant);
        };
    }

    /**
     * The exit code of a job, and of a process, in which a rank called abort with this code: its low byte, or 1 if that
     * is 0.
     */
    static int ofAbort(int code) {
        return notZero(code & CODE_MASK);
    }

    private static int judged(List<ProcessOutcome> outcomes, boolean isFaultTolerant) {
        boolean survives = isFaultTolerant && hasAnyCalledInit(outcomes);
        for (ProcessOutcome outcome : outcomes) {
            boolean counts =
                    outcome.isMember() && !outcome.isEndedByLauncher() && !(survives && outcome.isHeldForFailed());
            if (counts && outcome.code() != 0) {
                return outcome.code();
            }
        }
        boolean noneFinished = survives && !hasAnyFinalized(outcomes);
        return noneFinished ? FAILED : 0;
    }

    /**
     * Whether the launcher got SIGTERM, at least one rank handled SIGTERM, and every member that then ended had either
     * handled it or had finalized and ended with 0.
     */
    private static boolean isPreempted(List<ProcessOutcome> outcomes, EndReason reason) {
        boolean isAnyPreempted = false;
        for (ProcessOutcome outcome : outcomes) {
            boolean hasHandled = outcome.hasSaved() && outcome.code() == Preemption.PREEMPTED;
            boolean isWell = outcome.isFinalized() && outcome.exitCode() == 0;
            if (outcome.isMember() && outcome.isEndedByLauncher() && !hasHandled && !isWell) {
                return false;
            }
            isAnyPreempted |= hasHandled;
        }
        return isAnyPreempted && reason.code() == TERM;
    }

    private static boolean hasAnyCalledInit(List<ProcessOutcome> outcomes) {
        for (ProcessOutcome outcome : outcomes) {
            if (outcome.calledInit()) {
                return true;
            }
        }
        return false;
    }

    /** Whether a process returned from Finalize. */
    public static boolean hasAnyFinalized(List<ProcessOutcome> outcomes) {
        for (ProcessOutcome outcome : outcomes) {
            if (outcome.isFinalized()) {
                return true;
            }
        }
        return false;
    }

    private static int notZero(int code) {
        return code == 0 ? FAILED : code;
    }
}
