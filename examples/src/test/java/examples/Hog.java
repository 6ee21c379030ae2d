package examples;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * A process that keeps a core busy, as programs of other users do, until it is closed or the test's process is gone.
 */
final class Hog implements AutoCloseable {
    private final Process process;

    Hog() {
        try {
            process = new ProcessBuilder("sh", "-c", "while kill -0 $PPID; do :; done").start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
