package examples.hosts;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A shell script that removes what a test has, or the script itself has, set up outside of the test's process, however
 * the test ends: the script waits for the end of a pipe that only the test holds open, which ends also when the test is
 * killed.
 */
final class Guarded implements AutoCloseable {
    private static final long MOST_SECONDS = 30;

    private final Process script;

    /**
     * Starts the script in a new session.
     *
     * @param text the script; it must read its standard input to the end before it removes anything
     */
    Guarded(String text, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("setsid", "/bin/sh", "-c", text, "guarded"));
        command.addAll(List.of(arguments));
        script = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Closes the pipe, so that the script removes everything, and waits for its end; throws if it runs over 30 s. */
    @Override
    public void close() throws IOException {
        OutputStream pipe = script.getOutputStream();
        pipe.close();
        try {
            if (!script.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("the script still runs, pid " + script.pid());
            }
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    boolean isAlive() {
        return script.isAlive();
    }
}
