package org.ulfmj.check.command;

import static org.ulfmj.command.CommandOption.value;

import java.io.PrintStream;
import org.ulfmj.command.GivenOptions;
import org.ulfmj.command.OptionTable;
import org.ulfmj.sim.SeedRange;
import org.ulfmj.sim.SeedReport;
import org.ulfmj.sim.SeedRun;

/** {@code run}: runs many schedules, shows the progress meanwhile, and reports the failures at the end. */
public final class RunCommand {
    private static final String SEEDS = "--seeds";
    private static final String THREADS = "--threads";
    private static final String FAILURES = "--failures";
    private static final int MOST_THREADS = 1024;

    public static final OptionTable OPTIONS = OptionTable.of(
            "ulfm-sim run",
            "Many schedules; ends with status 1 if one broke an invariant, and says how to run it again.",
            Chosen.ofMany(
                    value("N..N", "Seeds of the schedules (default 1..10000).", SEEDS),
                    value("N", "Schedules at a time, 1 to 1024 (default one for each core).", THREADS),
                    value("N", "Broken schedules after which the run ends (default 5).", FAILURES)),
            "");

    private RunCommand() {}

    /**
     * Returns exit status 0 if no schedule failed; 1 if one broke an invariant, hung, threw, or gave another log hash
     * when it was run again.
     */
    public static int run(GivenOptions arguments, PrintStream out) throws InterruptedException {
        Chosen chosen = Chosen.from(arguments);
        SeedRange seeds = SeedRange.parse(SEEDS, arguments.text(SEEDS, "1..10000"));
        int cores = Runtime.getRuntime().availableProcessors();
        int threads = arguments.number(THREADS, cores, 1, MOST_THREADS);
        int enough = arguments.number(FAILURES, 5, 1, Integer.MAX_VALUE);
        LiveLine live = new LiveLine(out, LiveLine.isOnTerminal());
        SeedReport report =
                new SeedRun(chosen.scenarios(), chosen.ranks(), seeds, enough).run(threads, live.everyMillis(), live);
        live.end();
        out.println(report.summary());
        for (SeedReport.Failure failure : report.failures()) {
            out.println();
            FailureReport.print(failure, out);
        }
        return report.failures().isEmpty() ? 0 : 1;
    }
}
