package org.ulfmj.check.command;

import java.io.PrintStream;
import org.ulfmj.command.GivenOptions;
import org.ulfmj.command.OptionTable;
import org.ulfmj.sim.Minimiser;
import org.ulfmj.sim.Schedule;
import org.ulfmj.sim.Violation;

/** {@code minimise}: looks for a smaller schedule that still fails in the same way. */
public final class MinimiseCommand {
    public static final OptionTable OPTIONS = OptionTable.of(
            "ulfm-sim minimise",
            "A smaller schedule that still breaks the same invariant: fewer ranks, faults and events.",
            Chosen.ofOne(),
            "");

    private MinimiseCommand() {}

    /**
     * Returns exit status 1 if the schedule breaks an invariant, hangs or throws, after a search for a smaller one that
     * fails in the same way; 0 if the schedule does not fail.
     */
    public static int run(GivenOptions arguments, PrintStream out) {
        Schedule schedule = Chosen.schedule(arguments);
        Violation violation = Minimiser.violationOf(schedule);
        if (violation == null) {
            out.println(schedule + ": no violation, nothing to minimise");
            return 0;
        }
        out.println(schedule + ": " + violation.getMessage());
        Minimiser minimiser = new Minimiser(violation.kind());
        Schedule smallest = minimiser.minimise(schedule);
        ReRunCommand.print(smallest, out);
        out.println("smallest of " + minimiser.tried() + " schedules tried; run it again: " + smallest.againCommand());
        return 1;
    }
}
