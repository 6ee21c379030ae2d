package org.ulfmj.testkit.sim;

import org.ulfmj.detector.Evidence;
import org.ulfmj.detector.OrphanJudge;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.testkit.RankEnd;
import org.ulfmj.testkit.RankOutcome;

/**
 * The part of a process of a {@link SimJob} that judges silences once its launcher is dead: the shipped
 * {@link OrphanJudge}, on a host with one lock. Needs the baton.
 */
final class SimOrphans implements OrphanJudge.Host, Runnable {
    /** The time until a signal arrives, from any sender. Signals of two senders may be under way at once. */
    private static final long SIGNAL_NS = 100_000;

    private static final long PROOF_NS = 1_000_000;

    private final SimJob job;
    private final SimRank rank;
    private final OrphanJudge judge;
    private boolean isPlanned;

    SimOrphans(SimJob job, SimRank rank) {
        this.job = job;
        this.rank = rank;
        this.judge = new OrphanJudge(this, job.detectorTimeoutNs());
    }

    void silent(ProcessId process) {
        judge.silent(process, job.nowNs());
        plan();
    }

    void heard(ProcessId process) {
        judge.heard(process);
    }

    void gone(ProcessId process) {
        judge.gone(process);
    }

    void leave() {
        judge.leave();
    }

    private void plan() {
        long dueNs = judge.nextDeadlineNs();
        if (!isPlanned && dueNs != Long.MAX_VALUE && !job.isOver()) {
            isPlanned = true;
            job.at(Math.max(dueNs, job.nowNs() + 1), this);
        }
    }

    @Override
    public void run() {
        if (rank.hasEnded() || rank.isPaused(this)) {
            return;
        }
        isPlanned = false;
        rank.poll();
        if (!rank.hasEnded()) {
            judge.onTick(job.nowNs());
            plan();
        }
    }

    @Override
    public OrphanJudge.Launcher launcher() {
        boolean isLost = job.launcher().hasEnded() && job.nowNs() >= rank.wire().lostNs();
        return isLost ? OrphanJudge.Launcher.DEAD : OrphanJudge.Launcher.THERE;
    }

    @Override
    public boolean tryLock() {
        SimRank holder = lockHolder();
        if (holder == null || holder.hasEnded()) {
            job.host().lockedBy(rank.id());
        }
        return lockHolder() == rank;
    }

    private SimRank lockHolder() {
        ProcessId holder = job.host().lockHolder();
        return holder == null ? null : job.process(holder);
    }

    @Override
    public void unlock() {
        if (lockHolder() == rank) {
            job.host().lockedBy(null);
        }
    }

    @Override
    public boolean isStoppedHolder(ProcessId process) {
        SimRank holder = lockHolder();
        return holder != null && holder.id().equals(process) && holder.stands();
    }

    @Override
    public void kill(ProcessId process) {
        SimRank victim = job.process(process);
        RankOutcome end = new RankOutcome(RankEnd.SILENCED, null, "rank " + rank.id() + " ended it");
        job.at(job.nowNs() + SIGNAL_NS, () -> job.launcher().die(victim, end, true));
        job.at(job.nowNs() + PROOF_NS, new Proof(process));
    }

    /**
     * The event in which this process finds that a process is dead that it has killed. It learns this by looking, and
     * not by a message.
     */
    private final class Proof implements Runnable {
        private final ProcessId process;

        Proof(ProcessId process) {
            this.process = process;
        }

        @Override
        public void run() {
            if (!rank.hasEnded() && !rank.isPaused(this)) {
                String reason = "nothing was heard of its process, and it was ended for that";
                rank.runtime().news().onEvidence(process, new Evidence(Evidence.Kind.CERTAIN, rank.id(), reason));
                rank.poll();
            }
        }
    }

    @Override
    public boolean isDoomed(ProcessId process) {
        return false;
    }

    @Override
    public void mark(ProcessId process) {
        throw new IllegalStateException("SIGKILL ends every process of this host");
    }
}
