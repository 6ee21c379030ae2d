package org.ulfmj.runtime.leave;

import java.util.concurrent.TimeUnit;
import org.ulfmj.runtime.error.WaitGivenUp;

/**
 * The end of a rank that is wanted from outside, by SIGTERM. If the program has a handler for that, the handler runs on
 * a thread of this class and may call MPI; then the rank leaves: what it has sent arrives, its links end, the launcher
 * is told, and the process ends. The others know at once that the rank has left, which is a failure to them.
 *
 * <p>The rank leaves, too, if the handler throws, or is not done in time. A rank that is finalized owes the others
 * nothing: it does not leave, and its program ends by itself. Any thread; no method blocks.
 */
public final class Preemption implements Runnable {
    /** The program's handler. */
    public interface Action {
        /** @param timeNs how long it may take */
        void run(long timeNs) throws Exception;
    }

    /** The exit code of a rank that has left and whose handler was done: EX_TEMPFAIL, try again. */
    public static final int PREEMPTED = 75;
    /** The exit code of a rank that has left and whose handler was not done: as after SIGTERM without a handler. */
    public static final int TERMINATED = 143;

    /** Why a rank has left whose handler was done, as the launcher is told; a longer text begins so if it was not. */
    public static final String HANDLED = "preempted";

    private final LeavingRank engine;
    private final HandOver handOver;
    /** Null for none. */
    private Action action;

    /** The handler that was set when the signal came; null before. */
    private Action begun;

    private LeavingTime times;
    private boolean isWatched;
    /** What became of the handler, as a clause; null while it runs. */
    private String outcome;

    private volatile boolean isUnderWay;
    private volatile boolean hasLeft;
    /** Whether Finalize is decided. Used under the engine lock. */
    private boolean isFinalizing;

    /** @param handOver with a limit of {@link LeavingTime#MOST_NS} or less */
    Preemption(LeavingRank engine, HandOver handOver) {
        this.engine = engine;
        this.handOver = handOver;
    }

    /**
     * Sets the handler. Returns false if the process that this rank lives in is never told that it is to end.
     *
     * @param newAction null for none
     */
    public boolean handle(Action newAction) {
        synchronized (this) {
            action = newAction;
            if (newAction != null && !isWatched) {
                isWatched = engine.hooks().watchForPreemption(this);
                return isWatched;
            }
        }
        return true;
    }

    /**
     * The process is to end. Begins to handle that; if it is handled already, nothing changes. Returns false if there
     * is no handler, or the rank has finalized, also while its handler ran: then the process is to end as without this
     * class.
     *
     * @param graceNs after which the process is ended by SIGKILL
     */
    public boolean begin(long graceNs) {
        synchronized (this) {
            // Asked in this order: a rank that has left is over a moment later.
            boolean isOver = engine.isOver();
            if (hasLeft || isUnderWay && !isOver) {
                return true;
            }
            if (action == null || isOver) {
                return false;
            }
            begun = action;
            times = new LeavingTime(System.nanoTime(), graceNs);
            isUnderWay = true;
            return startThread();
        }
    }

    /** The thread keeps the process alive: the program's main thread may return, or end by the news of others. */
    private boolean startThread() {
        try {
            Thread thread = new Thread(null, this, "ulfm-preemption-leave");
            thread.setDaemon(false);
            thread.start();
            return true;
        } catch (OutOfMemoryError noThread) {
            isUnderWay = false;
            return false;
        }
    }

    /** Whether the handler runs, or ran, and the process is to end after it. */
    public boolean isUnderWay() {
        return isUnderWay;
    }

    /** Whether this rank has left, so that its calls throw. */
    public boolean hasLeft() {
        return hasLeft;
    }

    /** Finalize is decided: this rank does not leave any more. Under the engine lock. */
    void finalizing() {
        isFinalizing = true;
    }

    @Override
    public void run() {
        Thread handler = new Thread(null, new Handling(), "ulfm-preemption");
        handler.setDaemon(true);
        try {
            handler.start();
        } catch (OutOfMemoryError noThread) {
            end(", and no thread could be started for its handler");
        }
        String how = awaitOutcome();
        if (leave(HANDLED + how)) {
            engine.hooks().onLeft(how.isEmpty() ? PREEMPTED : TERMINATED);
        }
    }

    private synchronized String awaitOutcome() {
        while (outcome == null) {
            long leftNs = times.handlerEndsNs() - System.nanoTime();
            if (leftNs <= 0) {
                outcome = ", and its handler was not done within " + TimeUnit.NANOSECONDS.toMillis(times.handlerNs())
                        + " ms (ulfm.grace)";
                break;
            }
            try {
                TimeUnit.NANOSECONDS.timedWait(this, leftNs);
            } catch (InterruptedException e) {
                // A program may interrupt its whole thread group. The rank leaves nevertheless.
            }
        }
        return outcome;
    }

    private synchronized void end(String how) {
        if (outcome == null) {
            outcome = how;
            notifyAll();
        }
    }

    /** Returns whether this rank has left; not if it is over already, or about to be after Finalize. */
    private boolean leave(String why) {
        try {
            engine.enter();
            try {
                return leaveInside(why);
            } finally {
                engine.leave();
            }
        } catch (RuntimeException | Error ended) {
            if (engine.isOver()) {
                return false;
            }
            throw ended;
        }
    }

    private boolean leaveInside(String why) {
        try {
            handOver.handOver(times.linksNs(System.nanoTime()));
            handOver.endLinks();
        } catch (WaitGivenUp meantForACall) {
            // Another thread's call was to be given up. All calls end now.
        }
        if (isFinalizing) {
            return false;
        }
        engine.hooks().onLeave(why, times.wordNs(System.nanoTime()));
        hasLeft = true;
        engine.stayAway(why);
        return true;
    }

    /** Runs the program's handler. */
    private final class Handling implements Runnable {
        @Override
        public void run() {
            try {
                begun.run(times.handlerNs());
                end("");
            } catch (Exception | Error thrown) {
                if (!engine.isOver()) {
                    // As in any thread of the program: the stack is printed.
                    Thread self = Thread.currentThread();
                    self.getUncaughtExceptionHandler().uncaughtException(self, thrown);
                }
                end(", and its handler threw " + thrown.getClass().getName());
            }
        }
    }
}
