package org.ulfmj.runtime.progress;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.ulfmj.runtime.flight.WaitEvent;
import org.ulfmj.runtime.options.RankSettings;
import org.ulfmj.transport.Fabric;

/**
 * Waiting by polling, in three phases: spin for a number of polls that grows when it helps and halves when it does not,
 * which finds out by itself whether the other side has a core to run on; yield, mostly for 200 µs, but not with
 * {@code ulfm.wait=polite} ({@link YieldBudget}); then sleep until the medium rings, for 50 ms at most. Parking for a
 * short time would be neither fast (a wake-up takes 80 µs) nor polite.
 *
 * <p>The <em>seat</em> is the right to use the selector: two threads on one selector block each other. It is either
 * with the progress thread or with the callers, and among waiting callers with one, the <em>driver</em>; others park
 * until the driver finds their operation done or leaves. The seat changes hands lazily: the progress thread gives it up
 * when a caller waits after its spin, or has polled meanwhile, and takes it back when no thread has polled for a while,
 * or when callers leave it work.
 *
 * <p>Everything here is under the engine lock, which is let go only to yield, park or sleep, for a thread that asks for
 * it, and during a piece of local work.
 */
public final class PollingProgress implements Progress {
    private static final long MAX_SLEEP_NS = 50_000_000;
    /**
     * The longest sleep while the engine has work left, such as frames that wait for room in a full lane: no event
     * announces such room, so the rank has to look for it.
     */
    private static final long BACKLOG_SLEEP_NS = 1_000_000;
    /** The number of polls between two looks at the clock while a thread spins. */
    static final int POLLS_A_CLOCK = 64;

    /** How often a spinning thread looks at a completion that is seen in shared memory, before it polls once. */
    private static final int LOOKS_A_POLL = 16;

    /**
     * The number of looks at shared memory between two pauses of the processor ({@link Thread#onSpinWait}). Each look
     * takes the cache line away from the core that is about to write there, so the message comes sooner if there are
     * fewer looks.
     */
    private static final int LOOKS_A_PAUSE = 2;

    /**
     * The number of polls between two pauses of the processor ({@link Thread#onSpinWait}). One pause takes as long as
     * several polls.
     */
    private static final int POLLS_A_PAUSE = 8;

    private static final long SEAT_POLL_NS = 1_000_000;
    /**
     * How long the selector may go unread while a thread yields. It is read rarely, because reading it takes as long as
     * five to ten yields.
     */
    private static final long YIELDING_SEAT_POLL_NS = 200_000;
    /**
     * How long a thread that yields may go without a poll if it waits for a completion that is seen in shared memory.
     */
    private static final long YIELDING_POLL_NS = 20_000;

    /**
     * The progress thread begins to work for a long operation when no thread of the program has polled for this long.
     */
    private static final long SOON_NS = 50_000;
    /** How long the progress thread looks at shared memory for the progress of a long operation before it sleeps. */
    private static final long BACKGROUND_LOOKS_NS = 300_000;
    /**
     * When the progress thread yields while it looks at shared memory, a yield that takes longer than this gave the
     * core to another thread.
     */
    private static final long DEAR_YIELD_NS = 50_000;

    /**
     * A caller that waits without polling: it is parked until another thread signals it, for {@link #MAX_SLEEP_NS} at
     * most.
     */
    private static final class Parked {
        final Thread thread = Thread.currentThread();
        final Completion completion;
        final Condition signal;
        final boolean mayDrive;
        final long sinceNs;

        Parked(Completion completion, Condition signal, boolean mayDrive, long sinceNs) {
            this.completion = completion;
            this.signal = signal;
            this.mayDrive = mayDrive;
            this.sinceNs = sinceNs;
        }
    }

    /** Makes the progress of a process. */
    public static final class Maker implements Progress.Maker {
        @Override
        public Progress of(Engine engine, Fabric fabric, RankSettings settings) {
            return new PollingProgress(engine, fabric, settings);
        }
    }

    private final Engine engine;
    private final ReentrantLock lock;
    private final Fabric fabric;
    private final SpinBudget spins;
    private final YieldBudget yields;
    private final boolean crowded;
    private final boolean polite;
    private final Nap nap;
    private final Condition pieceDone;
    private final ProgressThread background;
    private final List<Parked> parked = new ArrayList<>();

    /**
     * How many polls of spinning callers, and calls that need no poll, are left until one of them looks at the clock,
     * to see whether it must read the selector. It counts on from one wait to the next, because each wait may need only
     * one poll; after each nap of the progress thread it is 0.
     */
    private int pollsToClock = POLLS_A_CLOCK;

    /** When a driver polled last. */
    private long drivenNs;

    private boolean seatWithProgressThread = true;
    private Thread driver;
    private Completion driverCompletion;
    private long driverSinceNs;
    /** Whether a thread is inside {@link Fabric#sleep}. */
    private boolean sleeping;

    private boolean driverSleeps;
    /** Whether the present nap of the progress thread is as long as the longest sleep of a driver. */
    private boolean napIsLong;
    /**
     * Whether the present nap of the progress thread has become too long: it was made long because a driver slept, and
     * that thread does not drive any more.
     */
    private boolean napIsTooLong;

    private boolean errorIsOnItsWay;
    /**
     * Whether the end of a call may concern another thread: a thread sleeps, is parked or waits for a piece of local
     * work, a nap has become too long, or the call ends with an error. Each of these sets this field, so that the end
     * of most calls looks at nothing else.
     */
    private boolean isLeaveAwaited;
    /**
     * Whether the progress thread's next nap must be short, because the program has left a long operation under way.
     */
    private boolean isWantedSoon;
    /**
     * Whether the progress thread's nap was ended because the program left a long operation under way. The field below
     * has the number of polls at that time.
     */
    private boolean isWantedNow;

    private long pollsOfWish;
    /** Whether a caller waits until another thread has run its piece of local work. */
    private boolean isPieceAwaited;
    /** Whether the call that woke the progress thread for a long operation may still be running. */
    private boolean isCallReturning;

    PollingProgress(Engine engine, Fabric fabric, RankSettings settings) {
        this.engine = engine;
        this.lock = engine.lock();
        this.fabric = fabric;
        this.spins = new SpinBudget(settings.crowded());
        this.yields = new YieldBudget(settings.crowded());
        this.crowded = settings.crowded();
        this.polite = settings.politeWait();
        this.nap = new Nap(lock);
        this.pieceDone = lock.newCondition();
        this.background = new ProgressThread(engine, this);
    }

    @Override
    public void start() {
        background.start();
    }

    @Override
    public void awaitEnd() {
        background.awaitEnd();
    }

    @Override
    public void onCall(String operation) {
        // No thread waits for its turn.
    }

    @Override
    public void await(Completion completion) {
        if (completion.isDone()) {
            return;
        }
        // The interrupt flag is cleared during the wait and set again afterwards: a selector does not sleep while the
        // flag is set, and MPI calls are not interruptible.
        boolean interrupted = Thread.interrupted();
        boolean virtual = VirtualThreads.isCurrent();
        long sinceNs = 0;
        WaitEvent event = null;
        try {
            while (!completion.isDone()) {
                engine.checkRunning();
                if (engine.hasStep(true)) {
                    runStep();
                    continue;
                }
                if (completion.isInOtherHands()) {
                    interrupted |= awaitPiece();
                    continue;
                }
                if (!virtual && spin(completion)) {
                    return;
                }
                if (engine.hasStep(true)) {
                    continue;
                }
                if (sinceNs == 0) {
                    sinceNs = engine.nowNs();
                    event = engine.beginWait(completion);
                }
                interrupted |=
                        driver == null && !virtual ? drive(completion, sinceNs) : park(completion, !virtual, sinceNs);
            }
        } finally {
            passOn();
            if (event != null) {
                event.commit();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Parks until another thread has run the piece of local work that it works at, for {@link #MAX_SLEEP_NS} at most.
     * If this thread looked or yielded meanwhile, it would take the core from that thread for milliseconds. Returns
     * whether this thread was interrupted.
     */
    private boolean awaitPiece() {
        isPieceAwaited = true;
        isLeaveAwaited = true;
        try {
            pieceDone.awaitNanos(MAX_SLEEP_NS);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    /**
     * Runs a piece of local work, also of an operation that this thread does not wait for, and then polls once for what
     * has arrived meanwhile.
     */
    private void runStep() {
        passOn();
        if (napIsTooLong) {
            // The progress thread's long nap ends here: an operator of the program may run for long, and only the
            // progress thread polls during that time.
            napIsTooLong = false;
            nap.end();
        }
        engine.runStep(true);
        engine.poll(seatIsLeft());
        signalDone();
    }

    @Override
    public void pollOnce() {
        boolean seat = mayUseSeat();
        if (!seat && isClockDue()) {
            // The progress thread, which has the seat, may sleep, and a poll without the seat reads no clock.
            engine.nowNs();
        }
        engine.poll(seat);
        if (engine.hasStep(true)) {
            engine.runStep(true);
        }
        signalDone();
    }

    @Override
    public void onUnpolledCall() {
        engine.countUnpolledCall();
        if (isClockDue() && engine.poll(seatIsLeft()) > 0) {
            signalDone();
        }
    }

    private boolean spin(Completion completion) {
        int bound = completion.isSeenWithoutPolling() ? spins.pollsAfterLooks() : spins.polls();
        for (int left = bound; left > 0; left--) {
            if (completion.isSeenWithoutPolling() && isSeenSoon(completion)) {
                spins.onSuccess();
                return true;
            }
            if (engine.hasStep(true)) {
                return false;
            }
            int work = engine.poll(seatIsOverdue());
            if (work > 0) {
                signalDone();
            }
            if (completion.isDone()) {
                spins.onSuccess();
                return true;
            }
            if (work > 0) {
                if (engine.hasStep(true)) {
                    return false;
                }
                // Something has arrived: a long message may be under way, so the spin begins anew.
                left = spins.polls();
            }
            letOthersIn();
            if ((left & POLLS_A_PAUSE - 1) == 0) {
                Thread.onSpinWait();
            }
        }
        return false;
    }

    /** Looks several times whether the completion is done; stops early if another thread wants the engine lock. */
    private boolean isSeenSoon(Completion completion) {
        for (int i = 0; i < LOOKS_A_POLL; i++) {
            if (completion.isDone()) {
                return true;
            }
            if ((i & LOOKS_A_PAUSE - 1) == LOOKS_A_PAUSE - 1) {
                if (lock.hasQueuedThreads()) {
                    return false;
                }
                Thread.onSpinWait();
            }
        }
        return false;
    }

    /**
     * Whether a spinning caller must read the selector now. A caller whose spins always succeed, even at once, must
     * still read what only the selector sees and run timers, because the progress thread does not do so while another
     * thread polls.
     */
    private boolean seatIsOverdue() {
        return isClockDue() && seatIsLeft();
    }

    private boolean isClockDue() {
        if (--pollsToClock > 0) {
            return false;
        }
        pollsToClock = POLLS_A_CLOCK;
        return true;
    }

    /**
     * Whether a caller may use the seat, and no poll has read the selector for a millisecond. Reads the clock in any
     * case, for limits that are judged by the time of the last reading.
     */
    private boolean seatIsLeft() {
        return engine.nowNs() - engine.lastSeatPollNs() > SEAT_POLL_NS && mayUseSeat();
    }

    private boolean mayUseSeat() {
        return !seatWithProgressThread && !driverSleeps;
    }

    /**
     * Waits as the driver: yields and polls, then sleeps once the callers have the seat. Ends when the wait has ended,
     * a step of local work is due or something has arrived: then spinning may be right again, as between the pieces of
     * a message. Returns whether the thread was interrupted.
     */
    private boolean drive(Completion completion, long sinceNs) {
        driver = Thread.currentThread();
        driverCompletion = completion;
        driverSinceNs = sinceNs;
        boolean interrupted = false;
        boolean slept = false;
        if (seatWithProgressThread) {
            fabric.wake();
        }
        long beginNs = engine.nowNs();
        long nowNs = beginNs;
        long longestYieldNs = 0;
        try {
            long yieldUntilNs = beginNs + (polite ? 0 : yields.budgetNs(beginNs));
            boolean isPolling = yields.isForPolls();
            while (!completion.isDone() && !engine.isWaitOver() && !engine.hasStep(true)) {
                boolean seat = !seatWithProgressThread;
                boolean isLast = seat && yieldUntilNs - nowNs <= 0;
                if (isLast
                        || !completion.isSeenWithoutPolling()
                        || nowNs - drivenNs > YIELDING_POLL_NS
                        || engine.hasWork()) {
                    drivenNs = nowNs;
                    if (engine.poll(isLast || seat && nowNs - engine.lastSeatPollNs() > YIELDING_SEAT_POLL_NS) > 0) {
                        signalDone();
                        letOthersIn();
                        break;
                    }
                    if (completion.isDone()) {
                        break;
                    }
                }
                if (!parked.isEmpty()) {
                    // Parked callers may wait for completions that are seen in shared memory; this signals those that
                    // are done.
                    signalDone();
                }
                long beforeNs = nowNs;
                if (isLast) {
                    slept = true;
                    interrupted |= sleepInSeat();
                } else if (isPolling) {
                    letOthersIn();
                    Thread.onSpinWait();
                } else if (crowded && completion.isDoneSoon()) {
                    break;
                } else {
                    yieldLock();
                }
                nowNs = engine.nowNs();
                longestYieldNs = Math.max(longestYieldNs, nowNs - beforeNs);
                // A peer that rings this rank has written into a lane before. So this poll reads the lanes only; the
                // selector was read before the sleep, and the next poll reads it again.
                if (isLast && !completion.isDone() && engine.poll(false) > 0) {
                    signalDone();
                    letOthersIn();
                    break;
                }
                if (!isLast && !isPolling && yields.isDear(nowNs - beforeNs, nowNs)) {
                    yieldUntilNs = nowNs;
                }
            }
        } finally {
            spins.onFailure(nowNs - beginNs, longestYieldNs);
            yields.onWaited(nowNs - beginNs);
            driver = null;
            driverCompletion = null;
            napIsTooLong |= slept && napIsLong;
            isLeaveAwaited |= napIsTooLong;
        }
        return interrupted;
    }

    private void letOthersIn() {
        if (lock.hasQueuedThreads()) {
            lock.unlock();
            lock.lock();
        }
    }

    private void yieldLock() {
        lock.unlock();
        Thread.yield();
        lock.lock();
    }

    private boolean sleepInSeat() {
        long untilNs = wakeTimeNs();
        driverSleeps = true;
        sleeping = true;
        isLeaveAwaited = true;
        lock.unlock();
        boolean interrupted = Thread.interrupted();
        try {
            fabric.sleep(untilNs);
        } finally {
            lock.lock();
            driverSleeps = false;
            sleeping = false;
        }
        return interrupted | Thread.interrupted();
    }

    /**
     * Parks until another thread finds this completion done, or until this thread may become the driver or run a step
     * of local work, for {@link #MAX_SLEEP_NS} at most. Returns whether the thread was interrupted.
     */
    private boolean park(Completion completion, boolean mayDrive, long sinceNs) {
        Parked waiter = new Parked(completion, lock.newCondition(), mayDrive, sinceNs);
        parked.add(waiter);
        isLeaveAwaited = true;
        try {
            if (driver == null) {
                giveSeatToProgressThread();
            }
            wakeForWork();
            if (sleeping && completion.isSeenWithoutPolling()) {
                // A thread that sleeps in the fabric does not yet look at the shared memory of this completion, and no
                // rank rings for a write to that memory. So the sleeping thread is woken.
                fabric.wake();
            }
            waiter.signal.awaitNanos(MAX_SLEEP_NS);
            return false;
        } catch (InterruptedException e) {
            return true;
        } finally {
            parked.remove(waiter);
        }
    }

    /**
     * Lets a parked thread become the driver when this thread stops waiting. Does nothing if another thread drives or
     * no thread is parked; gives the seat to the progress thread if no parked thread may drive.
     */
    private void passOn() {
        if (driver != null || parked.isEmpty()) {
            return;
        }
        for (Parked waiter : parked) {
            if (waiter.mayDrive) {
                waiter.signal.signal();
                return;
            }
        }
        giveSeatToProgressThread();
    }

    private void giveSeatToProgressThread() {
        if (!seatWithProgressThread) {
            seatWithProgressThread = true;
            nap.end();
        }
    }

    /**
     * Wakes the threads whose completion is done, those that wait until a piece of local work has been run, and those
     * that are to run a step of local work that is due.
     */
    void signalDone() {
        if (isPieceAwaited) {
            isPieceAwaited = false;
            pieceDone.signalAll();
        }
        if (driverSleeps && (driverCompletion.isDone() || engine.hasStep(true))) {
            fabric.wake();
        }
        for (int i = 0; i < parked.size(); i++) {
            Parked waiter = parked.get(i);
            if (waiter.completion.isDone() || driver == null && engine.hasStep(true)) {
                waiter.signal.signal();
            }
        }
    }

    @Override
    public void onLeave() {
        if (isLeaveAwaited || engine.hasStep(false)) {
            tellOthers();
        }
    }

    /**
     * Wakes the threads for which the end of the call matters. A nap of the progress thread that has become too long
     * ends here, at the end of the call, and not already when the driver woke: the progress thread would have asked for
     * the fair lock in the middle of the call, and the driver would have had to wait for it. After a call that ends
     * with an error the nap goes on: all ranks have their errors at the same time and need the cores. The program
     * answers an error by another call, and the nap ends with that one. A nap does end in spite of an error if a
     * deadline, such as that of a heartbeat, is due soon.
     */
    private void tellOthers() {
        if (napIsTooLong && !(errorIsOnItsWay && nothingIsDueSoon())) {
            napIsTooLong = false;
            nap.end();
        }
        errorIsOnItsWay = false;
        if (driver == null && engine.hasStep(false)) {
            giveSeatToProgressThread();
        }
        signalDone();
        wakeForWork();
        isLeaveAwaited = napIsTooLong || isPieceAwaited || sleeping || !parked.isEmpty();
    }

    @Override
    public void onLongStart() {
        if (driver == null) {
            giveSeatToProgressThread();
        }
    }

    @Override
    public void onLongBegun() {
        if (driver == null && !seatWithProgressThread) {
            isWantedSoon = true;
            isWantedNow = true;
            isCallReturning = true;
            pollsOfWish = engine.polls();
            nap.end();
        } else if (sleeping) {
            isCallReturning = true;
            fabric.wake();
        }
    }

    @Override
    public void onUrgent() {
        if (sleeping) {
            fabric.wake();
        }
    }

    private boolean nothingIsDueSoon() {
        long deadlineNs = engine.nextDeadlineNs();
        return deadlineNs == Long.MAX_VALUE || deadlineNs - engine.nowNs() > 2 * MAX_SLEEP_NS;
    }

    @Override
    public void onError() {
        errorIsOnItsWay = true;
        isLeaveAwaited = true;
    }

    private void wakeForWork() {
        if (sleeping && engine.hasWork()) {
            fabric.wake();
        }
    }

    @Override
    public void signalAll() {
        for (Parked waiter : parked) {
            waiter.signal.signal();
        }
        nap.end();
        pieceDone.signalAll();
        fabric.wake();
    }

    private long wakeTimeNs() {
        long nowNs = engine.nowNs();
        long untilNs = nowNs + (engine.hasWork() ? BACKLOG_SLEEP_NS : MAX_SLEEP_NS);
        long deadlineNs = engine.nextDeadlineNs();
        return deadlineNs != Long.MAX_VALUE && deadlineNs - untilNs < 0 ? deadlineNs : untilNs;
    }

    // What follows is the progress thread's.

    boolean seatIsWithProgressThread() {
        return seatWithProgressThread;
    }

    /**
     * Polls once, then sleeps in the seat if there is nothing to do. The progress thread gives the seat up if a thread
     * of the program waits, or has polled meanwhile.
     */
    void driveInBackground() {
        engine.watchCalls();
        int work = engine.poll(true);
        signalDone();
        if (engine.hasStep(false)) {
            engine.runStep(false);
            signalDone();
            work++;
        }
        long pollsBefore = engine.polls();
        if (driver != null) {
            seatWithProgressThread = false;
        } else if (work > 0) {
            letOthersIn();
        } else if (!(engine.hasLongInMemory() && isSeenInBackground(pollsBefore))) {
            sleepInBackground(wakeTimeNs());
        }
        // A thread of the program that has polled meanwhile reads the connections itself. If the progress thread kept
        // the seat and listened too, every message would wake it.
        if (engine.polls() != pollsBefore) {
            seatWithProgressThread = false;
        }
    }

    /**
     * Looks for a while whether a long operation in shared memory can go on: waking the thread would take longer than
     * most waits for another rank's part of the operation. Returns false if these looks were in vain, or if a yield
     * showed that another thread needs the core.
     */
    private boolean isSeenInBackground(long pollsBefore) {
        long nowNs = engine.nowNs();
        long untilNs = nowNs + BACKGROUND_LOOKS_NS;
        while (untilNs - nowNs > 0) {
            long beforeNs = nowNs;
            yieldLock();
            if (driver != null || engine.isOver() || engine.polls() != pollsBefore) {
                return true;
            }
            engine.lookInMemory();
            if (engine.hasStep(false) || !engine.hasLongInMemory()) {
                signalDone();
                return true;
            }
            nowNs = engine.nowNs();
            if (nowNs - beforeNs > DEAR_YIELD_NS) {
                return false;
            }
        }
        return false;
    }

    private void sleepInBackground(long untilNs) {
        sleeping = true;
        isLeaveAwaited = true;
        lock.unlock();
        // Clears the interrupt flag: a selector does not sleep while the flag is set.
        Thread.interrupted();
        try {
            fabric.sleep(untilNs);
        } finally {
            lock.lock();
            sleeping = false;
        }
        letCallReturn();
    }

    /**
     * Gives the core to the call that has woken the progress thread for a long operation. If both share a core, the
     * call would otherwise return only when the operation has to wait.
     */
    private void letCallReturn() {
        if (isCallReturning) {
            isCallReturning = false;
            yieldLock();
        }
    }

    /**
     * Naps for the given time; callers may poll meanwhile. The nap is longer if a caller sleeps in the seat and no
     * thread has polled since the last nap began: such a caller needs no watching, and a progress thread that wakes
     * often takes the core from the rank that is awaited. The nap is shorter if the program has left a long operation
     * under way.
     *
     * @param wasQuiet whether no thread has polled since the last nap began
     */
    void nap(long napNs, boolean wasQuiet) {
        napIsLong = driverSleeps && wasQuiet && !isWantedSoon;
        long longestNs = napIsLong ? MAX_SLEEP_NS : isWantedSoon ? SOON_NS : napNs;
        isWantedSoon = false;
        nap.take(longestNs);
        letCallReturn();
        napIsLong = false;
        napIsTooLong = false;
        // Calls that need no poll leave the seat with the callers. Now the next such call polls, so that input that
        // only a poll reads waits no longer than a nap.
        pollsToClock = 0;
    }

    /**
     * Takes the seat for the progress thread if no caller drives and none has polled since {@code pollsBefore} was
     * read, or since a call has woken the progress thread for a long operation. Returns whether the progress thread has
     * the seat.
     */
    boolean takeSeatIfIdle(long pollsBefore) {
        long expected = isWantedNow ? pollsOfWish : pollsBefore;
        isWantedNow = false;
        if (driver == null && engine.polls() == expected) {
            seatWithProgressThread = true;
            isWantedSoon = false;
        }
        return seatWithProgressThread;
    }

    @Override
    public boolean isWaitedIn() {
        return driver != null || !parked.isEmpty();
    }

    @Override
    public List<WaitingThread> waits() {
        List<WaitingThread> waits = new ArrayList<>();
        if (driver != null) {
            waits.add(new WaitingThread(driver, driverCompletion, driverSinceNs));
        }
        for (Parked waiter : parked) {
            waits.add(new WaitingThread(waiter.thread, waiter.completion, waiter.sinceNs));
        }
        return waits;
    }
}
