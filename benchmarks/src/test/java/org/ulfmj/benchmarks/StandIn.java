package org.ulfmj.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.ulfmj.benchmarks.job.Commands;
import org.ulfmj.benchmarks.peer.Java;

/**
 * A folder that looks like an installed Open MPI with Java bindings, in which {@code MPIException} is a checked
 * exception. Its jobs have one rank.
 */
public final class StandIn {
    public static final Path HOME = Path.of("").toAbsolutePath().getParent();
    private static final Path SOURCES = HOME.resolve("benchmarks/src/test/stand-in/mpi");

    private final Path folder;

    /** Installs it. */
    public StandIn(Path folder) throws IOException, InterruptedException {
        this.folder = folder;
        Path classes = Files.createDirectories(folder.resolve("classes"));
        List<String> javac = new ArrayList<>(List.of(Java.home("javac"), "-d", classes.toString()));
        try (Stream<Path> sources = Files.list(SOURCES)) {
            sources.forEach(source -> javac.add(source.toString()));
        }
        Commands.run(javac);
        Files.createDirectories(folder.resolve("lib"));
        Commands.run(
                List.of(Java.home("jar"), "--create", "--file", library().toString(), "-C", classes.toString(), "."));
        script("mpirun", "echo 'mpirun (Open MPI) 5.0.10'");
    }

    public Path library() {
        return folder.resolve("lib/mpi.jar");
    }

    /** Adds a shell script with this one line to the folder {@code bin} of the stand-in. */
    public void script(String name, String line) throws IOException {
        Path file = Files.createDirectories(folder.resolve("bin")).resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + line + "\n");
        if (!file.toFile().setExecutable(true)) {
            throw new IOException(file + " cannot be made executable");
        }
    }
}
