package org.ulfmj.sim;

import java.util.Map;
import java.util.TreeMap;

/**
 * The simulator's command: {@code run --scenario all --ranks 2..9 --seeds 1..100000 --threads 2} runs many schedules,
 * {@code re-run --scenario NAME --ranks 4 --seed 17} one, and prints what happened in it.
 */
public final class Main {
    private static final String USAGE =
            """
            run    [--scenario NAME,NAME|all] [--ranks 2..9] [--seeds 1..10000] [--threads 2]
            re-run --scenario NAME --ranks N --seed S""";

    private Main() {}

    /** Exit status 0 if nothing was violated, 1 if something was, 2 for a wrong command line. */
    public static void main(String[] args) throws InterruptedException {
        int status;
        try {
            status = run(args);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.println(USAGE);
            status = 2;
        }
        System.exit(status);
    }

    private static int run(String[] args) throws InterruptedException {
        if (args.length == 0) {
            throw new IllegalArgumentException("no command given");
        }
        Map<String, String> options = parse(args);
        switch (args[0]) {
            case "run":
                return runMany(options);
            case "re-run":
                return runAgain(options);
            default:
                throw new IllegalArgumentException("unknown command " + args[0]);
        }
    }

    private static int runMany(Map<String, String> options) throws InterruptedException {
        SeedRun run = new SeedRun(
                Scenarios.named(options.getOrDefault("--scenario", "all")),
                SeedRange.parse("--ranks", options.getOrDefault("--ranks", "2..9")),
                SeedRange.parse("--seeds", options.getOrDefault("--seeds", "1..10000")));
        SeedReport report = run.run(Integer.parseInt(options.getOrDefault("--threads", "2")));
        System.out.println(report);
        return report.isClean() ? 0 : 1;
    }

    private static int runAgain(Map<String, String> options) {
        Schedule schedule = new Schedule(
                Scenarios.named(required(options, "--scenario")).get(0),
                Integer.parseInt(required(options, "--ranks")),
                Long.parseLong(required(options, "--seed")));
        EventLog log = EventLog.readable();
        Outcome outcome = schedule.run(log);
        log.lines().forEach(System.out::println);
        System.out.printf("%s: log hash %016x, %d events%n", schedule, outcome.logHash(), outcome.events());
        System.out.println("went through: " + outcome.covered());
        if (outcome.violation() == null) {
            System.out.println("no violation");
            return 0;
        }
        System.out.println("VIOLATION: " + outcome.violation().getMessage());
        if (outcome.violation().getCause() != null) {
            outcome.violation().getCause().printStackTrace(System.out);
        }
        return 1;
    }

    private static Map<String, String> parse(String[] args) {
        Map<String, String> options = new TreeMap<>();
        for (int i = 1; i < args.length; i += 2) {
            if (!USAGE.contains(args[i] + " ") || i + 1 == args.length) {
                throw new IllegalArgumentException("unknown option, or one without a value: " + args[i]);
            }
            options.put(args[i], args[i + 1]);
        }
        return options;
    }

    private static String required(Map<String, String> options, String option) {
        String value = options.get(option);
        if (value == null) {
            throw new IllegalArgumentException(option + " is missing");
        }
        return value;
    }
}
