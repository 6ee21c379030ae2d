package org.ulfmj.check.command;

import java.util.List;
import org.ulfmj.sim.SeedRange;
import org.ulfmj.sim.SeedReport;
import org.ulfmj.sim.SeedRun;

/** {@code run}: runs many schedules, and shows the progress in a line. */
public final class RunCommand {
    private static final String SEEDS = "--seeds";
    private static final String THREADS = "--threads";
    private static final String FAILURES = "--failures";
    private static final int MOST_THREADS = 1024;

    private RunCommand() {}

    /** Exit status 0 if nothing was violated, else 1. */
    public static int run(String[] args) throws InterruptedException {
        CommandOptions arguments =
                new CommandOptions(args, List.of(Chosen.PROTOCOL, Chosen.RANKS, SEEDS, THREADS, FAILURES));
        Chosen chosen = Chosen.from(arguments);
        SeedRange seeds = arguments.range(SEEDS, "1..10000");
        int cores = Runtime.getRuntime().availableProcessors();
        int threads = arguments.number(THREADS, cores, 1, MOST_THREADS);
        int enough = arguments.number(FAILURES, 5, 1, Integer.MAX_VALUE);
        LiveLine live = new LiveLine(System.out, LiveLine.isOnTerminal());
        SeedReport report =
                new SeedRun(chosen.scenarios(), chosen.ranks(), seeds, enough).run(threads, live.everyMillis(), live);
        live.end();
        System.out.println(report.summary());
        for (SeedReport.Failure failure : report.failures()) {
            System.out.println();
            FailureReport.print(failure, System.out);
        }
        return report.failures().isEmpty() ? 0 : 1;
    }
}
