package org.ulfmj.testkit;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.message.RendezvousMessage;
import org.ulfmj.testkit.launcher.RankLine;
import org.ulfmj.testkit.launcher.WorldLauncher;
import org.ulfmj.transport.MemberRecord;

/**
 * The {@link WorldLauncher} of a {@link LocalJob}. Once the lines of the first world are made, its work is done on one
 * thread of this class. Methods that the threads of ranks call only leave a task for that thread.
 */
final class LocalLauncher implements WorldLauncher.Effects {
    /** How long a process that replaces a dead one, or joins, takes from its start until it joins. */
    private static final long START_NS = 5_000_000;

    private final LocalJob job;
    private final boolean deathsAreTold;
    private final WorldLauncher world;
    private final ScheduledThreadPoolExecutor thread;
    private final CompletableFuture<Void> gathered = new CompletableFuture<>();

    /** The next tick; null if none is planned. The end of a run does not wait for it. */
    private volatile Future<?> tick;

    private long tickNs = Long.MAX_VALUE;
    private boolean isGone;

    LocalLauncher(LocalJob job, LocalPlan plan) {
        this.job = job;
        this.deathsAreTold = plan.deathsAreTold();
        this.world = new WorldLauncher(
                plan.ranks(),
                plan.joiners(),
                plan.restarts(),
                plan.settings().timing().detectorTimeoutNs(),
                plan.hosts(),
                this);
        this.thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread launcher = new Thread(task, "local-world-launcher");
            launcher.setDaemon(true);
            return launcher;
        });
        thread.setRemoveOnCancelPolicy(true);
    }

    /** Makes the line of a process of the first world. To be called before {@link #gather}. */
    RankLine line(ProcessId process) {
        return world.line(process);
    }

    /** Lets the processes of the first world join. Returns when they are a world. */
    void gather() {
        soon(world::gather);
        gathered.join();
    }

    @Override
    public long nowNs() {
        return System.nanoTime();
    }

    @Override
    public long startNs() {
        return START_NS;
    }

    @Override
    public void toLauncher(RankLine line, RendezvousMessage message) {
        schedule(0, () -> {
            world.hear(line, message);
            if (world.isGathered()) {
                gathered.complete(null);
            }
        });
    }

    @Override
    public void toProcess(RankLine line, RendezvousMessage message) {
        if (line.take(message) && !isGone) {
            job.start(line);
        }
    }

    void onDeath(LocalRank dead, RankOutcome outcome) {
        schedule(0, () -> {
            dead.runtime().kill(new RankKilledError("rank " + dead.id() + " is dead: " + outcome));
            if (deathsAreTold) {
                // The launcher proves a death even after it has ended itself, as a broken connection would prove it.
                world.prove(dead.line(), "its thread ended: " + outcome);
            }
        });
    }

    void onDeparted(LocalRank departed) {
        soon(() -> world.departed(departed.line()));
    }

    void onStayedOut(LocalRank newcomer, String why) {
        schedule(0, () -> {
            newcomer.runtime().kill(new RankKilledError("rank " + newcomer.id() + ": " + why));
            world.stayedOut(newcomer.line(), why);
        });
    }

    /**
     * A rank calls a process that joined without a rank. May be called by any thread, also under the lock of an engine.
     */
    void onGreeted(ProcessId by, MemberRecord called) {
        schedule(0, () -> job.greet(by, world.lineOf(called.nonce()), called.id()));
    }

    void onAbort(List<LocalRank> ended, String reason) {
        schedule(0, () -> {
            isGone = true;
            for (LocalRank process : ended) {
                process.runtime().kill(new RankKilledError("the job was aborted: " + reason));
            }
        });
    }

    /** Ends the launcher itself: it starts no process any more. The ranks that have not ended are told so. */
    void die() {
        soon(() -> {
            isGone = true;
            for (LocalRank process : job.processes()) {
                if (!process.hasEnded()) {
                    process.line().onLauncherLost("the launcher is gone");
                    if (process.line().isPending()) {
                        process.runtime().news().onGoneOnWithout("the launcher is gone");
                    }
                }
            }
        });
    }

    @Override
    public void endSilent(ProcessId process, String reason) {
        soon(() -> {
            for (LocalRank silent : job.processes()) {
                if (silent.id().equals(process)) {
                    job.die(silent, new RankOutcome(RankEnd.SILENCED, null, reason));
                }
            }
            if (!deathsAreTold) {
                world.prove(process, reason);
            }
        });
    }

    @Override
    public void later(long afterNs, Runnable task) {
        schedule(afterNs, () -> {
            if (!isGone) {
                task.run();
            }
        });
    }

    private void soon(Runnable task) {
        later(0, task);
    }

    /**
     * Leaves a task for the launcher's thread. The run waits, within its time, until the task is done. May be called by
     * any thread.
     */
    private void schedule(long afterNs, Runnable task) {
        job.begin();
        try {
            thread.schedule(
                    () -> {
                        try {
                            task.run();
                            planTick();
                        } finally {
                            job.done();
                        }
                    },
                    afterNs,
                    TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException jobIsOver) {
            // The task will not be done, since this thread was stopped. So it is counted as done.
            job.done();
        }
    }

    private void planTick() {
        long dueNs = world.nextDeadlineNs();
        if (isGone || dueNs >= tickNs) {
            return;
        }
        if (tick != null) {
            tick.cancel(false);
        }
        tickNs = dueNs;
        try {
            tick = thread.schedule(this::tick, Math.max(0, dueNs - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException jobIsOver) {
            // No tick is planned, since this thread was stopped.
        }
    }

    private void tick() {
        tick = null;
        tickNs = Long.MAX_VALUE;
        if (!isGone) {
            world.tick();
            planTick();
        }
    }

    /** Stops the launcher's thread. Tasks that wait are dropped and counted as done. */
    void shutdown() {
        for (Runnable dropped : thread.shutdownNow()) {
            if (dropped != tick) {
                job.done();
            }
        }
    }
}
