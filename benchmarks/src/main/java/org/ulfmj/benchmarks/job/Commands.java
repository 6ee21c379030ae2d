package org.ulfmj.benchmarks.job;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Runs commands to their end, and finds them on {@code PATH}. */
public final class Commands {
    private Commands() {}

    /** The output of the command on both streams. Throws if its exit code is not 0. */
    public static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": status " + process.exitValue() + ": " + text.strip());
        }
        return text;
    }

    /** Where the command is found first on {@code PATH}; empty if it is not found. */
    public static Optional<Path> find(String name) {
        for (String directory : System.getenv().getOrDefault("PATH", "").split(":")) {
            Path candidate = Path.of(directory, name);
            if (Files.isExecutable(candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }
}
