package org.ulfmj.testkit;

import java.util.List;
import org.ulfmj.agree.message.Admission;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.runtime.RankBinding;
import org.ulfmj.runtime.RankHooks;
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.runtime.leave.Preemption;
import org.ulfmj.runtime.process.ComplaintSender;
import org.ulfmj.runtime.store.StoreLine;
import org.ulfmj.testkit.launcher.RankLine;
import org.ulfmj.transport.MemberRecord;

/** One process of a {@link LocalJob}: a rank of the first world, or a process that replaces a dead one or joins. */
final class LocalRank implements RankHooks, RunningRank, ComplaintSender.Listener {
    /** The time that a rank is given from its preemption to its end. */
    private static final long GRACE_NS = 10_000_000_000L;

    private final LocalJob job;
    private final ProcessId id;
    private final ComplaintSender complaints = new ComplaintSender(this);
    private final RankLine line;
    private volatile Thread thread;
    private RankRuntime runtime;
    private RankBinding binding;
    private RankOutcome outcome;

    LocalRank(LocalJob job, RankLine line) {
        this.job = job;
        this.id = line.me().id();
        this.line = line;
    }

    void bind(RankRuntime newRuntime, RankBinding newBinding) {
        runtime = newRuntime;
        binding = newBinding;
        line.serve(newRuntime, complaints::holds);
    }

    ProcessId id() {
        return id;
    }

    RankLine line() {
        return line;
    }

    void start(Runnable work) {
        thread = new Thread(work, "rank-" + id);
        thread.setDaemon(true);
        thread.start();
    }

    Thread thread() {
        return thread;
    }

    RankRuntime runtime() {
        return runtime;
    }

    /** Sets how this rank ended. Returns false if it had ended already. */
    synchronized boolean end(RankOutcome newOutcome) {
        if (outcome != null) {
            return false;
        }
        outcome = newOutcome;
        return true;
    }

    synchronized boolean hasEnded() {
        return outcome != null;
    }

    synchronized RankOutcome outcome() {
        return outcome;
    }

    void run(RankMain main) {
        runtime.bindMainThread();
        try {
            binding.run(() -> runUnchecked(main));
            if (runtime.isFinished()) {
                job.depart(this, new RankOutcome(RankEnd.FINALIZED, null, ""));
            } else {
                job.die(this, new RankOutcome(RankEnd.RETURNED, null, ""));
            }
        } catch (MainThrew e) {
            if (!runtime.signals().hasLeft()) {
                job.die(this, new RankOutcome(RankEnd.THREW, e.getCause(), ""));
            }
        }
    }

    private static void runUnchecked(RankMain main) {
        try {
            main.run();
        } catch (Throwable e) {
            throw new MainThrew(e);
        }
    }

    @Override
    public void die() {
        job.die(this, new RankOutcome(RankEnd.KILLED, null, "killed by itself"));
        throw new RankKilledError("rank " + id + " killed itself");
    }

    @Override
    public void kill(int rank) {
        job.die(job.rank(rank), new RankOutcome(RankEnd.KILLED, null, "killed by rank " + id));
    }

    @Override
    public void preempt(int rank) {
        LocalRank preempted = job.rank(rank);
        if (!preempted.runtime.signals().preemption().begin(GRACE_NS)) {
            kill(rank);
        }
    }

    @Override
    public boolean watchForPreemption(Preemption preemption) {
        return true;
    }

    @Override
    public void onLeave(String why, long mostNs) {
        job.begin();
        line.leave(why);
    }

    @Override
    public void onLeft(int code) {
        job.die(this, new RankOutcome(RankEnd.PREEMPTED, null, "exit code " + code));
        job.done();
    }

    @Override
    public void suspect(int rank) {
        job.suspect(this, job.rank(rank).id());
    }

    @Override
    public void onFenced(String reason) {
        job.die(this, new RankOutcome(RankEnd.FENCED, null, reason));
    }

    @Override
    public void onAbort(int code, String reason) {
        job.abort(code, reason);
    }

    @Override
    public void onBroken(Throwable cause) {
        job.die(this, new RankOutcome(RankEnd.BROKEN, cause, ""));
    }

    @Override
    public void onFaultPoint(int rule) {
        job.die(this, new RankOutcome(RankEnd.KILLED, null, "fault point " + rule));
        throw new RankKilledError("rank " + id + " was killed at fault point " + rule);
    }

    @Override
    public void onSilent(ProcessId process) {
        complaints.silent(process);
    }

    @Override
    public void onHeard(ProcessId process) {
        complaints.heard(process);
    }

    @Override
    public void onComplaint(ProcessId process) {
        line.suspect(process);
    }

    @Override
    public void onWithdrawn(ProcessId process) {
        line.heard(process);
    }

    @Override
    public void onFailed(ProcessId process, Evidence evidence) {
        complaints.gone(process);
    }

    @Override
    public void onDeparted(ProcessId process) {
        complaints.gone(process);
    }

    @Override
    public void endLauncher() {
        job.launcher().die();
    }

    @Override
    public void onGoodbye(SlotSet failed) {
        line.goodbye(failed);
    }

    @Override
    public void onAdmitted(Admission admission, List<MemberRecord> members) {
        job.admitted(id);
        line.admitted(admission, members);
    }

    @Override
    public boolean mayBeAdmitted() {
        return line.mayBeAdmitted();
    }

    @Override
    public int mostMembers() {
        return job.most();
    }

    @Override
    public void onGoneOnWithout(String why) {
        job.stayOut(this, why);
    }

    @Override
    public StoreLine store() {
        return line;
    }

    @Override
    public void onLifelineLost(ProcessId process) {}

    @Override
    public void onLinkBroken(ProcessId process) {}

    @Override
    public void onSeatPoll(long nowNs) {}

    /** Carries the exception of a rank's main through a {@link Runnable}, which may throw no checked exception. */
    private static final class MainThrew extends RuntimeException {
        private static final long serialVersionUID = 1L;

        MainThrew(Throwable cause) {
            super(cause);
        }
    }
}
