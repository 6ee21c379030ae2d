package org.ulfmj.launch;

/**
 * How the process of one slot ended.
 *
 * @param slot its rank in COMM_WORLD
 * @param exitCode as a shell sees it
 * @param calledInit whether it joined the world
 * @param isFinalized whether it returned from Finalize
 * @param isHeldForFailed whether a process that returned from Finalize held it for failed
 * @param isEndedByLauncher whether it ended after the launcher had told all to end, so that its code is no news
 */
record SlotOutcome(
        int slot,
        int exitCode,
        boolean calledInit,
        boolean isFinalized,
        boolean isHeldForFailed,
        boolean isEndedByLauncher) {}
