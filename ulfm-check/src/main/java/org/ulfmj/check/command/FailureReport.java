package org.ulfmj.check.command;

import java.io.PrintStream;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ulfmj.sim.EventLog;
import org.ulfmj.sim.Outcome;
import org.ulfmj.sim.SeedReport;

/**
 * The text about a failed schedule: the failure, the command that makes the schedule smaller, its plan, and its last
 * events. If the violation's message names processes, only events of these or about these are shown.
 */
final class FailureReport {
    private static final int LAST_EVENTS = 25;
    private static final int WIDTH = 160;
    private static final Pattern PROCESS = Pattern.compile("process ([0-9]+)");

    private FailureReport() {}

    static void print(SeedReport.Failure failure, PrintStream out) {
        EventLog log = EventLog.readable();
        Outcome outcome = failure.schedule().run(log);
        out.println(failure);
        out.println("  make it smaller: " + failure.schedule().minimiseCommand());
        out.println("  planned:");
        outcome.plan().forEach(item -> out.println("  " + item));
        SortedSet<Integer> concerned = processesIn(failure.violation().getMessage());
        out.println("  the last events" + (concerned.isEmpty() ? ":" : " of processes " + concerned + ":"));
        log.lastLines(LAST_EVENTS, concerned).forEach(line -> out.println(shortened(line)));
    }

    private static String shortened(String line) {
        return line.length() <= WIDTH ? line : line.substring(0, WIDTH - 1) + "…";
    }

    private static SortedSet<Integer> processesIn(String text) {
        SortedSet<Integer> processes = new TreeSet<>();
        Matcher matcher = PROCESS.matcher(text);
        while (matcher.find()) {
            processes.add(Integer.parseInt(matcher.group(1)));
        }
        return processes;
    }
}
