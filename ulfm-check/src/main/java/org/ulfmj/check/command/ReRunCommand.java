package org.ulfmj.check.command;

import java.io.PrintStream;
import java.util.List;
import org.ulfmj.sim.EventLog;
import org.ulfmj.sim.Outcome;
import org.ulfmj.sim.Schedule;

/** {@code re-run}: runs one schedule, and prints all its events. */
public final class ReRunCommand {
    private ReRunCommand() {}

    /** Exit status 0 if nothing was violated, else 1. */
    public static int run(String[] args) {
        List<String> known = List.of(Chosen.PROTOCOL, Chosen.RANKS, Chosen.SEED, Chosen.WITHOUT);
        return print(Chosen.schedule(new CommandOptions(args, known)), System.out);
    }

    static int print(Schedule schedule, PrintStream out) {
        EventLog log = EventLog.readable();
        Outcome outcome = schedule.run(log);
        out.println("planned:");
        outcome.plan().forEach(out::println);
        out.println("happened:");
        log.lines().forEach(out::println);
        out.printf("%s: log hash %016x, %d events%n", schedule, outcome.logHash(), outcome.events());
        out.println("went through: " + outcome.covered());
        if (outcome.violation() == null) {
            out.println("no violation");
            return 0;
        }
        out.println("VIOLATION: " + outcome.violation().getMessage());
        if (outcome.violation().getCause() != null) {
            outcome.violation().getCause().printStackTrace(out);
        }
        return 1;
    }
}
