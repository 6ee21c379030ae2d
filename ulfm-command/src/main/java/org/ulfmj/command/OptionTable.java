package org.ulfmj.command;

import java.util.List;
import org.ulfmj.protocol.NearestName;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The options of a command. The table reads the command line and makes the help text, both with picocli. The model of
 * picocli is built by hand and not by annotations, because reflection would slow down the start of the command. No type
 * of picocli is visible outside this package, so that {@code ulfm.jar} can contain picocli under another package name.
 */
public final class OptionTable {
    private static final int WIDTH = 100;

    private final String command;
    private final CommandSpec spec;

    private OptionTable(String command, List<CommandOption> options, List<String> synopsis) {
        this.command = command;
        spec = CommandSpec.create().name(command);
        spec.parser().stopAtPositional(true).posixClusteredShortOptionsAllowed(false);
        spec.usageMessage()
                .customSynopsis(synopsis.toArray(String[]::new))
                .sortOptions(false)
                .width(WIDTH);
        for (CommandOption option : options) {
            spec.addOption(option(option));
        }
    }

    /**
     * Returns the table of a command that takes options and nothing else.
     *
     * @param command the name of the command, as the user writes it
     * @param description what {@code --help} says of the command
     * @param footer what {@code --help} says below the options; may be empty
     */
    public static OptionTable of(String command, String description, List<CommandOption> options, String footer) {
        OptionTable table = new OptionTable(command, options, List.of(command + " [options]"));
        table.spec.usageMessage().description(lines(description)).footer(lines(footer));
        return table;
    }

    /**
     * Returns the table of a command that starts another command: the words of the other command follow the options.
     *
     * @param synopsis the forms of the command line, each beginning with the name of the command
     */
    public static OptionTable ofLauncher(
            String command, List<String> synopsis, String description, List<CommandOption> options) {
        OptionTable table = new OptionTable(command, options, synopsis);
        table.spec.usageMessage().description(lines(description));
        table.spec.addPositional(PositionalParamSpec.builder()
                .index("0..*")
                .arity("0..*")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .hidden(true)
                .build());
        return table;
    }

    /** Returns the lines of a text, with each % doubled: picocli takes a text for a format string. */
    private static String[] lines(String text) {
        return text.lines().map(line -> line.replace("%", "%%")).toArray(String[]::new);
    }

    private static OptionSpec option(CommandOption option) {
        String[] others = option.names().subList(1, option.names().size()).toArray(String[]::new);
        OptionSpec.Builder builder = OptionSpec.builder(option.name(), others)
                .arity(Integer.toString(option.values()))
                .description(lines(option.description()))
                .hideParamSyntax(true);
        if (option.isRepeatable()) {
            builder.type(List.class).auxiliaryTypes(String.class);
        } else {
            builder.type(option.values() == 0 ? boolean.class : String.class);
        }
        return option.label().isEmpty()
                ? builder.build()
                : builder.paramLabel(option.label()).build();
    }

    /** Returns the text that {@code --help} shows. */
    public String help() {
        return new CommandLine(spec).getUsageMessage(Ansi.OFF);
    }

    /**
     * Reads the words of a command line.
     *
     * @throws UnknownOptionException if a word is an option that is not in this table, or belongs to no option
     * @throws IllegalArgumentException if the words cannot be understood for another reason, which the message says
     */
    public GivenOptions read(String... arguments) {
        return new GivenOptions(parsed(arguments));
    }

    private ParseResult parsed(String... arguments) {
        try {
            // A word that begins with @ is taken as it is, and not for the name of a file with arguments.
            return new CommandLine(spec).setExpandAtFiles(false).parseArgs(arguments);
        } catch (UnmatchedArgumentException e) {
            throw unknown(e.getUnmatched().get(0));
        } catch (OverwrittenOptionException e) {
            throw new IllegalArgumentException(twice(e.getOverwritten(), arguments), e);
        } catch (MissingParameterException e) {
            ArgSpec option = e.getMissing().get(0);
            String name = asWritten(option, arguments);
            throw new IllegalArgumentException(name + " lacks its value; write " + name + " " + option.paramLabel(), e);
        } catch (ParameterException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private UnknownOptionException unknown(String word) {
        String name = nameIn(word);
        boolean isOption = name.startsWith("-");
        String what = isOption ? "unknown option " + name : "'" + word + "' belongs to no option";
        String question = NearestName.question(
                isOption ? name : "--" + name, spec.optionsMap().keySet());
        return new UnknownOptionException(name, what + question + " (" + command + " --help lists all)");
    }

    private static String twice(ArgSpec option, String... arguments) {
        String last = asWritten(option, arguments);
        for (String word : arguments) {
            String name = nameIn(word);
            if (!name.equals(last) && List.of(((OptionSpec) option).names()).contains(name)) {
                return name + " and " + last + " are two names of one option; write one of them";
            }
        }
        return last + " is given twice; write it once";
    }

    private static String nameIn(String word) {
        int equals = word.indexOf('=');
        return equals < 0 ? word : word.substring(0, equals);
    }

    /** Returns the name by which the user last wrote this option on the command line; if it is not there, its first. */
    private static String asWritten(ArgSpec option, String... arguments) {
        List<String> names = List.of(((OptionSpec) option).names());
        for (int i = arguments.length - 1; i >= 0; i--) {
            String word = nameIn(arguments[i]);
            if (names.contains(word)) {
                return word;
            }
        }
        return names.get(0);
    }
}
