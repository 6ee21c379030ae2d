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
 * By what an Open MPI copies a large message between processes in one step: {@code cma}, {@code xpmem}, {@code knem},
 * or not at all. Ratios of large messages mean something else without it, so it is noted with its version.
 */
final class SingleCopy {
    /** Of Open MPI 4: a parameter of its shared memory. */
    private static final Pattern PARAMETER =
            Pattern.compile("btl_(?:vader|sm)_single_copy_mechanism:value:\"?([a-z_]+)\"?");

    /** Of Open MPI 5: components that are there. */
    private static final Pattern COMPONENT = Pattern.compile("(?m)^mca:smsc:([a-z_]+):version:");

    /** Whether the kernel lets processes read each other's memory that are not each other's parents. */
    private static final Path PTRACE_SCOPE = Path.of("/proc/sys/kernel/yama/ptrace_scope");

    private SingleCopy() {}

    /** @param run its launcher, beside which its command that tells its settings is */
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

    /** What the settings name. */
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
