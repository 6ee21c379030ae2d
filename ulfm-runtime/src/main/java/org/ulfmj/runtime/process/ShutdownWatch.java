package org.ulfmj.runtime.process;

import java.util.concurrent.locks.LockSupport;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.RankRuntime;

/**
 * Sees to it that a process which has begun to end does end. The virtual machine runs its shutdown hooks first, and as
 * long as they run the other ranks see a living rank and wait for it. A hook that hangs, say because it calls
 * {@link System#exit} itself, would keep them waiting for ever. So a rank that has not finalized gets
 * {@code ulfm.grace}, but at least a second, for its hooks. That time begins anew as long as a thread of the program
 * waits in MPI: in Finalize, for instance.
 */
final class ShutdownWatch implements Runnable {
    private static final long PERIOD_NS = 50_000_000;
    /** The least time that hooks get, even if {@code ulfm.grace} is shorter. */
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
            // The program calls Init inside a shutdown hook: no watch is set over the end of such a process.
        }
    }

    /**
     * Runs as a shutdown hook, which must return soon, and, if the rank has not finalized, once more in a daemon
     * thread, which watches the end of the process. The hook waits a moment for the threads that write lines to stderr:
     * these are daemons, which end when all hooks have ended.
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
                // The program has caught the exception after which no rank can go on, and exits. A rank started again
                // would meet the same reason again, so the job is aborted.
                ProcessEnd.uncaughtByAll(runtime);
            }
            isEnding = true;
            Thread thread = new Thread(null, this, "ulfm-shutdown-watch");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /**
     * Whether the program has called {@link System#exit}. Else the process ends by a signal, or because its last thread
     * has ended.
     */
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
