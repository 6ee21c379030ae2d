package org.ulfmj.launch.command;

import java.util.List;
import org.ulfmj.launch.command.OptionModel.Entry;
import org.ulfmj.protocol.NearestName;
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
 * Reads any command line, or says what is wrong with it. The model of the options is built by hand and not by
 * annotations, because reflection would take still more time.
 */
final class AnyArguments implements Given {
    private final CommandSpec spec = spec();
    private final ParseResult parsed;

    /** @throws UsageException if the command line cannot be understood */
    AnyArguments(String... arguments) {
        parsed = parsed(arguments);
    }

    private ParseResult parsed(String... arguments) {
        try {
            // A word that begins with @ belongs to the program, as any other word does.
            return new picocli.CommandLine(spec).setExpandAtFiles(false).parseArgs(arguments);
        } catch (UnmatchedArgumentException e) {
            String unknown = e.getUnmatched().get(0);
            int equals = unknown.indexOf('=');
            String name = equals < 0 ? unknown : unknown.substring(0, equals);
            String instead = ForeignOptions.advice(name);
            if (instead != null) {
                throw new UsageException(name + " is an option of other launchers: " + instead);
            }
            throw new UsageException("unknown option " + name
                    + NearestName.question(name, spec.optionsMap().keySet()) + " (mpiexec --help lists all)");
        } catch (OverwrittenOptionException e) {
            String name = asWritten(e.getOverwritten(), arguments);
            throw new UsageException(name + " is given twice; write it once");
        } catch (MissingParameterException e) {
            String name = asWritten(e.getMissing().get(0), arguments);
            String label = e.getMissing().get(0).paramLabel();
            throw new UsageException(name + " lacks its value; write " + name + " " + label);
        } catch (ParameterException e) {
            throw new UsageException(e.getMessage());
        }
    }

    /** The last word of the command line that is a name of this option. */
    private static String asWritten(ArgSpec option, String... arguments) {
        List<String> names = List.of(((OptionSpec) option).names());
        for (int i = arguments.length - 1; i >= 0; i--) {
            int equals = arguments[i].indexOf('=');
            String word = equals < 0 ? arguments[i] : arguments[i].substring(0, equals);
            if (names.contains(word)) {
                return word;
            }
        }
        return names.get(0);
    }

    /** The text of {@code --help}. */
    String help() {
        return new picocli.CommandLine(spec).getUsageMessage(Ansi.OFF);
    }

    @Override
    public boolean has(String option) {
        return parsed.hasMatchedOption(option);
    }

    @Override
    public String text(String option) {
        return parsed.matchedOptionValue(option, (String) null);
    }

    @Override
    public List<String> texts(String option) {
        return parsed.matchedOptionValue(option, List.<String>of());
    }

    @Override
    public List<String> command() {
        return parsed.matchedPositionalValue(0, List.<String>of());
    }

    private static CommandSpec spec() {
        CommandSpec spec = CommandSpec.create().name("mpiexec");
        spec.parser().stopAtPositional(true).posixClusteredShortOptionsAllowed(false);
        spec.usageMessage()
                .customSynopsis(
                        "mpiexec -n N [options] java -cp CLASSES Main [args]",
                        "       mpiexec -n N [options] COMMAND [args]",
                        "       mpiexec -n N [options] examples NAME [args]")
                .description("Starts N processes of an MPI program and goes on when some of them die.")
                .sortOptions(false)
                .width(100);
        for (Entry entry : OptionModel.ENTRIES) {
            spec.addOption(option(entry));
        }
        spec.addPositional(PositionalParamSpec.builder()
                .index("0..*")
                .arity("0..*")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .hidden(true)
                .build());
        return spec;
    }

    private static OptionSpec option(Entry entry) {
        String[] others = entry.names().subList(1, entry.names().size()).toArray(String[]::new);
        OptionSpec.Builder builder = OptionSpec.builder(entry.name(), others)
                .arity(Integer.toString(entry.values()))
                .description(entry.description())
                .hideParamSyntax(true);
        if (entry.isRepeatable()) {
            builder.type(List.class).auxiliaryTypes(String.class);
        } else {
            builder.type(entry.values() == 0 ? boolean.class : String.class);
        }
        return entry.label().isEmpty()
                ? builder.build()
                : builder.paramLabel(entry.label()).build();
    }
}
