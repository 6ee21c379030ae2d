package examples.hosts;

import examples.RunningCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Runs each test template once, or as often as {@code -Dhosts.runs} says, and counts the runs that passed, failed, hung
 * or were skipped. With that property a table of these counts is added to {@code target/hosts.txt}, for
 * {@code .ci/hosts}.
 */
final class Ends
        implements TestTemplateInvocationContextProvider,
                BeforeTestExecutionCallback,
                AfterTestExecutionCallback,
                TestWatcher,
                AfterAllCallback {
    private static final String RUNS = "hosts.runs";
    private static final double SECOND_NS = 1e9;

    /** The runs of one case. */
    private static final class Case {
        private final List<Long> tookNs = new ArrayList<>();
        private int right;
        private int wrong;
        private int hung;
        private int skipped;

        private String line(String name) {
            Collections.sort(tookNs);
            String times = tookNs.isEmpty()
                    ? ""
                    : String.format(
                            Locale.ROOT,
                            "%.1f, %.1f, %.1f",
                            tookNs.get(0) / SECOND_NS,
                            tookNs.get(tookNs.size() / 2) / SECOND_NS,
                            tookNs.get(tookNs.size() - 1) / SECOND_NS);
            int runs = right + wrong + hung + skipped;
            return String.format("%-76s %5d %5d %5d %5d %7d  %s", name, runs, right, wrong, hung, skipped, times);
        }
    }

    private final Map<String, Case> cases = new TreeMap<>();
    private long beganNs;

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        return IntStream.range(0, Integer.getInteger(RUNS, 1)).mapToObj(run -> new TestTemplateInvocationContext() {});
    }

    @Override
    public void beforeTestExecution(ExtensionContext context) {
        beganNs = System.nanoTime();
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        of(context).tookNs.add(System.nanoTime() - beganNs);
    }

    private Case of(ExtensionContext context) {
        return cases.computeIfAbsent(context.getRequiredTestMethod().getName(), name -> new Case());
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        of(context).right++;
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        if (cause instanceof RunningCommand.TooLate || cause instanceof TimeoutException) {
            of(context).hung++;
        } else {
            of(context).wrong++;
        }
    }

    @Override
    public void testAborted(ExtensionContext context, Throwable cause) {
        of(context).skipped++;
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        if (System.getProperty(RUNS) == null) {
            return;
        }
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                "%-76s %5s %5s %5s %5s %7s  %s",
                "case", "runs", "right", "wrong", "hung", "skipped", "least, middle, most s"));
        cases.forEach((name, each) -> lines.add(each.line(name)));
        Files.write(Path.of("target", "hosts.txt"), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
