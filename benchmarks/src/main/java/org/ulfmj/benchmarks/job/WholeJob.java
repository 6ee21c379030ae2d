package org.ulfmj.benchmarks.job;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Jobs that work from their start on, without orders, and end by themselves. */
public final class WholeJob {
    /** How long the start and the end of a job may take together. */
    private static final long START_AND_END_SECONDS = 60;

    private WholeJob() {}

    /**
     * Runs a job from its start to its end, and returns its output on both streams. Throws if the job does not end in
     * time, or ends with a status that is not 0.
     *
     * @param spec starts the program of the first seconds; the work, the seconds and a file are added as its last words
     */
    public static String run(JobSpec spec, int ranks, String work, int seconds)
            throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("compare-first-");
        try {
            Path lasts = Files.write(folder.resolve("lasts"), new byte[ranks * Long.BYTES]);
            List<String> command = new ArrayList<>(spec.command());
            command.addAll(List.of(work, Integer.toString(seconds), lasts.toString()));
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().putAll(spec.environment());
            builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
            Path log = folder.resolve("log");
            builder.redirectErrorStream(true).redirectOutput(log.toFile());
            String how = end(builder.start(), seconds + START_AND_END_SECONDS);
            String said = Files.readString(log, StandardCharsets.ISO_8859_1);
            if (!how.isEmpty()) {
                throw new IOException(String.join(" ", command) + " " + how + ": " + said.strip());
            }
            return said;
        } finally {
            Folders.delete(folder);
        }
    }

    /**
     * Waits for the end of a job. Returns what is wrong with the end; empty if nothing is. A job that is still running
     * when the time is over is killed.
     */
    private static String end(Process process, long seconds) throws InterruptedException {
        try {
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                return "has not ended in " + seconds + " s";
            }
            return process.exitValue() == 0 ? "" : "has ended with status " + process.exitValue();
        } finally {
            if (process.isAlive()) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
            }
        }
    }
}
