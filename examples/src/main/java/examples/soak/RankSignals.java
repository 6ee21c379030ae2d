package examples.soak;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Sends signals to ranks. */
final class RankSignals {
    private RankSignals() {}

    /** Sends SIGKILL at once. */
    static void kill(long pid) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    /**
     * Sends a signal by the command {@code kill}, which takes some milliseconds. Nothing happens if the process has
     * ended.
     */
    static void send(String signal, long pid) {
        try {
            new ProcessBuilder("kill", "-s", signal, Long.toString(pid))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run kill", e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("no thread interrupts the soak's main thread", e);
        }
    }
}
