package org.ulfmj.launch.archive;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.ulfmj.launch.program.Installation;

/**
 * Makes an archive. A job like any other ({@link Training}) runs, and its launcher and ranks list the classes that they
 * load. Then a virtual machine writes the classes of all lists into an archive.
 */
final class Recording {
    /** How long the training job may take. */
    private static final int MOST_SECONDS = 30;

    private static final String LISTS = "*.list";

    private final Path java;
    private final Path jar;
    private final Class<?> launcher;
    private final QuietRun commands;
    private final Path directory;

    /**
     * @param launcher the class whose main method runs the job
     * @param directory a directory that holds only the files of this recording
     */
    Recording(ArchiveKey key, Class<?> launcher, QuietRun commands, Path directory) {
        this.java = key.java();
        this.jar = key.jar();
        this.launcher = launcher;
        this.commands = commands;
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
        return commands.run(command) && Files.exists(archive);
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
                Integer.toString(MOST_SECONDS),
                "--spares",
                Integer.toString(Training.SPARES),
                "--inject",
                Training.KILL,
                java.toString(),
                "-XX:DumpLoadedClassList=" + directory.resolve("rank-%p.list"),
                "-cp",
                jar.toString(),
                Training.class.getName());
        return commands.run(command);
    }

    /**
     * Returns the lines of all lists. The last line of a list is left out if its process was killed before it had
     * written the whole line.
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
     * machine differently, and only custom class loaders need the numbers.
     */
    private static String withoutId(String line) {
        int id = line.indexOf(" id: ");
        return id < 0 ? line : line.substring(0, id);
    }
}
