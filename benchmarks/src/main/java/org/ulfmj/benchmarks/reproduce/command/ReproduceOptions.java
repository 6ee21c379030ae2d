package org.ulfmj.benchmarks.reproduce.command;

import java.util.Arrays;
import java.util.List;
import org.ulfmj.benchmarks.reproduce.Setting;

/**
 * What the command line asks for.
 *
 * @param only names of experiments; empty for all
 * @param out directory for figures and numbers; null to write none
 */
record ReproduceOptions(List<String> only, String out, Setting setting) {
    static final String USAGE = "reproduce [--only NAME,NAME] [--out DIR] [--seed S] [--quick]";

    private static final long SEED = 13;

    static ReproduceOptions parse(String... args) {
        List<String> only = List.of();
        String out = null;
        long seed = SEED;
        boolean quick = false;
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--only" -> only = Arrays.asList(value(args, i++).split(","));
                case "--out" -> out = value(args, i++);
                case "--seed" -> seed = number(args[i], value(args, i++));
                case "--quick" -> quick = true;
                default -> throw new IllegalArgumentException("unknown option " + args[i] + "; usage: " + USAGE);
            }
        }
        return new ReproduceOptions(only, out, new Setting(seed, quick));
    }

    private static String value(String[] args, int option) {
        if (option + 1 == args.length) {
            throw new IllegalArgumentException(args[option] + " wants a value; usage: " + USAGE);
        }
        return args[option + 1];
    }

    private static long number(String option, String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(option + " " + text + ": wants a number", e);
        }
    }
}
