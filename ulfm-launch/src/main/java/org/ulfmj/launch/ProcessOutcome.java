package org.ulfmj.launch;

import org.ulfmj.protocol.ProcessId;

/**
 * How one process ended.
 *
 * @param process its rank in COMM_WORLD, and which process of it
 * @param exitCode as a shell sees it
 * @param isMember whether it is the last that the world knew of its slot: neither replaced nor a newcomer that was
 *     never taken in
 * @param calledInit whether it joined the world
 * @param isFinalized whether it returned from Finalize
 * @param isHeldForFailed whether a process that returned from Finalize had marked it failed
 * @param isEndedByLauncher whether it ended after the launcher had told all to end, so that its code is no news
 */
record ProcessOutcome(
        ProcessId process,
        int exitCode,
        boolean isMember,
        boolean calledInit,
        boolean isFinalized,
        boolean isHeldForFailed,
        boolean isEndedByLauncher) {}
