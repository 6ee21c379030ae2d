package org.ulfmj.check.exhaustive;

import static org.ulfmj.command.CommandOption.value;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.ulfmj.command.GivenOptions;
import org.ulfmj.command.OptionTable;
import org.ulfmj.sim.Stopwatch;

/**
 * {@code exhaustive}: visits every state of the worlds that {@code --world} names, in each up to the first broken
 * property, and prints how many it found.
 */
public final class ExhaustiveCommand {
    private static final String WORLD = "--world";
    private static final String REDUCTION = "--reduction";

    public static final OptionTable OPTIONS = OptionTable.of(
            "ulfm-sim exhaustive",
            "Every schedule of small worlds, each state once; the first that breaks something is told step by step.",
            List.of(
                    value("NAME,...|small|large|all", "Worlds to visit (default small).", WORLD),
                    value("on|off", "Whether schedules that end alike are visited once (default on).", REDUCTION)),
            "");

    private ExhaustiveCommand() {}

    /** Returns exit status 0 if no property was broken, else 1. */
    public static int run(GivenOptions arguments, PrintStream out) {
        boolean reduces =
                arguments.choice(REDUCTION, "on", List.of("on", "off")).equals("on");
        return print(Exhaustive.chosen(arguments.text(WORLD, "small")), reduces, out);
    }

    static int print(List<World> worlds, boolean reduces, PrintStream out) {
        out.printf(
                "%-23s %5s %7s %10s %11s %11s %9s %5s %11s %8s%n",
                "world",
                "ranks",
                "crashes",
                "suspicions",
                "states",
                "steps",
                "ends",
                "depth",
                "rank states",
                "seconds");
        int status = 0;
        for (World world : worlds) {
            Stopwatch stopwatch = Stopwatch.start();
            Explorer explorer = Exhaustive.explorer(world, reduces);
            Explorer.Result result = explorer.run();
            out.printf(
                    Locale.ROOT,
                    "%-23s %5d %7d %10d %,11d %,11d %,9d %5d %,11d %8.1f  %s%n",
                    world.name(),
                    world.ranks(),
                    world.crashes(),
                    world.suspicions(),
                    result.states(),
                    result.transitions(),
                    result.quiet(),
                    result.depth(),
                    result.localStates(),
                    stopwatch.seconds(),
                    result.isClean() ? "complete, nothing broken" : "BROKEN");
            if (!result.isClean()) {
                status = 1;
                explorer.story(result.finding()).forEach(out::println);
            }
        }
        return status;
    }
}
