package org.ulfmj.runtime.process;

import java.io.PrintStream;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.RankRuntime;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.leave.Preemption;

/**
 * Ends a rank that must not go on: at once and without shutdown hooks, for a process that neither works nor ends would
 * be worse than any lost clean-up. Most kinds of end have a line on stderr, which names the exit code. Only
 * {@link #left} runs shutdown hooks.
 */
final class ProcessEnd {
    /**
     * The exit code of a process that must not go on: others have marked it failed, or its lease is over, for instance.
     */
    static final int FENCED = 118;
    /** The exit code when the launcher is lost, and ranks are to exit without it. */
    static final int ORPHANED = 119;
    /** The exit code when an invariant of this rank is broken. */
    static final int BROKEN = 120;
    /** The exit code of a process that the job does not need. */
    static final int NOT_NEEDED = 0;
    /** As after SIGKILL. */
    static final int KILLED = 137;
    /** The exit code after an uncaught exception, the same as that of the virtual machine. */
    static final int UNCAUGHT = 1;

    private static final int CODE_MASK = 255;
    /** How long the last output of a process that ends may take, at most. */
    private static final long LAST_WORDS_NS = 1_000_000_000;
    /**
     * How long a process that has asked for an abort of the job waits before it ends, so that the other ranks can read
     * of the abort, on a busy machine too.
     */
    private static final long ABORT_HEARD_NS = 200_000_000;

    private ProcessEnd() {}

    /**
     * Handles SIGTERM from now on: the signal begins the preemption or, if that declines, ends the process as before.
     * Returns false if the virtual machine passes on no signals.
     */
    static boolean watchForPreemption(Preemption preemption, long graceNs) {
        return Signals.handleElse("TERM", new BooleanSupplier() {
            @Override
            public boolean getAsBoolean() {
                return preemption.begin(graceNs);
            }
        });
    }

    /**
     * Ends this process, whose rank has left: no other process waits for it, so the program's shutdown hooks run as
     * after any SIGTERM.
     */
    static void left(int code) {
        System.exit(code);
    }

    static void fenced(ProcessId me, String reason) {
        end(FENCED, "rank " + me + " is fenced and ends: " + reason, null);
    }

    static void orphaned(ProcessId me, String reason) {
        end(ORPHANED, "rank " + me + " ends because mpiexec is lost: " + reason, null);
    }

    static void notNeeded(ProcessId me, String reason) {
        end(NOT_NEEDED, "rank " + me + " is not needed and ends: " + reason, null);
    }

    /** Ends a process that never got a name and that the job does not need. */
    static void notNeeded(int child, String reason) {
        end(NOT_NEEDED, "process " + child + " (without a rank) is not needed and ends: " + reason, null);
    }

    /** Ends a process without a name that the launcher takes for ended. */
    static void fenced(int child, String reason) {
        end(FENCED, "process " + child + " (without a rank) is fenced and ends: " + reason, null);
    }

    /** Ends a process without a name that has lost its launcher. */
    static void orphaned(int child, String reason) {
        end(ORPHANED, "process " + child + " (without a rank) ends because mpiexec is lost: " + reason, null);
    }

    /** Ends a member of a world that the launcher has closed. That is no failure. */
    static void closed(ProcessId me, String reason) {
        end(NOT_NEEDED, "rank " + me + " ends because mpiexec has closed the world: " + reason, null);
    }

    /** Ends a spare that never got a slot. */
    static void idle() {
        Runtime.getRuntime().halt(NOT_NEEDED);
    }

    static void broken(ProcessId me, Throwable cause) {
        end(
                BROKEN,
                "rank " + me + " is broken and ends, because a wrong rank is worse than a dead one: " + cause,
                cause);
    }

    /**
     * Ends the process because its shutdown hooks take too long. The exit code that the program wanted is not known.
     */
    static void hanging(ProcessId me, long graceNs) {
        end(
                UNCAUGHT,
                "rank " + me + " ends because its shutdown hooks have not ended within " + graceNs / 1_000_000
                        + " ms (ulfm.grace) and it has not finalized",
                null);
    }

    /**
     * Waits a moment, after this process has asked for an abort of the job and before it ends. The other ranks should
     * learn of the end of the job first, and not of one more death, from which they would recover.
     */
    static void letOthersHear() {
        sleepFor(ABORT_HEARD_NS);
    }

    /**
     * Ends the process because the job is aborted, without a word, since the launcher has said why. A code of 0 would
     * read as success, so the exit code is 1 then.
     */
    static void aborted(int code) {
        int status = code & CODE_MASK;
        Runtime.getRuntime().halt(status == 0 ? 1 : status);
    }

    /** Ends the process by itself at the point of a planned kill when no launcher is left to send the signal. */
    static void killed() {
        Runtime.getRuntime().halt(KILLED);
    }

    /**
     * As {@link #uncaught}, for an exception after which no rank can go on: the job is aborted first. Returns if this
     * rank is over already.
     */
    static void uncaughtByAll(RankRuntime runtime) {
        haltSoon(UNCAUGHT);
        System.out.flush();
        try {
            runtime.abort(UNCAUGHT);
        } catch (CallError alreadyOver) {
            // This rank is over already: the other ranks know how it ended.
        }
    }

    /** Ends the process after an exception that was printed already. */
    static void uncaught() {
        haltSoon(UNCAUGHT);
        System.out.flush();
        System.err.flush();
        Runtime.getRuntime().halt(UNCAUGHT);
    }

    private static void end(int code, String line, Throwable dump) {
        haltSoon(code);
        PrintStream err = System.err;
        err.println(line + " (exit code " + code + ")");
        if (dump != null) {
            dump.printStackTrace(err);
        }
        err.flush();
        Runtime.getRuntime().halt(code);
    }

    /**
     * Starts a thread that ends the process after {@link #LAST_WORDS_NS}, even if its last output is not written. The
     * output may go to a full pipe that no process reads, or wait for a lock of {@code System.err} that a thread in the
     * same trouble holds.
     */
    private static void haltSoon(int code) {
        try {
            Thread halt = new Thread(null, new Halt(code), "ulfm-end");
            halt.setDaemon(true);
            halt.start();
        } catch (OutOfMemoryError noThread) {
            // Then there is no time limit.
        }
    }

    /** Waits for this many nanoseconds, even if the thread is interrupted. */
    private static void sleepFor(long durationNs) {
        long untilNs = System.nanoTime() + durationNs;
        while (untilNs - System.nanoTime() > 0) {
            LockSupport.parkNanos(untilNs - System.nanoTime());
        }
    }

    private record Halt(int code) implements Runnable {
        @Override
        public void run() {
            sleepFor(LAST_WORDS_NS);
            Runtime.getRuntime().halt(code);
        }
    }
}
