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
 * which finds out by itself whether the other side has a core to run on; yield for 200 µs, longer where ranks share
 * cores and that helps ({@link YieldBudget}); then sleep until the medium rings. Parking for a short time would be
 * neither fast (a wake-up takes 80 µs) nor polite.
 *
 * <p>The <em>seat</em> is the right to use the selector: two threads on one selector block each other. It is either
 * with the progress thread or with the callers, and among waiting callers with one, the <em>driver</em>; others park
 * until the driver finds their operation done or leaves. The seat changes hands lazily: a caller takes it only when its
 * spin has failed, and the progress thread takes it back only when no thread has polled for a while.
 *
 * <p>Everything here is under the engine lock, which is let go only to yield, park or sleep.
 */
public final class PollingProgress implements Progress {
    private static final long MAX_SLEEP_NS = 50_000_000;
    /** The longest sleep while frames wait for room: room in a full lane is not announced, so it is looked for. */
    private static final long BACKLOG_SLEEP_NS = 1_000_000;
    /** Polls between two looks at the clock while spinning, and how long the selector may go unread meanwhile. */
    static final int POLLS_A_CLOCK = 64;

    /** Looks at what is seen without polling before the next poll, which takes as long. */
    private static final int LOOKS_A_POLL = 16;

    /**
     * Looks between two pauses of the processor. Each look takes the memory away from the core that is about to write
     * there, so a few looks less make the message come sooner.
     */
    private static final int LOOKS_A_PAUSE = 2;

    /** Polls between two pauses of the processor. One pause takes as long as several polls. */
    private static final int POLLS_A_PAUSE = 8;

    private static final long SEAT_POLL_NS = 1_000_000;
    /** The same while yielding: to ask the selector takes as long as five to ten yields. */
    private static final long YIELDING_SEAT_POLL_NS = 200_000;
    /** How long everything else may go unread while yielding for a completion that is seen without polling. */
    private static final long YIELDING_POLL_NS = 20_000;

    /** For how long no thread of the program may poll before the progress thread works for a long operation. */
    private static final long SOON_NS = 50_000;
    /** How long the progress thread looks at shared memory for a long operation before it sleeps. */
    private static final long BACKGROUND_LOOKS_NS = 300_000;
    /** A yield that takes longer gave the core to another thread. */
    private static final long DEAR_YIELD_NS = 50_000;

    /** A caller that waits without polling, parked until another thread signals it. */
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
    private final boolean polite;
    private final Nap nap;
    private final Condition pieceDone;
    private final ProgressThread background;
    private final List<Parked> parked = new ArrayList<>();

    /** Polls left to the next look at the clock; it outlives a wait, for waits may be of one poll each. */
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
    /** Whether the progress thread naps for as long as a driver may sleep. */
    private boolean napIsLong;
    /** Whether the nap is too long now: a driver has slept meanwhile, and does not any more. */
    private boolean napIsTooLong;

    private boolean errorIsOnItsWay;
    /** Whether the next nap is to be short, since the program has left a long operation under way. */
    private boolean isWantedSoon;
    /** Whether the present nap has ended for that, and how many polls there were when the program left. */
    private boolean isWantedNow;

    private long pollsOfWish;
    /** Whether a caller waits until another thread has run a piece of local work. */
    private boolean isPieceAwaited;
    /** Whether the call that has woken the progress thread for a long operation may not have returned yet. */
    private boolean isCallReturning;

    PollingProgress(Engine engine, Fabric fabric, RankSettings settings) {
        this.engine = engine;
        this.lock = engine.lock();
        this.fabric = fabric;
        this.spins = new SpinBudget(settings.crowded());
        this.yields = new YieldBudget(settings.crowded());
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
        // A selector does not sleep while the interrupt flag is set, and MPI calls are not interruptible.
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
     * Parks until another thread has run the piece that it works at. A thread that looks or yields meanwhile keeps that
     * thread from their core, for milliseconds.
     */
    private boolean awaitPiece() {
        isPieceAwaited = true;
        try {
            pieceDone.awaitNanos(MAX_SLEEP_NS);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    /** Runs a piece of local work of another operation, and lets in what has come meanwhile. */
    private void runStep() {
        passOn();
        if (napIsTooLong) {
            // An operator may run for long: meanwhile no thread polls but the progress thread.
            napIsTooLong = false;
            nap.end();
        }
        engine.runStep(true);
        engine.poll(seatIsLeft());
        signalDone();
    }

    @Override
    public void pollOnce() {
        engine.poll(mayUseSeat());
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
                // Something came: a long message is under way, so the spin begins anew.
                left = spins.polls();
            }
            letOthersIn();
            if ((left & POLLS_A_PAUSE - 1) == 0) {
                Thread.onSpinWait();
            }
        }
        return false;
    }

    /** A few looks; fewer if another thread wants the lock. */
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
     * A caller whose spins always succeed, at once even, must still let in what only the selector sees, and run timers:
     * the progress thread does not as long as a thread polls.
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

    /** Whether a caller may use the seat, and no poll has used it for a while. */
    private boolean seatIsLeft() {
        return mayUseSeat() && engine.nowNs() - engine.lastSeatPollNs() > SEAT_POLL_NS;
    }

    private boolean mayUseSeat() {
        return !seatWithProgressThread && !driverSleeps;
    }

    /**
     * Drives in the seat until the wait is over, or something came: then spinning may be right again, as between the
     * pieces of a message.
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
                    // Parked callers may wait for what is seen without polling.
                    signalDone();
                }
                long beforeNs = nowNs;
                if (isLast) {
                    slept = true;
                    interrupted |= sleepInSeat();
                } else if (isPolling) {
                    letOthersIn();
                    Thread.onSpinWait();
                } else {
                    yieldLock();
                }
                nowNs = engine.nowNs();
                longestYieldNs = Math.max(longestYieldNs, nowNs - beforeNs);
                // A peer that rings has written into a lane before: the selector, read before the sleep, can wait.
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

    /** Waits for a driver, or the progress thread, to finish this completion, or to make room for a driver. */
    private boolean park(Completion completion, boolean mayDrive, long sinceNs) {
        Parked waiter = new Parked(completion, lock.newCondition(), mayDrive, sinceNs);
        parked.add(waiter);
        try {
            if (driver == null) {
                giveSeatToProgressThread();
            }
            wakeForWork();
            if (sleeping && completion.isSeenWithoutPolling()) {
                // A thread that sleeps does not look at the memory of this completion yet, and no thread rings for that
                // memory.
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
     * Lets a parked thread drive after a wait of this thread, unless another thread drives or no thread waits any more.
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

    /** Wakes the waits that are over, or whose piece is. */
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

    /**
     * A nap of the progress thread that has become too long ends now, and not already when the driver woke: the
     * progress thread would ask for the fair lock in the middle of the call, and the driver would have to wait for it.
     * After a call that ends with an error the nap goes on: all ranks have their errors at once and need the cores. The
     * program answers an error by another call, and the nap ends with that one. A nap does end in spite of an error if
     * a deadline, as that of a heartbeat, is due soon.
     */
    @Override
    public void onLeave() {
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

    /** Polls once and then sleeps in the seat; gives it up if a thread waits, or has polled meanwhile. */
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
        // A thread that has polled meanwhile reads the links itself: listening too would mean to be woken by every
        // message.
        if (engine.polls() != pollsBefore) {
            seatWithProgressThread = false;
        }
    }

    /**
     * Looks for a while whether a long operation in shared memory can go on: to be woken takes longer than most waits
     * for another rank's part of it. Returns false if that was in vain, or if the program's threads want the core.
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
        lock.unlock();
        // A selector would not sleep with the flag set.
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
     * Gives the core to a call that has woken this thread for a long operation: with one core for both, the call would
     * else return only when the operation has to wait.
     */
    private void letCallReturn() {
        if (isCallReturning) {
            isCallReturning = false;
            yieldLock();
        }
    }

    /**
     * Naps for this long and lets callers poll. The nap is longer if a caller sleeps in the seat and no thread polled
     * during the last nap: such a caller needs no watching, and a progress thread that wakes often takes the core from
     * the rank that is awaited.
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
        // Calls that need no poll have kept the seat. The next one polls: nothing else waits longer than a nap.
        pollsToClock = 0;
    }

    /** Takes the seat if no caller has polled since {@code polls} was read, and none is about to. */
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
