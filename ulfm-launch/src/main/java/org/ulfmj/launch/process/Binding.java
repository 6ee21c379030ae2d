package org.ulfmj.launch.process;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ulfmj.launch.command.UsageException;

/**
 * Which cores each rank may use. With binding, rank i may use the i-th core of those that {@code mpiexec} itself may
 * use, by the {@code taskset} of util-linux; without binding, any core. Immutable.
 */
public final class Binding {
    public static final Binding NONE = new Binding(null, List.of());

    private static final List<String> KNOWN = List.of("/usr/bin/taskset", "/bin/taskset");
    private static final String STATUS = "/proc/self/status";
    private static final String ALLOWED = "Cpus_allowed_list:";

    private final String taskset;
    private final List<Integer> cores;

    private Binding(String taskset, List<Integer> cores) {
        this.taskset = taskset;
        this.cores = cores;
    }

    /** @throws UsageException if there are fewer cores than ranks, or no {@code taskset} */
    public static Binding toCores(int size) {
        for (String taskset : KNOWN) {
            if (Files.isExecutable(Path.of(taskset))) {
                return toCores(size, taskset, allowed());
            }
        }
        throw new UsageException("--bind-to core: it needs taskset, which is not here (Debian: apt install util-linux);"
                + " use --bind-to none");
    }

    public static Binding toCores(int size, String taskset, List<Integer> cores) {
        if (size > cores.size()) {
            throw new UsageException("--bind-to core: " + size + " ranks, but mpiexec may use " + cores.size()
                    + (cores.size() == 1 ? " core" : " cores") + "; start at most " + cores.size()
                    + ", or use --bind-to none");
        }
        return new Binding(taskset, cores);
    }

    public boolean isToCores() {
        return taskset != null;
    }

    /** The words that stand before the command of a rank. */
    public List<String> prefix(int rank) {
        return isToCores() ? List.of(taskset, "-c", Integer.toString(cores.get(rank))) : List.of();
    }

    /** Binds a running process with all its threads. It does not fail if the process is gone. */
    public void bind(long pid, int rank) {
        if (!isToCores()) {
            return;
        }
        List<String> command =
                List.of(taskset, "-a", "-c", "-p", Integer.toString(cores.get(rank)), Long.toString(pid));
        try {
            new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            // The process then has all cores, which costs the other ranks some speed and has no other effect.
        }
    }

    private static List<Integer> allowed() {
        try (FileInputStream status = new FileInputStream(STATUS)) {
            String text = new String(status.readAllBytes(), StandardCharsets.ISO_8859_1);
            for (String line : text.split("\n")) {
                if (line.startsWith(ALLOWED)) {
                    return parse(line.substring(ALLOWED.length()).trim());
                }
            }
        } catch (IOException | NumberFormatException unknown) {
            // The exception below says it.
        }
        throw new UsageException(
                "--bind-to core: " + STATUS + " does not tell which cores may be used; use --bind-to none");
    }

    /** Reads a list of cores as the kernel writes it: {@code 0-2,7}. */
    public static List<Integer> parse(String list) {
        List<Integer> cores = new ArrayList<>();
        for (String range : list.split(",")) {
            int dash = range.indexOf('-');
            int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
            int last = dash < 0 ? first : Integer.parseInt(range.substring(dash + 1));
            for (int core = first; core <= last; core++) {
                cores.add(core);
            }
        }
        return cores;
    }
}
