package org.ulfmj.command;

import java.util.List;

/**
 * One option of a command.
 *
 * @param values how many values, one word each, follow the option
 * @param isRepeatable whether the option may be given several times
 * @param label the name of the values in {@code --help}; empty if the option has none
 * @param names all names of the option; the first is the name that methods of {@link GivenOptions} take
 */
public record CommandOption(int values, boolean isRepeatable, String label, String description, List<String> names) {
    /** The option for help, for the table of a command. */
    public static final CommandOption HELP = flag("Show this text.", "--help", "-h");

    /** An option without a value. */
    public static CommandOption flag(String description, String... names) {
        return new CommandOption(0, false, "", description, List.of(names));
    }

    /** An option with one value. */
    public static CommandOption value(String label, String description, String... names) {
        return new CommandOption(1, false, label, description, List.of(names));
    }

    /** Returns an option that takes one value and may be given several times. */
    public static CommandOption values(String label, String description, String... names) {
        return new CommandOption(1, true, label, description, List.of(names));
    }

    /** Returns an option that takes two values and may be given several times. */
    public static CommandOption pairs(String label, String description, String... names) {
        return new CommandOption(2, true, label, description, List.of(names));
    }

    public String name() {
        return names.get(0);
    }
}
