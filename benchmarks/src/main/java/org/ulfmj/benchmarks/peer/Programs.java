package org.ulfmj.benchmarks.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ulfmj.benchmarks.job.Commands;

/**
 * Compiles our Java programs for the library of another MPI. The compiler itself finds the classes of ours that they
 * use, so that there is no list of files.
 */
final class Programs {
    public static final String PACKAGE = "org.ulfmj.benchmarks.program.";

    private final Path sources;

    /** @param home the project's folder */
    public Programs(Path home) {
        sources = home.resolve("benchmarks/src/main");
    }

    /** Compiles programs of {@value #PACKAGE}, and the classes that they use, into a folder, made if it is missing. */
    public void compile(Path library, Path classes, String... names) throws IOException, InterruptedException {
        Path folder = sources.resolve("java").resolve(PACKAGE.replace('.', '/'));
        compile(
                library,
                classes,
                Arrays.stream(names).map(name -> folder.resolve(name + ".java")).toList());
    }

    /** Compiles the program for MPJ Express, in whose package {@code mpi} the calls have other names. */
    public void compileForMpjExpress(Path library, Path classes) throws IOException, InterruptedException {
        compile(library, classes, List.of(sources.resolve("mpj/MpjCells.java")));
    }

    private void compile(Path library, Path classes, List<Path> programs) throws IOException, InterruptedException {
        // Package mpi must be that of the library: the class path has no other entry, and the source path has no source
        // in that package.
        List<String> command = new ArrayList<>(List.of(
                Java.home("javac"),
                "-nowarn",
                "-proc:none",
                "-implicit:class",
                "-d",
                Files.createDirectories(classes).toString(),
                "-cp",
                library.toString(),
                "-sourcepath",
                sources.resolve("java").toString()));
        programs.forEach(program -> command.add(program.toString()));
        Commands.run(command);
    }
}
