package org.ulfmj.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The output of a command, both streams together, and its exit code. */
record Ran(int exitCode, List<String> lines) {
    /**
     * Runs a command with empty input.
     *
     * @param environment variables that are added to those of this process
     * @throws AssertionError if the command takes longer than {@code limit}
     */
    static Ran in(Path directory, Duration limit, Map<String, String> environment, List<String> command)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile("ran", ".out");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(out.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
                process.destroy();
                throw new AssertionError(command + " still ran after " + limit + "\n" + Files.readString(out));
            }
            return new Ran(process.exitValue(), Files.readAllLines(out));
        } finally {
            Files.delete(out);
        }
    }

    @Override
    public String toString() {
        return "exit " + exitCode + "\n" + String.join("\n", lines);
    }
}
