package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ulfmj.launch.Launched.Ended;

/**
 * Checks that on the way of a short MPI call the second compiler refuses to inline at most one method of ours because a
 * class in its signature is not loaded. It refuses this even for an accessor that returns null.
 */
@Tag("long")
class InliningIT {
    /**
     * A task of the second compiler in the compiler's log. Tasks of the first compiler have an attribute {@code level}.
     */
    private static final Pattern TASK =
            Pattern.compile("<task (?![^>]*level=)[^>]*method='([^ ']+ [^ ']+)[^>]*>(.*?)</task>", Pattern.DOTALL);

    private static final Pattern PART = Pattern.compile("<klass id='(\\d+)' name='([^']+)'"
            + "|<method id='(\\d+)' holder='(\\d+)' name='([^']+)'"
            + "|<call method='(\\d+)'"
            + "|<inline_fail reason='unloaded signature classes'");

    private static final List<String> CALLS =
            List.of("bcast", "barrier", "reduce", "allReduce", "send", "recv", "iSend", "iRecv");

    /**
     * The method that begins the record of a longer wait, after polling has brought nothing; inlining saves nothing
     * there.
     */
    private static final String AFTER_POLLING = "org.ulfmj.runtime.RankEngine.beginWait";

    @TempDir
    Path directory;

    @Test
    void shouldInlineAllAccessorsOnTheWayOfAShortCall() throws Exception {
        Ended job = Launched.run(Launched.program(
                "-n 2 --timeout 100 java -Xbatch -XX:Tier4InvocationThreshold=2000 -XX:+UnlockDiagnosticVMOptions"
                        + " -XX:+LogCompilation -XX:LogFile=" + directory + "/%p.xml",
                ShortCalls.class));
        assertThat(job.exitCode()).as(job.err()).isZero();
        TreeSet<String> compiled = new TreeSet<>();
        TreeSet<String> refused = new TreeSet<>();
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(directory, "*.xml")) {
            for (Path log : logs) {
                read(Files.readString(log), compiled, refused);
            }
        }
        for (String call : CALLS) {
            assertThat(compiled)
                    .as("%s, compiled by itself or into its caller", call)
                    .containsAnyOf(
                            "mpi.Comm " + call,
                            "mpi.CollectiveCalls " + call,
                            "mpi.ReductionCalls " + call,
                            ShortCalls.class.getName() + " collectives",
                            ShortCalls.class.getName() + " messages");
        }
        assertThat(refused).isSubsetOf(AFTER_POLLING);
    }

    private static void read(String log, TreeSet<String> compiled, TreeSet<String> refused) {
        Matcher task = TASK.matcher(log);
        while (task.find()) {
            compiled.add(task.group(1));
            readTask(task.group(2), refused);
        }
    }

    private static void readTask(String task, TreeSet<String> refused) {
        Map<String, String> classes = new HashMap<>();
        Map<String, String> methods = new HashMap<>();
        String called = "";
        Matcher part = PART.matcher(task);
        while (part.find()) {
            if (part.group(1) != null) {
                classes.put(part.group(1), part.group(2));
            } else if (part.group(3) != null) {
                methods.put(part.group(3), classes.get(part.group(4)) + "." + part.group(5));
            } else if (part.group(6) != null) {
                called = methods.getOrDefault(part.group(6), "");
            } else if (called.startsWith("mpi.") || called.startsWith("org.ulfmj.")) {
                refused.add(called);
            }
        }
    }
}
