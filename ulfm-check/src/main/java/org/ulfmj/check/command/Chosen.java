package org.ulfmj.check.command;

import java.util.List;
import org.ulfmj.sim.Edits;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.Scenarios;
import org.ulfmj.sim.Schedule;
import org.ulfmj.sim.SeedRange;

/**
 * The options {@code --protocol}, {@code --ranks} and {@code --seed}, which mean the same for all commands: a seed
 * draws one of the protocols and a number of ranks within the range, and then all the rest of the schedule.
 */
record Chosen(List<Scenario> scenarios, SeedRange ranks) {
    static final String PROTOCOL = "--protocol";
    static final String RANKS = "--ranks";
    static final String SEED = "--seed";
    static final String WITHOUT = "--without";

    private static final int MOST_RANKS = 16;

    static Chosen from(CommandOptions arguments) {
        SeedRange ranks = arguments.range(RANKS, "2.." + MOST_RANKS);
        if (ranks.first() < 2 || ranks.last() > MOST_RANKS) {
            throw new IllegalArgumentException(RANKS + " " + ranks + ": wants numbers from 2 to " + MOST_RANKS);
        }
        return new Chosen(Scenarios.named(arguments.get(PROTOCOL, "all")), ranks);
    }

    /** The one schedule that the options name. */
    static Schedule schedule(CommandOptions arguments) {
        SeedRange seed = SeedRange.parse(SEED, arguments.required(SEED));
        if (seed.size() != 1) {
            throw new IllegalArgumentException(SEED + " " + seed + ": wants one number; a range of them is for run");
        }
        Chosen chosen = from(arguments);
        Edits edits = Edits.parse(WITHOUT, arguments.get(WITHOUT, ""));
        return Schedule.of(seed.first(), chosen.scenarios(), chosen.ranks()).with(edits);
    }
}
