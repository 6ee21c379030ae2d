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
 * Which core each rank may use: rank i the i-th of those that {@code mpiexec} itself may use, by the {@code taskset} of
 * util-linux; or any, where no binding is asked for. Immutable.
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

    /** @throws UsageException if there are fewer cores than ranks, or nothing to bind with */
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

    /** The words in front of the command of a rank. */
    public List<String> prefix(int rank) {
        return isToCores() ? List.of(taskset, "-c", Integer.toString(cores.get(rank))) : List.of();
    }

    /** Binds a process that runs already, with all its threads. It need not succeed: the process may be gone. */
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
            // It has all cores then, which costs the others some speed and nothing else.
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
            // Said below.
        }
        throw new UsageException(
                "--bind-to core: " + STATUS + " does not tell which cores may be used; use --bind-to none");
    }

    /** As the kernel writes it: {@code 0-2,7}. */
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
