package org.ulfmj.testkit;

import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.ulfmj.detector.Evidence;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.replacement.ReplacementTerms;
import org.ulfmj.rendezvous.replacement.Replacements;
import org.ulfmj.transport.MemberRecord;

/**
 * What a launcher is to processes: it tells the others of each end, and starts another process in the place of a dead
 * one. All of it happens on its own thread, because deaths are noticed under the lock of an engine; what is called by
 * others only leaves it a task.
 */
final class LocalLauncher implements Replacements.Effects {
    private static final long AT_ONCE_MS = 0;
    /** As long as a process takes that was ready and waited. */
    private static final long START_MS = 5;
    /** What the dead have sent arrives by then. */
    private static final long FORSAKEN_MS = 200;

    private final LocalJob job;
    private final int most;
    private final boolean deathsAreTold;
    private final KnownWorld world;
    private final Replacements replacements;
    private final ScheduledExecutorService thread;
    private final LocalJudge judge;
    /** The next one of the judge's. */
    private volatile Future<?> step;

    private long nonces;
    private boolean isGone;
    /** Why no process is started any more; null before. */
    private String closedBecause;

    LocalLauncher(LocalJob job, LocalPlan plan) {
        this.job = job;
        this.most = plan.restarts();
        this.deathsAreTold = plan.deathsAreTold();
        this.judge = new LocalJudge(job, this, plan.settings().timing().detectorTimeoutNs());
        this.world = new KnownWorld(plan.ranks());
        this.replacements = new Replacements(
                new ReplacementTerms(plan.ranks(), most, 0, "restarting(" + most + ")", "no restarts were asked for"),
                this);
        this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread launcher = new Thread(task, "local-world-launcher");
            launcher.setDaemon(true);
            return launcher;
        });
    }

    void onDeath(LocalRank dead, RankOutcome outcome) {
        later(AT_ONCE_MS, () -> {
            dead.runtime().kill(new RankKilledError("rank " + dead.id() + " is dead: " + outcome));
            if (deathsAreTold) {
                prove(dead, "its thread ended: " + outcome);
            }
            lookForMembers();
        });
    }

    /** The end of a process is known. On this thread. */
    private void prove(LocalRank dead, String reason) {
        judge.leaves(dead.id());
        for (LocalRank other : job.processes()) {
            if (other != dead && !other.hasEnded()) {
                tellDeath(other, dead.id(), reason);
            }
        }
        if (!isGone) {
            replace(dead.id());
        }
    }

    /** The judge's word. On this thread. */
    void end(LocalRank silent, String reason) {
        RankOutcome outcome = new RankOutcome(RankEnd.SILENCED, null, reason);
        job.die(silent, outcome);
        if (!deathsAreTold) {
            later(AT_ONCE_MS, () -> prove(silent, "its process " + reason + ", and the launcher ended it"));
        }
    }

    /** All ranks are about to run, and are judged from now on. */
    void start() {
        unlessGone(judge::start);
    }

    void onSuspect(LocalRank by, ProcessId about) {
        unlessGone(() -> judge.suspects(by.id(), about));
    }

    void onHeard(LocalRank by, ProcessId about) {
        unlessGone(() -> judge.hears(by.id(), about));
    }

    void onHere(LocalRank process, long question) {
        unlessGone(() -> judge.answers(process.id(), question));
    }

    void onStillNothing(LocalRank by, long question, ProcessId about) {
        unlessGone(() -> judge.confirms(by.id(), question, about));
    }

    private void unlessGone(Runnable task) {
        later(AT_ONCE_MS, () -> {
            if (!isGone) {
                task.run();
            }
        });
    }

    /** A step of the judge's, for which no run waits. On this thread. */
    void stepAfter(long delayNs) {
        try {
            step = thread.schedule(
                    () -> {
                        if (!isGone) {
                            judge.step();
                        }
                    },
                    delayNs,
                    TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException jobIsOver) {
            // No rank is left who could fall silent.
        }
    }

    private static void tellDeath(LocalRank observer, ProcessId dead, String reason) {
        observer.runtime().onEvidence(dead, new Evidence(Evidence.Kind.CERTAIN, observer.id(), reason));
    }

    /** The launcher answers for it from now on. */
    void onDeparted(LocalRank departed) {
        later(AT_ONCE_MS, () -> {
            judge.leaves(departed.id());
            for (LocalRank other : job.processes()) {
                if (!isGone && other != departed && !other.hasEnded()) {
                    other.runtime().onDeparted(departed.id());
                }
            }
            lookForMembers();
        });
    }

    void onStayedOut(LocalRank newcomer, String why) {
        later(AT_ONCE_MS, () -> {
            judge.leaves(newcomer.id());
            newcomer.runtime().kill(new RankKilledError("rank " + newcomer.id() + ": " + why));
        });
    }

    void onAbort(List<LocalRank> ended, String reason) {
        later(AT_ONCE_MS, () -> {
            isGone = true;
            for (LocalRank process : ended) {
                process.runtime().kill(new RankKilledError("the job was aborted: " + reason));
            }
        });
    }

    /** A process says what world it is in. */
    void onAdmitted(LocalRank process, long epoch, List<MemberRecord> members) {
        unlessGone(() -> judge.runs(process.id()));
        later(AT_ONCE_MS, () -> sendAway(world.committed(epoch, members), "others hold all places in epoch " + epoch));
    }

    /** A process leaves for good, and so do all others. */
    void onGoodbye(LocalRank process) {
        unlessGone(() -> judge.leaves(process.id()));
        if (most > 0) {
            later(AT_ONCE_MS, () -> close("the world is finalized"));
        }
    }

    /** The launcher itself dies: no rank is started any more. Deaths still show, as at a connection that breaks. */
    void die() {
        later(AT_ONCE_MS, () -> {
            isGone = true;
            for (LocalRank process : job.processes()) {
                if (!process.hasEnded()) {
                    process.runtime().onNobodyMore("the launcher is gone");
                }
            }
            close("the launcher is gone");
        });
    }

    private void replace(ProcessId dead) {
        if (isGone || !world.ended(dead)) {
            return;
        }
        if (closedBecause != null) {
            replacements.giveUp(dead.slot(), closedBecause);
        } else if (replacements.replace(dead, "rank " + dead + " is dead", System.nanoTime())) {
            tickWhenDue();
        }
    }

    private void tickWhenDue() {
        long dueNs = replacements.deadlineNs();
        if (dueNs != Long.MAX_VALUE) {
            long afterMs = TimeUnit.NANOSECONDS.toMillis(Math.max(0, dueNs - System.nanoTime()));
            later(afterMs + START_MS, () -> {
                replacements.tick(System.nanoTime());
                tickWhenDue();
            });
        }
    }

    private void close(String why) {
        closedBecause = closedBecause == null ? why : closedBecause;
        sendAway(world.waiting(), why);
        world.close();
    }

    @Override
    public void announce(ProcessId next) {
        world.follows(next);
    }

    @Override
    public void assign(int spare, ProcessId next) {
        throw new IllegalStateException("there are no spares");
    }

    @Override
    public void refuse(int slot, String why) {
        world.noMore(slot, why);
        for (LocalRank process : job.processes()) {
            process.runtime().onNoMore(slot, why);
        }
    }

    @Override
    public void say(String line) {
        // The result says how each process ended.
    }

    @Override
    public void start(ProcessId id) {
        if (isGone || !isAnyMemberAlive()) {
            return;
        }
        MemberRecord me = KnownWorld.record(id, ++nonces);
        LocalRank newcomer = job.start(me, world.members());
        for (MemberRecord other : world.pending()) {
            newcomer.runtime().onPending(other);
        }
        world.noMore().forEach((slot, why) -> newcomer.runtime().onNoMore(slot, why));
        world.joined(me);
        for (LocalRank process : job.processes()) {
            if (process != newcomer && !process.hasEnded()) {
                process.runtime().onPending(me);
            }
        }
    }

    private void sendAway(List<ProcessId> superfluous, String why) {
        for (ProcessId id : superfluous) {
            job.rank(id.slot()).runtime().onGoneOnWithout(why);
        }
    }

    /** Where no rank is left that could admit them, newcomers wait in vain. */
    private void lookForMembers() {
        if (!world.pending().isEmpty() && !isAnyMemberAlive()) {
            later(FORSAKEN_MS, () -> {
                if (!isAnyMemberAlive()) {
                    close("no rank is left in the world");
                }
            });
        }
    }

    private boolean isAnyMemberAlive() {
        for (LocalRank process : job.processes()) {
            if (process.isMember() && !process.hasEnded()) {
                return true;
            }
        }
        return false;
    }

    /** Any thread. The run is not over before it is done. */
    private void later(long afterMs, Runnable task) {
        job.begin();
        try {
            thread.schedule(
                    () -> {
                        try {
                            task.run();
                        } finally {
                            job.done();
                        }
                    },
                    afterMs,
                    TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException jobIsOver) {
            // All ranks have ended: there is no rank left to be told.
            job.done();
        }
    }

    /** Does nothing more. */
    void shutdown() {
        for (Runnable dropped : thread.shutdownNow()) {
            if (dropped != step) {
                job.done();
            }
        }
    }
}
