package org.ulfmj.check.command;

import java.io.PrintStream;
import org.ulfmj.command.GivenOptions;
import org.ulfmj.command.OptionTable;
import org.ulfmj.sim.EventLog;
import org.ulfmj.sim.Outcome;
import org.ulfmj.sim.Schedule;

/** {@code re-run}: runs one schedule, and prints its plan, the lines of its log, and its result. */
public final class ReRunCommand {
    public static final OptionTable OPTIONS = OptionTable.of(
            "ulfm-sim re-run",
            "One schedule, with everything that happened in it; with the --protocol and --ranks of a run, its seed S.",
            Chosen.ofOne(),
            "");

    private ReRunCommand() {}

    /** Returns exit status 0 if the schedule did not fail; 1 if it broke an invariant, hung or threw. */
    public static int run(GivenOptions arguments, PrintStream out) {
        return print(Chosen.schedule(arguments), out);
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
