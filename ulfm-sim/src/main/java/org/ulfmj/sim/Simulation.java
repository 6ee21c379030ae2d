package org.ulfmj.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.function.IntToLongFunction;

/**
 * One world of one schedule: its clock, its events, its processes and what must hold in it. Single-threaded; everything
 * in it follows from (scenario, ranks, seed, edits).
 */
public final class Simulation {
    private static final long WATCH_PERIOD_NS = 100_000_000;

    /**
     * Whether a class of invariants overrides {@link Invariant#afterStep}. Invariants of other classes are not called
     * after each step, which would be millions of calls for nothing.
     */
    private static final ClassValue<Boolean> LOOKS_AT_STEPS = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            try {
                return type.getMethod("afterStep", SimProcess.class).getDeclaringClass() != Invariant.class;
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException(type + " is no invariant", e);
            }
        }
    };

    /**
     * An invariant with a separate bound: the time after the last event that {@link #caused} noted within which its
     * {@link Invariant#open} must become null, by the number of processes that have ended.
     */
    private record Timed(Invariant invariant, IntToLongFunction bound) {}

    private final long seed;
    private final int ranks;
    private final Edits edits;
    private final List<String> planned = new ArrayList<>();
    private final EventLog log;
    private final EventQueue queue = new EventQueue();
    private final List<SimProcess<?, ?>> processes = new ArrayList<>();
    private final List<VirtualNetwork<?, ?>> networks = new ArrayList<>();
    private final List<Invariant> invariants = new ArrayList<>();
    private final List<Invariant> stepInvariants = new ArrayList<>();
    private final List<Timed> timedInvariants = new ArrayList<>();
    private final SortedSet<String> covered = new TreeSet<>();
    private long limitNs = 60_000_000_000L;
    private IntToLongFunction bound = failures -> Long.MAX_VALUE / 2;
    private long lastCauseNs;
    private long lastStirNs;
    private int pendingFaults;
    private int plannedItems;

    public Simulation(long seed, int ranks, EventLog log) {
        this(seed, ranks, Edits.NONE, log);
    }

    private Simulation(long seed, int ranks, Edits edits, EventLog log) {
        this.seed = seed;
        this.ranks = ranks;
        this.edits = edits;
        this.log = log;
    }

    /**
     * Runs one schedule to its end. A violation, a runtime exception or a stack overflow in it is not thrown, but is in
     * the outcome.
     */
    static Outcome run(Schedule schedule, EventLog log) {
        Simulation world = new Simulation(schedule.seed(), schedule.ranks(), schedule.edits(), log);
        Violation violation = null;
        try {
            schedule.scenario().build(world);
            world.runToEnd();
        } catch (Violation v) {
            violation = v;
        } catch (RuntimeException | StackOverflowError e) {
            violation = new Violation("a step threw " + e, e);
        }
        double boundUsed = (double) (world.lastStirNs - world.lastCauseNs) / world.boundNs();
        return new Outcome(
                violation,
                log.hash(),
                log.count(),
                world.nowNs(),
                boundUsed,
                world.covered,
                world.plannedItems,
                world.planned);
    }

    /**
     * Numbers an item of the plan and says whether this schedule has it. An item is a fault, or anything else that
     * makes the world less plain; a schedule can be made smaller by leaving items out. Items are numbered from 1 in the
     * order of these calls. A caller draws the item before it calls this, and leaves it out if the answer is false.
     *
     * @param item its text says what it is; made only if the log is readable
     * @return whether this schedule has the item
     */
    public boolean plans(Object item) {
        boolean kept = !edits.without().contains(++plannedItems);
        if (log.isReadable()) {
            planned.add(String.format(Locale.ROOT, "%3d %s %s", plannedItems, kept ? " " : "-", item));
        }
        return kept;
    }

    public long seed() {
        return seed;
    }

    public int ranks() {
        return ranks;
    }

    public long nowNs() {
        return queue.nowNs();
    }

    public EventLog log() {
        return log;
    }

    /** Returns a source of chance for one concern, the same in every run of the seed. */
    public SeededRandom random(String concern) {
        return SeededRandom.of(seed, concern);
    }

    /** Schedules an event from outside. */
    public void at(long timeNs, Runnable event) {
        queue.at(timeNs, EventQueue.Order.INPUT, event);
    }

    /** Schedules a timer of a process. It runs after the inputs that are scheduled for its instant before it runs. */
    void timerAt(long timeNs, Runnable event) {
        queue.at(timeNs, EventQueue.Order.TIMER, event);
    }

    /** Schedules a planned fault. The schedule does not end before the fault has happened. */
    public void faultAt(long timeNs, Runnable fault) {
        pendingFaults++;
        at(timeNs, () -> {
            pendingFaults--;
            caused();
            fault.run();
        });
    }

    public void must(Invariant invariant) {
        invariants.add(invariant);
        if (LOOKS_AT_STEPS.get(invariant.getClass())) {
            stepInvariants.add(invariant);
        }
    }

    /**
     * Adds an invariant with a separate bound, which counts from the same moment as that of {@link #bound} and has an
     * effect only if it is shorter.
     */
    public void must(Invariant invariant, IntToLongFunction ownBound) {
        must(invariant);
        timedInvariants.add(new Timed(invariant, ownBound));
    }

    /**
     * Sets the bound within which everything that must become true at the end does become true. It counts from the last
     * fault, input that is no message, or end or resumption of a process, once no planned fault is left and no process
     * is paused.
     *
     * @param bound nanoseconds, by the number of processes that have ended
     */
    public void bound(IntToLongFunction bound) {
        this.bound = bound;
    }

    /**
     * Notes that a fault, an input that is no message, such as a call, or the end or resumption of a process happens
     * now. Bounds count from the last such event.
     */
    void caused() {
        lastCauseNs = nowNs();
        lastStirNs = nowNs();
    }

    /** Notes the arrival of a foreground message: until now the world was not at rest. */
    void stirred() {
        lastStirNs = nowNs();
    }

    /** Sets the virtual time after which a world that has not come to its end counts as hanging. */
    public void limitNs(long limitNs) {
        this.limitNs = limitNs;
    }

    /** Notes that this schedule went through an interesting event. */
    public void cover(String event) {
        covered.add(event);
    }

    /** Returns all processes, in the order of their creation. */
    public List<SimProcess<?, ?>> processes() {
        return processes;
    }

    void add(SimProcess<?, ?> process) {
        processes.add(process);
    }

    void add(VirtualNetwork<?, ?> network) {
        networks.add(network);
    }

    void stepped(SimProcess<?, ?> process) {
        for (int i = 0; i < stepInvariants.size(); i++) {
            stepInvariants.get(i).afterStep(process);
        }
    }

    private void runToEnd() {
        while (true) {
            if (isQuiet() && firstOpen() == null) {
                break;
            }
            long watchNs = nowNs() + WATCH_PERIOD_NS;
            if (watchNs > limitNs || isOverdue()) {
                throw new Violation(whatIsOpen());
            }
            while (!queue.isEmpty() && queue.nextNs() <= watchNs) {
                queue.runNext();
            }
            queue.at(watchNs, EventQueue.Order.WATCH, () -> {});
            queue.runNext();
        }
        for (Invariant invariant : invariants) {
            invariant.atEnd();
        }
    }

    private long boundNs() {
        return bound.applyAsLong(ended());
    }

    private int ended() {
        int ended = 0;
        for (SimProcess<?, ?> process : processes) {
            ended += process.isRunning() ? 0 : 1;
        }
        return ended;
    }

    /**
     * Whether the bound of the world has passed, or the separate bound of an invariant that still has something open.
     * Bounds count only when no planned fault is left and no process is paused.
     */
    private boolean isOverdue() {
        if (pendingFaults > 0 || isAnybodyPaused()) {
            return false;
        }
        long calmNs = nowNs() - lastCauseNs;
        int ended = ended();
        for (Timed timed : timedInvariants) {
            if (calmNs > timed.bound.applyAsLong(ended) && timed.invariant.open() != null) {
                return true;
            }
        }
        return calmNs > bound.applyAsLong(ended);
    }

    private boolean isAnybodyPaused() {
        for (SimProcess<?, ?> process : processes) {
            if (process.isPaused()) {
                return true;
            }
        }
        return false;
    }

    private boolean isQuiet() {
        if (pendingFaults > 0) {
            return false;
        }
        for (VirtualNetwork<?, ?> network : networks) {
            if (network.foregroundInFlight() > 0) {
                return false;
            }
        }
        return !isAnybodyPaused();
    }

    private String firstOpen() {
        for (Invariant invariant : invariants) {
            String open = invariant.open();
            if (open != null) {
                return open;
            }
        }
        return null;
    }

    private String whatIsOpen() {
        StringJoiner text = new StringJoiner(
                "; ",
                "after " + nowNs() / 1_000_000 + " ms, " + (nowNs() - lastCauseNs) / 1_000_000
                        + " ms of them without a fault or a call, of virtual time: ",
                "");
        for (Invariant invariant : invariants) {
            String open = invariant.open();
            if (open != null) {
                text.add(invariant.name() + ": " + open);
            }
        }
        return isQuiet()
                ? text.toString()
                : text.add("messages are still on their way").toString();
    }
}
