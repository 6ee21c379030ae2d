package org.ulfmj.launch.end;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.leave.Preemption;

/**
 * How one process ended.
 *
 * @param process slot and incarnation; in an elastic job the child
 * @param exitCode as a shell sees it; that of SIGKILL if the launcher has given the process up
 * @param isMember whether the process is the last that the world had in its slot: it was not replaced, and is no
 *     newcomer that was never admitted
 * @param calledInit whether the process called Init and reached the rendezvous
 * @param isFinalized whether the process returned from Finalize
 * @param hasSaved whether the process left the others without Finalize, after a signal that its program has handled
 * @param isHeldForFailed whether a process that returned from Finalize had marked this one failed
 * @param isEndedByLauncher whether the process died after the launcher had told it, or all, to end, so that its code
 *     does not count
 */
public record ProcessOutcome(
        ProcessId process,
        int exitCode,
        boolean isMember,
        boolean calledInit,
        boolean isFinalized,
        boolean hasSaved,
        boolean isHeldForFailed,
        boolean isEndedByLauncher) {
    private static final int TERMINATED = 143;

    /**
     * The exit code by which {@link ExitPolicy} judges the process. A script that starts a rank is ended by SIGTERM, so
     * the launcher sees the script's code, though the rank has handled the signal; then the code for a handled SIGTERM
     * counts.
     */
    int code() {
        return hasSaved && exitCode == TERMINATED ? Preemption.PREEMPTED : exitCode;
    }
}
