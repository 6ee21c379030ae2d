package org.ulfmj.check;

import java.util.Arrays;
import java.util.List;
import org.ulfmj.check.command.HashesCommand;
import org.ulfmj.check.command.MinimiseCommand;
import org.ulfmj.check.command.ReRunCommand;
import org.ulfmj.check.command.RunCommand;
import org.ulfmj.check.exhaustive.ExhaustiveCommand;
import org.ulfmj.check.mutant.MutantsCommand;
import org.ulfmj.protocol.NearestName;
import org.ulfmj.sim.Scenario;
import org.ulfmj.sim.Scenarios;

/** The command {@code bin/ulfm-sim}. Its first argument names the subcommand, and each subcommand is a class. */
public final class Main {
    private static final List<String> COMMANDS =
            List.of("run", "re-run", "minimise", "hashes", "exhaustive", "mutants");

    private static final String USAGE =
            """
            Runs the shipped protocol classes through failure schedules in virtual time, each drawn from a seed.

            ulfm-sim run [--protocol NAME,NAME|all] [--ranks 2..16] [--seeds 1..10000] [--threads N] [--failures 5]
                many schedules; ends with status 1 if one broke an invariant, and says how to run it again
            ulfm-sim re-run --seed S [--protocol NAME] [--ranks N] [--without 2,5]
                one schedule, with everything that happened in it; with the --protocol and --ranks of a run, its seed S
            ulfm-sim minimise --seed S [--protocol NAME] [--ranks N] [--without 2,5]
                a smaller schedule that still breaks the same invariant: fewer ranks, faults and events
            ulfm-sim hashes [--protocol NAME,NAME|all] [--ranks 2..16] [--seeds 1..1000]
                hashes of what happened in many schedules: equal for two versions that do the same
            ulfm-sim exhaustive [--world NAME,NAME|small|large|all] [--reduction on|off]
                every schedule of small worlds, each state once; the first that breaks something is told step by step
            ulfm-sim mutants [--rule R4b]
                leaves one rule after the other out of the shipped sources, and says how soon each is missed
            ulfm-sim --help

            Protocols: %s""";

    private Main() {}

    /** Exit status 0 if nothing was violated, 1 if something was, 2 for a wrong command line. */
    public static void main(String[] args) throws InterruptedException {
        int status;
        try {
            status = run(args);
        } catch (IllegalArgumentException e) {
            System.err.println("ulfm-sim: " + e.getMessage());
            status = 2;
        }
        System.exit(status);
    }

    private static int run(String[] args) throws InterruptedException {
        boolean wantsHelp = Arrays.asList(args).contains("--help");
        switch (wantsHelp ? "--help" : args.length == 0 ? "" : args[0]) {
            case "run":
                return RunCommand.run(args);
            case "re-run":
                return ReRunCommand.run(args);
            case "minimise":
                return MinimiseCommand.run(args);
            case "hashes":
                return HashesCommand.run(args);
            case "exhaustive":
                return ExhaustiveCommand.run(args);
            case "mutants":
                return MutantsCommand.run(args);
            case "--help", "-h", "help":
                System.out.println(usage());
                return 0;
            case "":
                throw new IllegalArgumentException(
                        "no command given; commands are " + String.join(" ", COMMANDS) + "; see ulfm-sim --help");
            default:
                throw new IllegalArgumentException(args[0] + ": no such command; the nearest is "
                        + NearestName.to(args[0], COMMANDS) + "; see ulfm-sim --help");
        }
    }

    private static String usage() {
        return USAGE.formatted(
                String.join(" ", Scenarios.all().stream().map(Scenario::name).toList()));
    }
}
