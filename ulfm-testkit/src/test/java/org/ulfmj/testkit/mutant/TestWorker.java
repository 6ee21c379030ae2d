package org.ulfmj.testkit.mutant;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectUniqueId;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * The main class of a process that runs single tests, with and without a mutant. It reads one command per line and
 * prints the answer:
 *
 * <ul>
 *   <li>{@code tests CLASS}: the unique ids of the tests of a class, one per line, and an empty line
 *   <li>{@code run NUMBER LIMIT ID}: runs a test with the mutant of this number, or with none for -1, for at most LIMIT
 *       milliseconds; the answer is {@code passed} (for -1 with the numbers of the mutants that the test reaches),
 *       {@code none} if no test succeeded or failed, or {@code failed} with the reason
 * </ul>
 *
 * <p>A test that hangs is left running: a new process would take longer to start than most tests take.
 */
final class TestWorker {
    /** The answer for a test that has not ended within its limit. */
    static final String HUNG = "failed: not over in time";

    private final Launcher launcher = LauncherFactory.create();
    private final Field on;
    private final boolean[] reached;

    private TestWorker() throws ReflectiveOperationException {
        Class<?> mutants = Class.forName("mpi.Mutants");
        on = mutants.getField("on");
        reached = (boolean[]) mutants.getField("REACHED").get(null);
    }

    public static void main(String[] args) throws Exception {
        PrintStream answers = System.out;
        System.setOut(System.err);
        TestWorker worker = new TestWorker();
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String[] words = line.split(" ", 4);
            answers.println(
                    words[0].equals("tests")
                            ? worker.tests(words[1])
                            : worker.run(Integer.parseInt(words[1]), words[3], Long.parseLong(words[2])));
            answers.flush();
        }
        Runtime.getRuntime().halt(0);
    }

    private String tests(String name) {
        TestPlan plan = launcher.discover(request(selectClass(name)));
        StringBuilder ids = new StringBuilder();
        for (TestIdentifier root : plan.getRoots()) {
            for (TestIdentifier each : plan.getDescendants(root)) {
                if (each.getSource().orElse(null) instanceof MethodSource) {
                    ids.append(each.getUniqueId()).append('\n');
                }
            }
        }
        return ids.toString();
    }

    private String run(int mutant, String id, long limitMs) throws IllegalAccessException, InterruptedException {
        Arrays.fill(reached, false);
        on.setInt(null, mutant);
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        Thread test = new Thread(() -> LauncherFactory.create().execute(request(selectUniqueId(id)), listener));
        test.setDaemon(true);
        test.start();
        test.join(limitMs);
        // From here on no mutant is on and none is noted, also for threads that the test left running.
        on.setInt(null, -2);
        if (test.isAlive()) {
            return HUNG;
        }
        TestExecutionSummary summary = listener.getSummary();
        if (summary.getTotalFailureCount() > 0) {
            return "failed: "
                    + String.valueOf(summary.getFailures().get(0).getException())
                            .strip()
                            .replaceAll("\\s+", " ");
        } else if (summary.getTestsSucceededCount() == 0) {
            return "none";
        }
        return "passed "
                + IntStream.range(0, reached.length)
                        .filter(number -> reached[number])
                        .mapToObj(String::valueOf)
                        .collect(Collectors.joining(","));
    }

    private static LauncherDiscoveryRequest request(DiscoverySelector selector) {
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(selector)
                .filters(TagFilter.excludeTags("long", "release"))
                .build();
    }
}
