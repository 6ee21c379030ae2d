package org.ulfmj.benchmarks.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ulfmj.benchmarks.job.Commands;

/**
 * The mechanism by which an Open MPI copies a large message between processes in one step, for instance {@code cma} or
 * {@code xpmem}, or none. It changes the ratios of large messages, so it is noted with the version.
 */
final class SingleCopy {
    /** Open MPI 4: the parameter of shared memory that names the single-copy mechanism. */
    private static final Pattern PARAMETER =
            Pattern.compile("btl_(?:vader|sm)_single_copy_mechanism:value:\"?([a-z_]+)\"?");

    /** Open MPI 5: the installed components for single-copy. */
    private static final Pattern COMPONENT = Pattern.compile("(?m)^mca:smsc:([a-z_]+):version:");

    /** The kernel's setting whether a process may read the memory of another that is not its child. */
    private static final Path PTRACE_SCOPE = Path.of("/proc/sys/kernel/yama/ptrace_scope");

    private SingleCopy() {}

    /** @param run the launcher of the Open MPI; {@code ompi_info}, which prints its settings, is expected beside it */
    public static String of(Path run) throws IOException, InterruptedException {
        Path tells = run.resolveSibling("ompi_info");
        if (!Files.isExecutable(tells)) {
            return "unknown, no " + tells;
        }
        String said = Commands.run(List.of(tells.toString(), "--all", "--parsable"));
        String scope = Files.exists(PTRACE_SCOPE)
                ? ", ptrace_scope " + Files.readString(PTRACE_SCOPE).strip()
                : "";
        return mechanism(said) + scope;
    }

    /** The mechanisms that the settings name; if they name none, a text that says so. */
    public static String mechanism(String settings) {
        TreeSet<String> found = new TreeSet<>();
        for (Pattern pattern : List.of(PARAMETER, COMPONENT)) {
            Matcher matcher = pattern.matcher(settings);
            while (matcher.find()) {
                found.add(matcher.group(1));
            }
        }
        return found.isEmpty() ? "unknown, ompi_info does not name it" : String.join(" or ", found);
    }
}
