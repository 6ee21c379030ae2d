package org.ulfmj.check.command;

import static org.ulfmj.command.CommandOption.value;

import java.io.PrintStream;
import org.ulfmj.command.GivenOptions;
import org.ulfmj.command.OptionTable;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.SeedRange;

/** {@code hashes}: hashes of the logs of many seeds of each chosen scenario, to compare two versions of the sources. */
public final class HashesCommand {
    private static final String SEEDS = "--seeds";

    private HashesCommand() {}

    public static final OptionTable OPTIONS = OptionTable.of(
            "ulfm-sim hashes",
            "Hashes of what happened in many schedules: equal for two versions that do the same.",
            Chosen.ofMany(value("N..N", "Seeds of the schedules (default 1..1000).", SEEDS)),
            "");

    /** Exit status 0. */
    public static int run(GivenOptions arguments, PrintStream out) {
        Chosen chosen = Chosen.from(arguments);
        SeedRange seeds = SeedRange.parse(SEEDS, arguments.text(SEEDS, "1..1000"));
        for (Scenario scenario : chosen.scenarios()) {
            SeedHashes.lines(scenario, chosen.ranks(), seeds).forEach(out::println);
        }
        return 0;
    }
}
