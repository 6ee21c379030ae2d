package org.ulfmj.launch.archive;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.ulfmj.launch.command.Installation;

/**
 * How an archive is made. A job like any other ({@link Training}) runs, and its launcher and ranks list the classes
 * that they load. Then a virtual machine writes the classes of all lists into an archive.
 */
final class Recording {
    private static final long MOST_SECONDS = 60;
    private static final String LISTS = "*.list";

    private final Path java;
    private final Path jar;
    private final Class<?> launcher;
    private final Path directory;
    private Process running;
    private boolean isStopped;

    /**
     * @param java the virtual machine of the ranks
     * @param launcher the class whose main method runs the job
     * @param directory takes only the files of this recording
     */
    Recording(Path java, Path jar, Class<?> launcher, Path directory) {
        this.java = java;
        this.jar = jar;
        this.launcher = launcher;
        this.directory = directory;
    }

    /** Writes an archive. Returns whether that succeeded. */
    boolean make(Installation ours, Path archive) throws IOException {
        if (!train(ours)) {
            return false;
        }
        Path all = directory.resolve("all");
        Files.write(all, lists());
        List<String> command = List.of(
                java.toString(),
                "-Xshare:dump",
                "-Xlog:disable",
                "-XX:SharedClassListFile=" + all,
                "-XX:SharedArchiveFile=" + archive,
                "-cp",
                jar.toString());
        return run(command) && Files.exists(archive);
    }

    /** Ends the processes of this recording for good; {@link #make} then throws. Any thread. */
    synchronized void stop() {
        isStopped = true;
        if (running != null) {
            // The guardian of the training job ends its ranks.
            running.destroyForcibly();
        }
    }

    private synchronized Process start(ProcessBuilder builder) throws IOException {
        if (isStopped) {
            throw new IOException("stopped");
        }
        running = builder.start();
        return running;
    }

    private synchronized void requireNotStopped() throws IOException {
        if (isStopped) {
            throw new IOException("stopped");
        }
    }

    private boolean train(Installation ours) throws IOException {
        List<String> command = List.of(
                ours.java().toString(),
                "-XX:DumpLoadedClassList=" + directory.resolve("launcher.list"),
                "-cp",
                jar.toString(),
                launcher.getName(),
                "-n",
                Integer.toString(Training.RANKS),
                "--timeout",
                Long.toString(MOST_SECONDS / 2),
                "--spares",
                Integer.toString(Training.SPARES),
                "--inject",
                Training.KILL,
                java.toString(),
                "-XX:DumpLoadedClassList=" + directory.resolve("rank-%p.list"),
                "-cp",
                jar.toString(),
                Training.class.getName());
        return run(command);
    }

    /**
     * Returns the lines of all lists, without the last line of a list whose process was killed before it had written
     * all of it.
     */
    private Set<String> lists() throws IOException {
        Set<String> lines = new LinkedHashSet<>();
        try (DirectoryStream<Path> lists = Files.newDirectoryStream(directory, LISTS)) {
            for (Path list : lists) {
                String text = Files.readString(list, StandardCharsets.UTF_8);
                for (String line : text.substring(0, text.lastIndexOf('\n') + 1).split("\n")) {
                    lines.add(withoutId(line));
                }
            }
        }
        return lines;
    }

    /**
     * Returns the line without the number of its class. Newer virtual machines number the classes of a list, each
     * machine in another way, and only custom class loaders need the numbers.
     */
    private static String withoutId(String line) {
        int id = line.indexOf(" id: ");
        return id < 0 ? line : line.substring(0, id);
    }

    private boolean run(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command));
        // Options that the user gave in the environment must not reach the job of this recording.
        builder.environment().keySet().removeIf(name -> name.startsWith("ULFM_") || name.endsWith("_OPTIONS"));
        builder.redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD);
        Process process = start(builder);
        try {
            if (process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
                // Throws if a signal has ended the recording: that is no failure, and the next job shall try again.
                requireNotStopped();
                return process.exitValue() == 0;
            }
            process.destroyForcibly();
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException("the launcher's main thread is never interrupted", e);
        }
    }
}
