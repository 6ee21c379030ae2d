package org.ulfmj.runtime.process;

import java.util.concurrent.locks.LockSupport;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.RankRuntime;

/**
 * Sees to it that a process which has begun to end does end. The virtual machine runs its shutdown hooks first, and as
 * long as they run the other ranks see a living rank and wait for it. A hook that hangs, say because it calls
 * {@link System#exit} itself, would keep them waiting for ever. So a rank that has not finalized is given
 * {@code ulfm.grace} for its hooks, as it would be by {@code mpiexec}, and longer only while a thread of the program
 * waits in MPI: in Finalize, for instance.
 */
final class ShutdownWatch implements Runnable {
    private static final long PERIOD_NS = 50_000_000;
    /** The least time that hooks are given, for any {@code ulfm.grace}. */
    private static final long LEAST_NS = 1_000_000_000;

    private final RankRuntime runtime;
    private final ProcessId me;
    private final long graceNs;
    private boolean isEnding;

    private ShutdownWatch(ProcessId me, RankRuntime runtime, long graceNs) {
        this.me = me;
        this.runtime = runtime;
        this.graceNs = Math.max(LEAST_NS, graceNs);
    }

    static void install(ProcessId me, RankRuntime runtime, long graceNs) {
        ShutdownWatch watch = new ShutdownWatch(me, runtime, graceNs);
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(null, watch, "ulfm-shutdown"));
        } catch (IllegalStateException alreadyEnding) {
            // The program calls Init in a shutdown hook: nothing watches over the end of such a process.
        }
    }

    /**
     * Runs twice: first as a shutdown hook, which must return soon, then in a daemon thread, which watches. The threads
     * that write lines are daemons, which end when the hooks have.
     */
    @Override
    public void run() {
        if (isEnding) {
            watch();
        } else {
            end();
            runtime.signals().awaitLines();
        }
    }

    private void end() {
        if (!runtime.isFinished()) {
            if (runtime.jobEnd().isAnnounced() && !runtime.signals().isPreempted() && isExitCalled()) {
                // The program has caught the reason and given up. Started again, the rank would meet the same reason
                // again.
                ProcessEnd.uncaughtByAll(runtime);
            }
            isEnding = true;
            Thread thread = new Thread(null, this, "ulfm-shutdown-watch");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Whether the program has called exit. Else the process ends by a signal, or because its last thread has ended. */
    private static boolean isExitCalled() {
        for (StackTraceElement[] stack : Thread.getAllStackTraces().values()) {
            for (StackTraceElement call : stack) {
                if (call.getClassName().equals("java.lang.Runtime")
                        && call.getMethodName().equals("exit")) {
                    return true;
                }
            }
        }
        return false;
    }

    private void watch() {
        long untilNs = System.nanoTime() + graceNs;
        while (untilNs - System.nanoTime() > 0) {
            LockSupport.parkNanos(PERIOD_NS);
            if (runtime.isFinished()) {
                return;
            }
            if (runtime.waits().isAnyWaiting()) {
                untilNs = System.nanoTime() + graceNs;
            }
        }
        ProcessEnd.hanging(me, graceNs);
    }
}
