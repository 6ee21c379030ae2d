package org.ulfmj.check.command;

import java.util.List;
import org.ulfmj.sim.Minimiser;
import org.ulfmj.sim.Schedule;
import org.ulfmj.sim.Violation;

/** {@code minimise}: looks for a smaller schedule that still breaks the same invariant. */
public final class MinimiseCommand {
    private MinimiseCommand() {}

    /** Exit status 1 if the schedule breaks an invariant and was made smaller, 0 if it breaks none. */
    public static int run(String[] args) {
        List<String> known = List.of(Chosen.PROTOCOL, Chosen.RANKS, Chosen.SEED, Chosen.WITHOUT);
        Schedule schedule = Chosen.schedule(new CommandOptions(args, known));
        Violation violation = Minimiser.violationOf(schedule);
        if (violation == null) {
            System.out.println(schedule + ": no violation, nothing to minimise");
            return 0;
        }
        System.out.println(schedule + ": " + violation.getMessage());
        Minimiser minimiser = new Minimiser(violation.kind());
        Schedule smallest = minimiser.minimise(schedule);
        ReRunCommand.print(smallest, System.out);
        System.out.println(
                "smallest of " + minimiser.tried() + " schedules tried; run it again: " + smallest.againCommand());
        return 1;
    }
}
