package org.ulfmj.sim;

import java.util.ArrayDeque;
import org.ulfmj.protocol.Outbox;
import org.ulfmj.protocol.Protocol;

/**
 * One process: feeds a protocol with input and timers in virtual time, and can be crashed (also between two sends of
 * one step), paused, or ended in another way ({@link End}).
 *
 * <p>Every process has a separate clock, ahead of virtual time by a seeded constant, so that the simulation can show
 * the fault of a protocol that compares times of two processes.
 *
 * @param <A> address
 * @param <M> message
 */
public final class SimProcess<A, M> {
    private static final long MAX_CLOCK_OFFSET_NS = 1_000_000_000_000L;
    /** The largest lateness of a timer. */
    public static final long MAX_TIMER_LATENESS_NS = 2_000_000;

    private static final long NOT_ARMED = -1;

    /** How a process ended. */
    public enum End {
        CRASHED,
        /** The process did not crash, but had to end, for example because it was marked failed. */
        FENCED,
        /** The process left, for example after its goodbye or because it was not let in. */
        LEFT
    }

    /** One step of the protocol; its messages go out in the order of the sends. */
    @FunctionalInterface
    public interface Step<A, M> {
        void run(long nowNs, Outbox<A, M> out);
    }

    private final Simulation world;
    private final int node;
    private final VirtualNetwork<A, M> network;
    private final SeededRandom random;
    private final long clockOffsetNs;
    private final ArrayDeque<Runnable> heldInput = new ArrayDeque<>();
    private final CuttingOutbox outbox = new CuttingOutbox();
    private Protocol<A, M> protocol;
    private Runnable afterStep = () -> {};
    private Runnable onEnd = () -> {};
    private End end;
    private boolean paused;
    private boolean crashNextStep;
    private long sendsUntilCrash = NOT_ARMED;
    private int crashSort = FaultPlan.ANY;
    private long timerNs = Long.MAX_VALUE;
    private long callsFromNs;

    public SimProcess(Simulation world, int node, VirtualNetwork<A, M> network) {
        this.world = world;
        this.node = node;
        this.network = network;
        this.random = world.random("process " + node);
        this.clockOffsetNs = random.between(0, MAX_CLOCK_OFFSET_NS);
        network.attach(node, this::receive);
        world.add(this);
    }

    /**
     * Begins to drive a protocol: runs its first step, then hands it the input that has arrived already. Input that
     * comes before the start waits. A paused process starts when it resumes; one that has ended does not.
     */
    public void start(Protocol<A, M> driven, Step<A, M> firstStep) {
        if (end != null) {
            return;
        }
        if (paused) {
            heldInput.addFirst(() -> start(driven, firstStep));
            return;
        }
        protocol = driven;
        input("start", EventLog.NO_PROCESS, null, firstStep);
        takeHeldInput();
    }

    /** Sets what runs after each step that the process survived: the place to act on what the protocol asked for. */
    public void afterStep(Runnable afterStep) {
        this.afterStep = afterStep;
    }

    /** Sets what runs once when the process has ended, as a crash, by fencing or by leaving. */
    public void onEnd(Runnable onEnd) {
        this.onEnd = onEnd;
    }

    public int node() {
        return node;
    }

    public boolean isRunning() {
        return end == null;
    }

    public boolean isPaused() {
        return paused && end == null;
    }

    /** Returns how the process ended; null while it runs. */
    public End end() {
        return end;
    }

    /** Returns the time of the process's clock. */
    public long clockNs() {
        return world.nowNs() + clockOffsetNs;
    }

    /** Crashes now. */
    public void crash() {
        end(End.CRASHED);
    }

    /**
     * Makes the process crash after this many more sends of foreground messages, also in the middle of a step; 0 means
     * at the end of the next step.
     */
    public void crashAfterSends(int sends) {
        crashAfterSends(sends, FaultPlan.ANY);
    }

    /**
     * Makes the process crash after this many more sends of foreground messages of one sort, or of any sort with
     * {@link FaultPlan#ANY}; 0 means at the end of the next step.
     */
    public void crashAfterSends(int sends, int sort) {
        if (sends == 0) {
            crashNextStep = true;
        } else {
            sendsUntilCrash = sends;
            crashSort = sort;
        }
    }

    /** Schedules a planned crash. */
    public void plan(FaultPlan.Crash planned) {
        if (planned.afterSends() == FaultPlan.NEVER) {
            world.faultAt(planned.atNs(), this::crash);
        } else {
            world.faultAt(planned.atNs(), () -> crashAfterSends(planned.afterSends(), planned.sort()));
        }
    }

    /**
     * Pauses the process for a time: it handles neither input nor timers until it resumes. Does nothing if the process
     * is paused already or has ended.
     */
    public void pause(long durationNs) {
        if (end != null || paused) {
            return;
        }
        paused = true;
        world.log().add(world.nowNs(), node, "pause", EventLog.NO_PROCESS, durationNs / 1_000_000 + " ms");
        world.at(world.nowNs() + durationNs, this::resume);
    }

    /** Sets {@link #callsFromNs}: the program is to call nothing for this time, and the process itself goes on. */
    public void slowDown(long durationNs) {
        world.log().add(world.nowNs(), node, "dawdles", EventLog.NO_PROCESS, durationNs / 1_000_000 + " ms");
        callsFromNs = world.nowNs() + durationNs;
        world.faultAt(callsFromNs, () -> {});
    }

    /** Returns when the program of the process may call something again. */
    public long callsFromNs() {
        return callsFromNs;
    }

    /**
     * Cuts the link to another process, in one direction; the duration {@link FaultPlan#FOR_EVER} means that the cut
     * never heals.
     */
    public void cutLinkTo(int other, long durationNs) {
        if (durationNs == FaultPlan.FOR_EVER) {
            world.log().add(world.nowNs(), node, "cut off", other, null);
            network.cut(node, other);
        } else {
            world.log().add(world.nowNs(), node, "cut", other, durationNs / 1_000_000 + " ms");
            network.hold(node, other, world.nowNs() + durationNs);
            world.faultAt(world.nowNs() + durationNs, () -> {});
        }
    }

    /** Ends the process in the given way ({@code how}). A paused process ends as soon as it resumes. */
    public void endWhenAwake(End how) {
        if (paused && end == null) {
            heldInput.addFirst(() -> endWhenAwake(how));
        } else {
            end(how);
        }
    }

    /** Ends the process in the given way ({@code how}), at once. Messages that it had on their way may be lost. */
    public void end(End how) {
        if (end != null) {
            return;
        }
        end = how;
        world.caused();
        heldInput.clear();
        world.log().add(world.nowNs(), node, "end", EventLog.NO_PROCESS, how);
        network.detach(node);
        network.loseTails(node);
        onEnd.run();
    }

    /**
     * Gives the process an input that is no message, for example news from a launcher or a call of the program. The
     * input waits while the process is paused or not started, and is dropped if the process has ended.
     */
    public void input(String verb, int other, Object detail, Step<A, M> step) {
        if (end != null) {
            return;
        }
        if (paused || protocol == null) {
            heldInput.add(() -> input(verb, other, detail, step));
            return;
        }
        world.log().add(world.nowNs(), node, verb, other, detail);
        world.caused();
        run(step);
    }

    /**
     * Does work of the process that is neither an input nor a message, for example work of its transport. The work
     * waits while the process is paused or not started, and is dropped if the process has ended.
     */
    public void work(Runnable work) {
        if (end != null) {
            return;
        }
        if (paused || protocol == null) {
            heldInput.add(() -> work(work));
            return;
        }
        work.run();
    }

    private void receive(A from, M message) {
        if (paused || protocol == null) {
            heldInput.add(() -> receive(from, message));
            return;
        }
        int sender = network.nodeOf(from);
        if (network.isBackground(message)) {
            world.log().addUnread(world.nowNs(), node, sender, 0);
        } else {
            world.stirred();
            world.log().add(world.nowNs(), node, "gets", sender, message, network.digest(message));
        }
        run((nowNs, out) -> protocol.onMessage(from, message, nowNs, out));
    }

    private void resume() {
        if (end != null) {
            return;
        }
        paused = false;
        world.caused();
        world.log().add(world.nowNs(), node, "resume", EventLog.NO_PROCESS, null);
        takeHeldInput();
        armTimer();
    }

    private void takeHeldInput() {
        for (int held = heldInput.size(); held > 0 && end == null && !paused && !heldInput.isEmpty(); held--) {
            heldInput.poll().run();
        }
    }

    private void run(Step<A, M> step) {
        outbox.open();
        step.run(clockNs(), outbox);
        if (outbox.isCut() || crashNextStep) {
            end(End.CRASHED);
            return;
        }
        afterStep.run();
        if (end == null) {
            armTimer();
        }
        world.stepped(this);
    }

    private void armTimer() {
        if (protocol == null || end != null) {
            return;
        }
        long deadlineNs = protocol.nextDeadlineNs();
        if (deadlineNs == Long.MAX_VALUE) {
            timerNs = Long.MAX_VALUE;
            return;
        }
        long dueNs = deadlineNs <= clockNs() ? world.nowNs() : deadlineNs - clockOffsetNs;
        if (timerNs > world.nowNs() && timerNs <= dueNs + MAX_TIMER_LATENESS_NS) {
            return;
        }
        timerNs = dueNs + random.below((int) MAX_TIMER_LATENESS_NS);
        long armedNs = timerNs;
        world.timerAt(armedNs, () -> onTimer(armedNs));
    }

    private void onTimer(long armedNs) {
        if (end != null || paused || armedNs != timerNs) {
            return;
        }
        timerNs = Long.MAX_VALUE;
        if (protocol.nextDeadlineNs() > clockNs()) {
            armTimer();
            return;
        }
        run(protocol::onTick);
    }

    @Override
    public String toString() {
        return "process " + node + (end == null ? "" : " (" + end + ")");
    }

    /** Hands sends to the network until the planned crash cuts it off. */
    private final class CuttingOutbox implements Outbox<A, M> {
        private boolean cut;

        void open() {
            cut = false;
        }

        boolean isCut() {
            return cut;
        }

        private boolean isCounted(M message) {
            return !network.isBackground(message)
                    && (crashSort == FaultPlan.ANY || crashSort == network.sortOf(message));
        }

        @Override
        public void send(A to, M message) {
            if (cut) {
                return;
            }
            network.send(node, to, message);
            if (sendsUntilCrash > 0 && isCounted(message) && --sendsUntilCrash == 0) {
                cut = true;
            }
        }
    }
}
