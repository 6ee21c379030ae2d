package org.ulfmj.sim.command;

import java.io.PrintStream;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ulfmj.sim.EventLog;
import org.ulfmj.sim.Outcome;
import org.ulfmj.sim.SeedReport;

/** A failed schedule for a person: what it broke, the line that runs it again, its plan, and how it ended. */
final class FailureText {
    private static final int LAST_EVENTS = 25;
    private static final Pattern PROCESS = Pattern.compile("process ([0-9]+)");

    private FailureText() {}

    static void print(SeedReport.Failure failure, PrintStream out) {
        EventLog log = EventLog.readable();
        Outcome outcome = failure.schedule().run(log);
        out.println(failure);
        out.println("  make it smaller: " + failure.schedule().minimiseCommand());
        out.println("  planned:");
        outcome.plan().forEach(item -> out.println("  " + item));
        SortedSet<Integer> concerned = processesIn(failure.violation().getMessage());
        out.println("  the last events" + (concerned.isEmpty() ? ":" : " of processes " + concerned + ":"));
        lastEvents(log, concerned).forEach(out::println);
    }

    private static List<String> lastEvents(EventLog log, SortedSet<Integer> concerned) {
        return log.lastLines(LAST_EVENTS, concerned);
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
