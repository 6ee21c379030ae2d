package org.ulfmj.runtime.process;

import java.util.concurrent.locks.LockSupport;
import org.ulfmj.agree.Rehearsal;

/**
 * Rehearses a death once, a moment after the start: not before, because a short program should not pay for it. A daemon,
 * so that nobody waits for it.
 */
final class RehearsalThread implements Runnable {
    private static final long DELAY_NS = 60_000_000;

    private RehearsalThread() {}

    static void start() {
        Thread thread = new Thread(null, new RehearsalThread(), "ulfm-rehearsal");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void run() {
        LockSupport.parkNanos(DELAY_NS);
        Rehearsal.play();
    }
}
