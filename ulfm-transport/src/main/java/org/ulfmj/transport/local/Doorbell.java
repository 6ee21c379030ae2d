package org.ulfmj.transport.local;

import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.ulfmj.transport.SleepWatch;

/**
 * Where a rank sleeps and how it is woken. No wake-up is lost: the sleeper first says that it sleeps, then, after a
 * full fence, looks once more; who commits something fences and then looks whether a process sleeps, so one of the two
 * sees the other. Should that ever fail, a sleep still ends after {@link #MAX_SLEEP_NS}.
 */
final class Doorbell {
    static final long MIN_SLEEP_NS = 1_000_000;
    static final long MAX_SLEEP_NS = 50_000_000;

    private volatile Thread sleeper;
    /** A {@link #wake} that no process has slept through yet. */
    private volatile boolean rung;

    private volatile long boundNs = MIN_SLEEP_NS;

    /** What each sleep looks at beside the lanes; null if nothing. */
    private volatile SleepWatch watch;

    void watch(SleepWatch newWatch) {
        watch = newWatch;
    }

    /** Sleeps unless {@code lanes} have something or {@link #wake} was called since the last sleep. */
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
            boundNs = Math.min(2 * bound, MAX_SLEEP_NS);
        }
        if (watched != null) {
            watched.endSleep();
        }
        sleeper = null;
        rung = false;
    }

    /** Something came: the next sleeps are short again. */
    void stir() {
        if (boundNs != MIN_SLEEP_NS) {
            boundNs = MIN_SLEEP_NS;
        }
    }

    /** A record was committed: wakes the receiver if it sleeps. */
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
