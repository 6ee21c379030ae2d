package org.ulfmj.check.command;

import static org.ulfmj.command.CommandOption.value;

import java.util.ArrayList;
import java.util.List;
import org.ulfmj.command.CommandOption;
import org.ulfmj.command.GivenOptions;
import org.ulfmj.sim.Edits;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.Scenarios;
import org.ulfmj.sim.Schedule;
import org.ulfmj.sim.SeedRange;

/**
 * The protocols and the numbers of ranks that a command line names, or the defaults; and the options for these, for the
 * seed and for the planned items to leave out. A seed draws one of the given protocols and a number of ranks within the
 * given range, and then all the rest of the schedule.
 */
record Chosen(List<Scenario> scenarios, SeedRange ranks) {
    static final String PROTOCOL = "--protocol";
    static final String RANKS = "--ranks";
    static final String SEED = "--seed";
    static final String WITHOUT = "--without";

    private static final int MOST_RANKS = 16;
    private static final CommandOption PROTOCOLS =
            value("NAME,...|all", "Protocols to draw from, as ulfm-sim --help lists them (default all).", PROTOCOL);
    private static final CommandOption RANK_NUMBERS =
            value("N|N..N", "Ranks of a world, a number or a range to draw from (default 2..16).", RANKS);

    /** Returns the options for the protocols and the numbers of ranks, followed by the given ones. */
    static List<CommandOption> ofMany(CommandOption... more) {
        List<CommandOption> options = new ArrayList<>(List.of(PROTOCOLS, RANK_NUMBERS));
        options.addAll(List.of(more));
        return options;
    }

    /** Returns the options of a command whose command line names one schedule. */
    static List<CommandOption> ofOne() {
        return List.of(
                value("S", "The seed that the schedule is drawn from; needed.", SEED),
                PROTOCOLS,
                RANK_NUMBERS,
                value("I,...", "Planned items that the schedule goes without, by their numbers.", WITHOUT));
    }

    static Chosen from(GivenOptions arguments) {
        SeedRange ranks = SeedRange.parse(RANKS, arguments.text(RANKS, "2.." + MOST_RANKS));
        if (ranks.first() < 2 || ranks.last() > MOST_RANKS) {
            throw new IllegalArgumentException(RANKS + " " + ranks + ": wants numbers from 2 to " + MOST_RANKS);
        }
        return new Chosen(Scenarios.named(arguments.text(PROTOCOL, "all")), ranks);
    }

    /** Returns the one schedule that the options name. */
    static Schedule schedule(GivenOptions arguments) {
        SeedRange seed = SeedRange.parse(SEED, arguments.required(SEED));
        if (seed.size() != 1) {
            throw new IllegalArgumentException(SEED + " " + seed + ": wants one number; a range of them is for run");
        }
        Chosen chosen = from(arguments);
        Edits edits = Edits.parse(WITHOUT, arguments.text(WITHOUT, ""));
        return Schedule.of(seed.first(), chosen.scenarios(), chosen.ranks()).with(edits);
    }
}
