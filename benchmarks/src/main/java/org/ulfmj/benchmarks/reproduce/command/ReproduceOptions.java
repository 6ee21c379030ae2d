package org.ulfmj.benchmarks.reproduce.command;

import static org.ulfmj.command.CommandOption.flag;
import static org.ulfmj.command.CommandOption.value;

import java.util.List;
import org.ulfmj.benchmarks.reproduce.Setting;
import org.ulfmj.command.CommandOption;
import org.ulfmj.command.GivenOptions;
import org.ulfmj.command.OptionTable;

/**
 * The options that the command line of {@code benchmarks/reproduce} gives.
 *
 * @param only names of experiments; empty for all
 * @param out directory for figures and numbers; null to write none
 * @param help whether the user only wants to read the options
 */
record ReproduceOptions(List<String> only, String out, Setting setting, boolean help) {
    private static final long SEED = 13;

    static final OptionTable OPTIONS = OptionTable.of(
            "benchmarks/reproduce",
            "Measures published results about these protocols again, with the shipped classes in a simulated network.",
            List.of(
                    value("NAME,...", "Experiments to run (default all): " + Experiments.known() + ".", "--only"),
                    value("DIR", "Where to write the figures and the numbers they are drawn from.", "--out"),
                    value("S", "Seed of all that is drawn (default " + SEED + ").", "--seed"),
                    flag("Smaller worlds and fewer of them.", "--quick"),
                    CommandOption.HELP),
            "");

    static ReproduceOptions parse(String... args) {
        GivenOptions given = OPTIONS.read(args);
        return new ReproduceOptions(
                given.words("--only"),
                given.text("--out"),
                new Setting(given.number("--seed", SEED, Long.MIN_VALUE, Long.MAX_VALUE), given.has("--quick")),
                given.has("--help"));
    }
}
