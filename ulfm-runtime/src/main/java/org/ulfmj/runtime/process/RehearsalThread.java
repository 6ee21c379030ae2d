package org.ulfmj.runtime.process;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.ulfmj.agree.Rehearsal;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.RankRuntime;

/**
 * Rehearses a death once, a moment after the start, and opens the ways that its news would take: not before, because a short
 * program should not pay for it. A daemon, so that nobody waits for it.
 */
final class RehearsalThread implements Runnable {
    private static final long DELAY_NS = 60_000_000;

    private final RankRuntime runtime;
    private final List<ProcessId> neighbours;

    private RehearsalThread(RankRuntime runtime, List<ProcessId> neighbours) {
        this.runtime = runtime;
        this.neighbours = neighbours;
    }

    /** @param neighbours on this host, to whom this rank passes on news, or will after the first death */
    static void start(RankRuntime runtime, List<ProcessId> neighbours) {
        Thread thread = new Thread(null, new RehearsalThread(runtime, neighbours), "ulfm-rehearsal");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void run() {
        LockSupport.parkNanos(DELAY_NS);
        Rehearsal.play();
        for (ProcessId neighbour : neighbours) {
            runtime.prepare(neighbour);
        }
    }
}
