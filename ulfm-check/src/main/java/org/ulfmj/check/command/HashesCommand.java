package org.ulfmj.check.command;

import java.util.List;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.SeedRange;

/** {@code hashes}: the log hashes of many seeds of each scenario, to compare two versions of the sources. */
public final class HashesCommand {
    private static final String SEEDS = "--seeds";

    private HashesCommand() {}

    /** Exit status 0. */
    public static int run(String[] args) {
        CommandOptions arguments = new CommandOptions(args, List.of(Chosen.PROTOCOL, Chosen.RANKS, SEEDS));
        Chosen chosen = Chosen.from(arguments);
        SeedRange seeds = arguments.range(SEEDS, "1..1000");
        for (Scenario scenario : chosen.scenarios()) {
            SeedHashes.lines(scenario, chosen.ranks(), seeds).forEach(System.out::println);
        }
        return 0;
    }
}
