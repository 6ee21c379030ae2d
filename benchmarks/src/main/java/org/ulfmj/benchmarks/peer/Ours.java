package org.ulfmj.benchmarks.peer;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ulfmj.benchmarks.job.Commands;
import org.ulfmj.benchmarks.job.JobSpec;
import org.ulfmj.benchmarks.result.Result;

/** How our own jobs are started. */
public final class Ours {
    /** The label of the job whose programs use no MPI library. */
    public static final String BARE = "bare";

    private static final Map<String, Set<String>> BARE_CELLS = Map.of(
            "shm",
            Set.of("pp:8", "pp:64k", "ppsw:1m", "rate:8", "barrier", "bcast:8", "reduce:8", "allreduce:8"),
            "tcp",
            Set.of("pp:8", "pp:64k", "pp:4m"));

    private final String mpiexec;
    private final String classes;
    private final boolean binds;
    private final int cores = Runtime.getRuntime().availableProcessors();

    /** @param home the project's folder */
    public Ours(Path home) throws IOException, InterruptedException {
        mpiexec = home.resolve("bin/mpiexec").toString();
        classes = home.resolve("benchmarks/target/classes").toString();
        // The use of the launcher also builds the library that is to be measured, if its jar is missing or older than a
        // source file.
        binds = Commands.run(List.of(mpiexec, "--help")).contains("--bind-to");
    }

    /** The job that runs our cells with some ranks over a medium, {@code shm} or {@code tcp}. */
    public JobSpec cells(String label, int ranks, String medium, String... options) {
        return cells(label, ranks, medium, List.of(options), List.of());
    }

    /**
     * @param options of the launcher
     * @param java options of the ranks' virtual machines
     */
    public JobSpec cells(String label, int ranks, String medium, List<String> options, List<String> java) {
        List<String> command = new ArrayList<>(List.of(mpiexec, "-n", Integer.toString(ranks)));
        if (binds) {
            command.addAll(List.of("--bind-to", ranks <= cores ? "core" : "none"));
        }
        command.addAll(List.of("--set", "ulfm.transport=" + medium));
        command.addAll(options);
        command.add("java");
        command.addAll(java);
        command.addAll(List.of("-cp", classes, Programs.PACKAGE + "OwnCells"));
        return new JobSpec(label, command, Map.of(), !binds && ranks <= cores);
    }

    /** The job that runs some cells with some ranks without any library, started by our launcher. */
    public JobSpec bareCells(int ranks, String medium) {
        List<String> command = new ArrayList<>(List.of(mpiexec, "-n", Integer.toString(ranks)));
        command.addAll(List.of("--bind-to", ranks <= cores ? "core" : "none"));
        command.addAll(List.of("java", "-cp", classes, Programs.PACKAGE + "BareCells", medium));
        return new JobSpec(BARE, command, Map.of(), false, false, BARE_CELLS.get(medium)::contains);
    }

    /** The command that starts the smallest program, as a user would. */
    public List<String> hello(int ranks, String... arguments) {
        List<String> command = new ArrayList<>(
                List.of(mpiexec, "-n", Integer.toString(ranks), "java", "-cp", classes, Programs.PACKAGE + "Hello"));
        command.addAll(List.of(arguments));
        return command;
    }

    /** The whole job of the first seconds, as a user would start it. */
    public JobSpec firstSeconds(int ranks) {
        List<String> command = List.of(
                mpiexec, "-n", Integer.toString(ranks), "java", "-cp", classes, Programs.PACKAGE + "OwnFirstSeconds");
        return new JobSpec(Result.OURS, command, Map.of(), false);
    }

    /** The whole job of the first seconds without any library, started as ours is. */
    public JobSpec bareFirstSeconds(int ranks) {
        List<String> command = List.of(
                mpiexec, "-n", Integer.toString(ranks), "java", "-cp", classes, Programs.PACKAGE + "BareFirstSeconds");
        return new JobSpec(BARE, command, Map.of(), false);
    }

    /**
     * The command that starts a program of the recovery mode.
     *
     * @param options of the launcher
     * @param java options of the ranks' virtual machines
     */
    public List<String> recoveries(int ranks, List<String> options, List<String> java, String work) {
        List<String> command = new ArrayList<>(List.of(mpiexec, "-n", Integer.toString(ranks)));
        command.addAll(options);
        command.add("java");
        command.addAll(java);
        command.addAll(List.of("-cp", classes, Programs.PACKAGE + "Recoveries", work));
        return command;
    }

    /** The command that starts the smallest program without MPI. */
    public List<String> plainHello() {
        return List.of(Java.home("java"), "-cp", classes, Programs.PACKAGE + "PlainHello");
    }
}
