package org.ulfmj.testkit.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.rendezvous.replacement.ReplacementTerms;
import org.ulfmj.rendezvous.replacement.Replacements;
import org.ulfmj.sim.SeededRandom;
import org.ulfmj.transport.MemberRecord;

/**
 * The part of a {@link SimLauncher} that starts processes in the place of dead ones: when a new one is there, who hears
 * of it when, and who hears that there will be none. What the launcher is told by the members takes time too. Needs the
 * baton.
 */
final class Newcomers implements Replacements.Effects {
    /** A newcomer that is not admitted within this time after the launcher is gone gives up. */
    private static final long JOIN_NS = 30_000_000_000L;

    private final SimJob job;
    private final SimLauncher launcher;
    private final int most;
    private final KnownWorld world;
    private final Replacements replacements;
    private final SeededRandom chance;
    /** Between a death and the moment when another process is there, at most: some wait ready, some are far. */
    private final long startNs;

    private final SimProfile.Arrival afterLauncher;
    private final long silenceNs;
    /** Why no process is started any more; null before. */
    private String closedBecause;
    /**
     * To be started as soon as a member lives again: one may be on its way into the world that the last ones decided
     * on.
     */
    private final SortedSet<ProcessId> held = new TreeSet<>();

    Newcomers(SimJob job, SimLauncher launcher, SimPlan plan, SeededRandom chance) {
        this.job = job;
        this.launcher = launcher;
        this.most = plan.restarts();
        this.world = new KnownWorld(plan.ranks());
        this.replacements = new Replacements(
                new ReplacementTerms(plan.ranks(), most, 0, "restarting(" + most + ")", "no restarts were asked for"),
                this);
        this.chance = chance;
        this.startNs = chance.pick(1_000, 100_000, 10_000_000, 1_000_000_000, 20_000_000_000L);
        this.afterLauncher = SimProfile.Arrival.values()[chance.below(SimProfile.Arrival.values().length)];
        this.silenceNs = 2 * plan.settings().timing().detectorTimeoutNs();
    }

    /** Whether dead processes are replaced at all. */
    boolean areStarted() {
        return most > 0;
    }

    /** The launcher knows of the death. */
    void onDeath(SimRank dead) {
        if (!launcher.hasEnded()) {
            later(0, () -> replace(dead));
            onEnd(dead);
        }
    }

    private void replace(SimRank dead) {
        if (launcher.hasEnded()) {
            return;
        }
        if (!world.ended(dead.id())) {
            return;
        }
        if (closedBecause != null) {
            replacements.giveUp(dead.slot(), closedBecause);
        } else if (replacements.replace(dead.id(), "rank " + dead.id() + " is dead", job.nowNs())) {
            tickWhenDue();
        }
    }

    private void tickWhenDue() {
        long dueNs = replacements.deadlineNs();
        if (dueNs != Long.MAX_VALUE) {
            later(Math.max(0, dueNs - job.nowNs()), () -> {
                replacements.tick(job.nowNs());
                tickWhenDue();
            });
        }
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
    public void start(ProcessId next) {
        later(chance.anyMagnitude(startNs), () -> begin(next));
    }

    @Override
    public void refuse(int slot, String why) {
        world.noMore(slot, why);
        if (most > 0) {
            for (SimRank process : job.processes()) {
                launcher.tell(process, () -> process.runtime().onNoMore(slot, why), "no more", ProcessId.of(slot));
            }
        }
    }

    @Override
    public void say(String line) {
        // The result says how each process ended.
    }

    /** What is said of a dead process along with its death, where no rank is ever started. */
    void onTold(SimRank observer, ProcessId dead) {
        if (most == 0) {
            observer.runtime().onNoMore(dead.slot(), "no restarts were asked for");
        }
    }

    private void begin(ProcessId id) {
        if (launcher.hasEnded() || job.isOver()) {
            return;
        }
        if (!isAnyMemberAlive()) {
            held.add(id);
            return;
        }
        MemberRecord me = KnownWorld.record(id, chance.between(1, Long.MAX_VALUE - 1));
        SimRank newcomer = job.start(me, world.members());
        for (MemberRecord other : world.pending()) {
            launcher.tell(newcomer, () -> newcomer.runtime().onPending(other), "waits", other.id());
        }
        world.noMore()
                .forEach((slot, why) -> launcher.tell(
                        newcomer, () -> newcomer.runtime().onNoMore(slot, why), "no more", ProcessId.of(slot)));
        world.joined(me);
        for (SimRank process : job.processes()) {
            if (process != newcomer) {
                launcher.tell(process, () -> process.runtime().onPending(me), "waits", id);
            }
        }
    }

    /** A process says what world it is in, and the launcher hears of it. */
    void onAdmitted(long epoch, List<MemberRecord> members) {
        later(chance.anyMagnitude(job.profile().newsNs()), () -> {
            if (!launcher.hasEnded()) {
                sendAway(world.committed(epoch, members), "others hold all places in epoch " + epoch);
                startHeld();
            }
        });
    }

    private void startHeld() {
        List<ProcessId> now = List.copyOf(held);
        held.clear();
        for (ProcessId id : now) {
            begin(id);
        }
    }

    /** A process leaves for good, and so do all others. */
    void onGoodbye() {
        if (most > 0) {
            later(chance.anyMagnitude(job.profile().newsNs()), () -> {
                if (!launcher.hasEnded()) {
                    close(world.waiting(), "the world is finalized");
                }
            });
        }
    }

    /** Where no rank is left that could admit them, newcomers wait in vain. */
    void onEnd(SimRank process) {
        world.ended(process.id());
        if (most > 0 && !isAnyMemberAlive()) {
            // What it has sent may still come, and a newcomer that is told so is a member.
            later(2 * job.profile().newsNs() + silenceNs, () -> {
                if (!launcher.hasEnded() && !isAnyMemberAlive()) {
                    close(waiting(), "no rank is left in the world");
                }
            });
        }
    }

    /** Roll call: also those that a member has admitted which died before it could tell them. */
    private List<ProcessId> waiting() {
        List<ProcessId> waiting = new ArrayList<>();
        for (SimRank process : job.processes()) {
            if (!process.isMember() && !process.hasEnded()) {
                waiting.add(process.id());
            }
        }
        return waiting;
    }

    private boolean isAnyMemberAlive() {
        for (SimRank process : job.processes()) {
            if (process.isMember() && !process.hasEnded()) {
                return true;
            }
        }
        return false;
    }

    private void close(List<ProcessId> superfluous, String why) {
        closedBecause = closedBecause == null ? why : closedBecause;
        world.close();
        sendAway(superfluous, why);
    }

    private void sendAway(List<ProcessId> superfluous, String why) {
        for (ProcessId id : superfluous) {
            SimRank newcomer = job.process(id);
            launcher.tell(newcomer, () -> newcomer.runtime().onGoneOnWithout(why), "is not needed", id);
        }
    }

    /** Every rank notices that the launcher is gone, each after what still comes of it. */
    void onLauncherEnd() {
        for (SimRank process : job.processes()) {
            process.loseLauncherAt(
                    switch (afterLauncher) {
                        case ALL -> Math.max(job.nowNs(), process.lastNewsNs());
                        case NONE -> job.nowNs();
                        case SOME ->
                            job.nowNs() + chance.anyMagnitude(job.profile().newsNs());
                    });
            long noticedNs = process.launcherLostNs()
                    - job.nowNs()
                    + chance.anyMagnitude(job.profile().newsNs());
            later(noticedNs, () -> noticeEnd(process));
        }
    }

    private void noticeEnd(SimRank process) {
        if (process.hasEnded()) {
            return;
        }
        process.runtime().onNobodyMore("the launcher is gone");
        process.poll();
        if (!process.isMember()) {
            later(JOIN_NS, () -> {
                if (!process.hasEnded() && !process.isMember()) {
                    process.runtime().onGoneOnWithout("nobody has admitted it and the launcher is gone");
                    process.poll();
                }
            });
        }
    }

    /** Whether a dead process still shows, to those who hold a connection to it, when there is no launcher. */
    boolean showWithoutLauncher() {
        return afterLauncher != SimProfile.Arrival.NONE;
    }

    private void later(long afterNs, Runnable event) {
        job.disturbedUntil(job.nowNs() + afterNs);
        job.at(job.nowNs() + afterNs, event);
    }
}
