package org.ulfmj.runtime.leave;

import java.util.concurrent.TimeUnit;
import org.ulfmj.runtime.error.WaitGivenUp;

/**
 * The end of a rank that is wanted from outside, by SIGTERM. If the program has a handler for that, the handler runs on
 * a thread of this class and may call MPI; then the rank leaves: what it has sent arrives, its links end, the launcher
 * is told, and the process ends. To the other ranks this is a failure of the rank.
 *
 * <p>The rank leaves, too, if the handler throws, or has not returned in time. A rank that is finalized owes the others
 * nothing: it does not leave, and its program ends by itself. Any thread; no method blocks but {@link #run}, which has
 * a thread for itself.
 */
public final class Preemption implements Runnable {
    /** The program's handler. */
    public interface Action {
        /** @param timeNs how long it may take */
        void run(long timeNs) throws Exception;
    }

    /** The exit code of a rank that has left and whose handler had returned: EX_TEMPFAIL, try again. */
    public static final int PREEMPTED = 75;
    /**
     * The exit code of a rank that has left and whose handler had not returned, or had thrown: as after SIGTERM without
     * a handler.
     */
    public static final int TERMINATED = 143;

    /**
     * The reason that the launcher is told when a rank has left after its handler returned. If the handler did not
     * return, or threw, the reason begins with this text and goes on.
     */
    public static final String HANDLED = "preempted";

    private final LeavingRank engine;
    private final HandOver handOver;
    /** Null for none. */
    private Action action;

    /** The handler that was set when the signal came; null before. */
    private Action begun;

    private LeavingTime times;
    private boolean isWatched;
    /**
     * How the handler ended, as a part of a sentence: empty if it returned in time, else why it did not. Null until
     * that is known.
     */
    private String outcome;

    private volatile boolean isUnderWay;
    private volatile boolean hasLeft;
    /** Whether all live ranks have agreed to finalize. Used under the engine lock. */
    private boolean isFinalizing;

    /** @param handOver the last steps, with a time limit of {@link LeavingTime#MOST_NS} or less */
    Preemption(LeavingRank engine, HandOver handOver) {
        this.engine = engine;
        this.handOver = handOver;
    }

    /**
     * Sets the handler. Returns false if the process that this rank lives in is never told that it is to end.
     *
     * @param newAction the handler; null for none
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
     * Begins the end of the process, for which a signal has come. Does nothing, and returns true, if that has begun
     * already. Returns false if there is no handler, no thread can be started, or the rank is over, as after Finalize,
     * also while its handler ran: then the process is to end as without this class.
     *
     * @param graceNs how long after the signal the process is ended by SIGKILL
     */
    public boolean begin(long graceNs) {
        synchronized (this) {
            // The two are asked in this order, because a rank that has left is over a moment later.
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

    /**
     * Starts a thread that keeps the process alive: the program's main thread may return, or end by the news of other
     * ranks.
     */
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

    /** Whether the handler runs, or has run, so that the process is to end after it. */
    public boolean isUnderWay() {
        return isUnderWay;
    }

    /** Whether this rank has left, so that its calls throw. */
    public boolean hasLeft() {
        return hasLeft;
    }

    /** Notes that all live ranks have agreed to finalize: this rank does not leave any more. Under the engine lock. */
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
                // A program may interrupt all threads of its thread group. The rank leaves nevertheless.
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

    /**
     * Lets this rank leave the others. Returns false if it does not leave, because it is over already, or all live
     * ranks have agreed to finalize.
     */
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
            // The call of giveUp was meant for another thread's wait. All calls end now, so the rank leaves all the
            // same.
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
                    // The stack is printed, as for any thread of the program.
                    Thread self = Thread.currentThread();
                    self.getUncaughtExceptionHandler().uncaughtException(self, thrown);
                }
                end(", and its handler threw " + thrown.getClass().getName());
            }
        }
    }
}
