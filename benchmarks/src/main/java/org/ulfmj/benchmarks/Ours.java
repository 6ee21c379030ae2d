package org.ulfmj.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ulfmj.benchmarks.job.Commands;
import org.ulfmj.benchmarks.job.JobSpec;

/** How our own jobs are started. */
final class Ours {
    private static final String CELLS = "org.ulfmj.benchmarks.program.Cells";

    private final String mpiexec;
    private final String classes;
    private final boolean binds;
    private final int cores = Runtime.getRuntime().availableProcessors();

    /** @param home the project's folder */
    Ours(Path home) throws IOException, InterruptedException {
        mpiexec = home.resolve("bin/mpiexec").toString();
        classes = home.resolve("benchmarks/target/classes").toString();
        // The first use also builds what is to be measured, and makes the archive of classes.
        binds = Commands.run(List.of(mpiexec, "--help")).contains("--bind-to");
    }

    /** Our cells with some ranks over a medium, {@code shm} or {@code tcp}. */
    JobSpec cells(String label, int ranks, String medium, String... options) {
        List<String> all = new ArrayList<>(List.of("--set", "ulfm.transport=" + medium));
        all.addAll(List.of(options));
        return new JobSpec(label, command(ranks, all, CELLS), Map.of(), !binds && ranks <= cores);
    }

    /** The command that runs a program of these benchmarks. */
    List<String> command(int ranks, List<String> options, String... program) {
        List<String> command = new ArrayList<>(List.of(mpiexec, "-n", Integer.toString(ranks)));
        if (binds) {
            command.addAll(List.of("--bind-to", ranks <= cores ? "core" : "none"));
        }
        command.addAll(options);
        command.addAll(List.of("java", "-cp", classes));
        command.addAll(List.of(program));
        return command;
    }
}
