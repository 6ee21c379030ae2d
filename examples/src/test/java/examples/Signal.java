package examples;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Signals to processes of this host. */
final class Signal {
    private Signal() {}

    static void stop(long pid) {
        run("kill -s STOP \"$0\"", pid);
    }

    static void goOn(long pid) {
        run("kill -s CONT \"$0\"", pid);
    }

    static void kill(long pid) {
        run("kill -s KILL \"$0\"", pid);
    }

    /**
     * Stops a process for this time. A single shell sends both signals, so that the stop is hardly longer on a busy
     * machine.
     */
    static void pause(long pid, long milliseconds) {
        run(
                String.format(
                        "kill -s STOP \"$0\"; sleep %d.%03d; kill -s CONT \"$0\"",
                        milliseconds / 1000, milliseconds % 1000),
                pid);
    }

    /**
     * Waits until a process has ended and its parent has collected its exit code. Returns false if that takes longer
     * than this many seconds.
     */
    static boolean awaitEnd(long pid, long seconds) {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (ProcessHandle.of(pid).isPresent() && System.nanoTime() - deadlineNs < 0) {
            LockSupport.parkNanos(1_000_000);
        }
        return ProcessHandle.of(pid).isEmpty();
    }

    private static void run(String script, long pid) {
        try {
            int code = new ProcessBuilder("sh", "-c", script, Long.toString(pid))
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("'" + script + "' for pid " + pid + " ended with " + code);
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
