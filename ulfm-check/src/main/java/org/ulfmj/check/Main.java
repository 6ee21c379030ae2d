package org.ulfmj.check;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ulfmj.check.command.HashesCommand;
import org.ulfmj.check.command.MinimiseCommand;
import org.ulfmj.check.command.ReRunCommand;
import org.ulfmj.check.command.RunCommand;
import org.ulfmj.check.exhaustive.ExhaustiveCommand;
import org.ulfmj.check.mutant.MutantsCommand;
import org.ulfmj.command.GivenOptions;
import org.ulfmj.command.OptionTable;
import org.ulfmj.protocol.NearestName;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.Scenarios;

/** The command {@code bin/ulfm-sim}. Its first argument names the subcommand, and each subcommand is a class. */
public final class Main {
    private static final int USAGE = 2;

    /** The subcommands by name, in the order in which {@code --help} shows them. */
    private static final Map<String, Subcommand> SUBCOMMANDS = new LinkedHashMap<>();

    static {
        SUBCOMMANDS.put("run", new Subcommand(RunCommand.OPTIONS, RunCommand::run));
        SUBCOMMANDS.put("re-run", new Subcommand(ReRunCommand.OPTIONS, ReRunCommand::run));
        SUBCOMMANDS.put("minimise", new Subcommand(MinimiseCommand.OPTIONS, MinimiseCommand::run));
        SUBCOMMANDS.put("hashes", new Subcommand(HashesCommand.OPTIONS, HashesCommand::run));
        SUBCOMMANDS.put("exhaustive", new Subcommand(ExhaustiveCommand.OPTIONS, ExhaustiveCommand::run));
        SUBCOMMANDS.put("mutants", new Subcommand(MutantsCommand.OPTIONS, MutantsCommand::run));
    }

    private Main() {}

    /** The options of one subcommand, and the method that runs it. */
    private record Subcommand(OptionTable options, Action action) {}

    /** Runs the subcommand with the options that were given, and returns its exit status. */
    private interface Action {
        int run(GivenOptions options, PrintStream out) throws InterruptedException;
    }

    public static void main(String[] args) throws InterruptedException {
        System.exit(status(args, System.out, System.err));
    }

    /**
     * Runs a command line. Returns the exit status of the subcommand, 0 for a call for help, 2 for a wrong command
     * line.
     */
    static int status(String[] args, PrintStream out, PrintStream err) throws InterruptedException {
        try {
            return run(args, out);
        } catch (IllegalArgumentException e) {
            err.println("ulfm-sim: " + e.getMessage());
            return USAGE;
        }
    }

    private static int run(String[] args, PrintStream out) throws InterruptedException {
        List<String> words = Arrays.asList(args);
        String first = args.length == 0 ? "" : args[0];
        if (words.contains("--help") || first.equals("-h") || first.equals("help")) {
            out.println(help());
            return 0;
        }
        String names = String.join(" ", SUBCOMMANDS.keySet());
        if (first.isEmpty()) {
            throw new IllegalArgumentException("no command given; commands are " + names + "; see ulfm-sim --help");
        }
        Subcommand chosen = SUBCOMMANDS.get(first);
        if (chosen == null) {
            throw new IllegalArgumentException(first + ": no such command; the nearest is "
                    + NearestName.to(first, SUBCOMMANDS.keySet()) + ", all are " + names + "; see ulfm-sim --help");
        }
        String[] options = Arrays.copyOfRange(args, 1, args.length);
        return chosen.action().run(chosen.options().read(options), out);
    }

    private static String help() {
        StringBuilder text = new StringBuilder(
                "Runs the shipped protocol classes through failure schedules in virtual time, each drawn from a seed.\n");
        for (Subcommand subcommand : SUBCOMMANDS.values()) {
            text.append('\n').append(subcommand.options().help());
        }
        text.append("\nProtocols: ");
        text.append(
                String.join(" ", Scenarios.all().stream().map(Scenario::name).toList()));
        return text.toString();
    }
}
