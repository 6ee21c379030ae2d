package org.ulfmj.transport.local;

import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.ulfmj.transport.SleepWatch;

/**
 * The place where a rank that is a thread sleeps and is woken. No wake-up is lost: the sleeper first announces its
 * sleep and then, after a full fence, looks for input once more. The sender commits a record and then, after a full
 * fence, looks for a sleeper. So one of the two sees the other. Should that ever fail, a sleep still ends after at most
 * {@link #MAX_SLEEP_NS}.
 */
final class Doorbell {
    static final long MIN_SLEEP_NS = 1_000_000;
    static final long MAX_SLEEP_NS = 50_000_000;

    private volatile Thread sleeper;
    /** Whether {@link #wake} was called since the last sleep ended. */
    private volatile boolean rung;

    private long shortestNs = MIN_SLEEP_NS;
    private long longestNs = MAX_SLEEP_NS;
    private volatile long boundNs = MIN_SLEEP_NS;

    /** The watch that each sleep asks besides the lanes; null if there is none. */
    private volatile SleepWatch watch;

    void watch(SleepWatch newWatch) {
        watch = newWatch;
    }

    /** Sets how long a sleep lasts at most. For tests, in which a lost wake-up must become visible. */
    void bound(long ns) {
        shortestNs = ns;
        longestNs = ns;
        boundNs = ns;
    }

    /**
     * Sleeps, unless the lanes hold a record, the watch reports that the wait is over, or {@link #wake} was called
     * since the last sleep.
     */
    void sleep(long untilNs, LocalInboundLanes lanes) {
        SleepWatch watched = watch;
        sleeper = Thread.currentThread();
        if (watched != null) {
            watched.beginSleep();
        }
        VarHandle.fullFence();
        if (!rung && lanes.areEmpty() && (watched == null || !watched.mayGoOn())) {
            long bound = boundNs;
            LockSupport.parkNanos(this, Math.min(bound, untilNs - System.nanoTime()));
            boundNs = Math.min(2 * bound, longestNs);
        }
        if (watched != null) {
            watched.endSleep();
        }
        sleeper = null;
        rung = false;
    }

    /** Makes the next sleeps short again, because records have come. */
    void stir() {
        if (boundNs != shortestNs) {
            boundNs = shortestNs;
        }
    }

    /** Wakes the rank if it sleeps. Called after the store that the rank is to see, such as the commit of a record. */
    void knock() {
        VarHandle.fullFence();
        Thread thread = sleeper;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    void wake() {
        rung = true;
        knock();
    }
}
