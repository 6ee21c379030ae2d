package org.ulfmj.testkit.mutant;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** The main class of a process that runs one test class: ends with status 1 if a test fails, and 2 if none ran. */
final class TestRun {
    private TestRun() {}

    public static void main(String[] args) {
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(args[0]))
                                .build(),
                        summary);
        summary.getSummary().printFailuresTo(new PrintWriter(System.out, true), 3);
        long ran = summary.getSummary().getTestsStartedCount();
        Runtime.getRuntime().halt(ran == 0 ? 2 : summary.getSummary().getTotalFailureCount() > 0 ? 1 : 0);
    }
}
