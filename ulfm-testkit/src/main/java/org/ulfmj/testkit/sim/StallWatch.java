package org.ulfmj.testkit.sim;

/**
 * Looks, in real time, whether the thread that has the baton makes progress, and whether the run takes too long. A
 * thread that blocks outside of MPI would hold up the whole world for ever, as no other rank may run. Used by the
 * thread that waits for the run.
 */
final class StallWatch {
    private static final long BLOCKED_NS = 2_000_000_000;
    private static final long GRACE_NS = 2_000_000_000;
    /**
     * The least number of looks that must find the thread blocked. On a busy machine a single look comes late, and may
     * see a short wait that would have ended at once.
     */
    private static final int LEAST_LOOKS = 5;

    private final SimJob job;
    private final long timeoutNs;
    private final long startNs = System.nanoTime();
    private long seenSteps = -1;
    private long blockedSinceNs;
    private int blockedLooks;
    private long abandonedNs;

    StallWatch(SimJob job, long timeoutNs) {
        this.job = job;
        this.timeoutNs = timeoutNs;
    }

    /** Whether the run was abandoned more than two seconds ago. */
    boolean hasGivenUp() {
        return job.isAbandoned() && System.nanoTime() - abandonedNs > GRACE_NS;
    }

    void look() {
        long nowNs = System.nanoTime();
        SimRank holder = job.holder();
        if (holder == null || job.isAbandoned()) {
            return;
        }
        Thread.State state = holder.thread().getState();
        boolean isBlocked = state != Thread.State.RUNNABLE && !holder.hasTurn();
        if (!isBlocked || job.steps() != seenSteps) {
            seenSteps = job.steps();
            blockedSinceNs = nowNs;
            blockedLooks = 0;
        }
        if (++blockedLooks > LEAST_LOOKS && nowNs - blockedSinceNs > BLOCKED_NS) {
            abandon(
                    holder,
                    "rank " + holder.slot() + " has been blocked outside of MPI for 2 s: no other rank runs meanwhile");
        } else if (nowNs - startNs > timeoutNs) {
            abandon(holder, "the run has taken " + timeoutNs / 1_000_000 + " ms of real time");
        }
    }

    private void abandon(SimRank holder, String why) {
        StringBuilder text = new StringBuilder(why).append("; its thread:\n");
        for (StackTraceElement frame : holder.thread().getStackTrace()) {
            text.append("    at ").append(frame).append('\n');
        }
        abandonedNs = System.nanoTime();
        job.abandon(text.toString());
        holder.interrupt();
    }
}
