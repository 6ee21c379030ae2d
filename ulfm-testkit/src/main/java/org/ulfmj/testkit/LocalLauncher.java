package org.ulfmj.testkit;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.SlotSet;
import org.ulfmj.rendezvous.OutReason;
import org.ulfmj.rendezvous.RendezvousCore;
import org.ulfmj.rendezvous.RendezvousMessage;
import org.ulfmj.rendezvous.RunSpec;
import org.ulfmj.rendezvous.ServerListener;
import org.ulfmj.rendezvous.replacement.ReplacementTerms;
import org.ulfmj.rendezvous.replacement.Replacements;

/**
 * The launcher of processes that are threads. What it tells them, whom it judges silent and whom it starts in the place
 * of a dead one is decided by the classes that {@code mpiexec} ships: {@link RendezvousCore} and {@link Replacements}.
 * All of it happens on its own thread, because deaths are noticed under the lock of an engine; what is called by others
 * only leaves it a task.
 */
final class LocalLauncher implements Replacements.Effects, ServerListener {
    private static final long AT_ONCE_MS = 0;
    /** As long as a process takes that was ready and waited. */
    private static final long START_MS = 5;

    private static final long JOIN_NS = 30_000_000_000L;
    private static final long CONFIRM_NS = 10_000_000_000L;

    private final LocalJob job;
    private final boolean deathsAreTold;
    private final RendezvousCore core;
    private final Replacements replacements;
    private final ScheduledThreadPoolExecutor thread;
    private final CompletableFuture<Void> gathered = new CompletableFuture<>();

    /** By nonce, of all processes that ever joined. Written by the job before its ranks begin, then on this thread. */
    private final Map<Long, LocalLine> lines = new TreeMap<>();

    /** By slot: the incarnation that was started, or is to be started, last. */
    private final int[] latest;

    private final Outbox<Long, RendezvousMessage> out = this::deliver;

    /** The next one of the core's, for which no run waits; null if none is planned. */
    private volatile Future<?> step;

    private long stepNs = Long.MAX_VALUE;
    private boolean isGone;
    /** Why no process is started any more; null before. */
    private String closedBecause;

    LocalLauncher(LocalJob job, LocalPlan plan) {
        int most = plan.restarts();
        this.job = job;
        this.deathsAreTold = plan.deathsAreTold();
        this.latest = new int[plan.ranks()];
        this.core = new RendezvousCore(
                new RunSpec(
                        "local",
                        plan.ranks(),
                        0,
                        JOIN_NS,
                        CONFIRM_NS,
                        true,
                        plan.settings().timing().detectorTimeoutNs()),
                this);
        this.replacements = new Replacements(
                new ReplacementTerms(plan.ranks(), most, 0, "restarting(" + most + ")", "no restarts were asked for"),
                this);
        this.thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread launcher = new Thread(task, "local-world-launcher");
            launcher.setDaemon(true);
            return launcher;
        });
        thread.setRemoveOnCancelPolicy(true);
    }

    /** The line of another process. */
    LocalLine line(ProcessId process) {
        long nonce = lines.size() + 1L;
        LocalLine line = new LocalLine(process, nonce, this);
        lines.put(nonce, line);
        return line;
    }

    /** All first processes join; returns when they are a world. */
    void gather() {
        later(AT_ONCE_MS, () -> {
            for (LocalLine line : lines.values()) {
                line.join();
            }
        });
        gathered.join();
    }

    /** The word of a process. Any thread. */
    void hear(long nonce, RendezvousMessage message) {
        later(AT_ONCE_MS, () -> core.onMessage(nonce, message, System.nanoTime(), out));
    }

    private void deliver(long nonce, RendezvousMessage message) {
        LocalLine line = lines.get(nonce);
        if (line.take(message) && !isGone) {
            job.start(line);
        }
    }

    void onDeath(LocalRank dead, RankOutcome outcome) {
        later(AT_ONCE_MS, () -> {
            dead.runtime().kill(new RankKilledError("rank " + dead.id() + " is dead: " + outcome));
            if (deathsAreTold) {
                prove(dead.id(), "its thread ended: " + outcome);
            }
        });
    }

    /** The end of a process is known. On this thread. */
    private void prove(ProcessId dead, String reason) {
        core.onEnded(dead, reason, System.nanoTime(), out);
        if (isGone || dead.incarnation() < latest[dead.slot()]) {
            return;
        }
        if (closedBecause != null) {
            replacements.giveUp(dead.slot(), closedBecause);
        } else if (replacements.replace(dead, "rank " + dead + " is dead", System.nanoTime())) {
            tickWhenDue();
        }
    }

    /** The launcher answers for it from now on. */
    void onDeparted(LocalRank departed) {
        unlessGone(() -> core.onDeparted(departed.id(), System.nanoTime(), out));
    }

    void onStayedOut(LocalRank newcomer, String why) {
        later(AT_ONCE_MS, () -> {
            newcomer.runtime().kill(new RankKilledError("rank " + newcomer.id() + ": " + why));
            core.onEnded(newcomer.id(), why, System.nanoTime(), out);
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

    /** The launcher itself dies: no rank is started any more. Deaths still show, as at a connection that breaks. */
    void die() {
        later(AT_ONCE_MS, () -> {
            isGone = true;
            for (LocalRank process : job.processes()) {
                if (!process.hasEnded()) {
                    process.line().onLauncherLost("the launcher is gone");
                }
            }
        });
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

    @Override
    public void announce(ProcessId next) {
        latest[next.slot()] = next.incarnation();
        core.onRestartAllowed(next);
    }

    @Override
    public void assign(int spare, ProcessId next) {
        throw new IllegalStateException("there are no spares");
    }

    @Override
    public void refuse(int slot, String why) {
        core.onNoMore(slot, why, System.nanoTime(), out);
    }

    @Override
    public void say(String line) {
        // The result says how each process ended.
    }

    @Override
    public void start(ProcessId id) {
        if (!isGone) {
            line(id).join();
        }
    }

    @Override
    public void onFinal() {
        gathered.complete(null);
    }

    @Override
    public void onGoodbye(ProcessId process, SlotSet heldForFailed) {
        closedBecause = "the world is finalized";
    }

    @Override
    public void onSilent(ProcessId process, String reason) {
        unlessGone(() -> {
            for (LocalRank silent : job.processes()) {
                if (silent.id().equals(process)) {
                    job.die(silent, new RankOutcome(RankEnd.SILENCED, null, reason));
                }
            }
            if (!deathsAreTold) {
                prove(process, reason);
            }
        });
    }

    /** Threads have no state that a signal does not end. */
    @Override
    public void onGivenUp(ProcessId process, String reason) {
        throw new IllegalStateException("the end of rank " + process + " is never proven: " + reason);
    }

    @Override
    public void onJoined(ProcessId process) {}

    @Override
    public void onClosed(OutReason reason, String text) {
        closedBecause = text;
    }

    @Override
    public void onReached(ProcessId process, int rule) {}

    @Override
    public void onFenced(ProcessId process, String reason) {}

    @Override
    public void onAbort(ProcessId by, int code, String reason) {}

    @Override
    public void onBroken(Throwable cause) {}

    private void unlessGone(Runnable task) {
        later(AT_ONCE_MS, () -> {
            if (!isGone) {
                task.run();
            }
        });
    }

    /** Any thread. The run is not over before it is done. */
    private void later(long afterMs, Runnable task) {
        job.begin();
        try {
            thread.schedule(
                    () -> {
                        try {
                            task.run();
                            planStep();
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

    private void planStep() {
        long dueNs = core.nextDeadlineNs();
        if (isGone || dueNs >= stepNs) {
            return;
        }
        if (step != null) {
            step.cancel(false);
        }
        stepNs = dueNs;
        try {
            step = thread.schedule(this::step, Math.max(0, dueNs - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException jobIsOver) {
            // No rank is left who could fall silent.
        }
    }

    private void step() {
        step = null;
        stepNs = Long.MAX_VALUE;
        if (!isGone) {
            core.onTick(System.nanoTime(), out);
            planStep();
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
