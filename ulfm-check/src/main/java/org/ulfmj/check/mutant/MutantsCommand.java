package org.ulfmj.check.mutant;

import static org.ulfmj.command.CommandOption.value;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.ulfmj.command.GivenOptions;
import org.ulfmj.command.OptionTable;
import org.ulfmj.protocol.NearestName;

/**
 * {@code mutants}: runs the trials of the mutants, each of which leaves a rule out, and prints how many schedules, or
 * states of a small world, each trial tried and which violation it found.
 */
public final class MutantsCommand {
    private static final String RULE = "--rule";
    private static final int SENTENCE = 70;

    public static final OptionTable OPTIONS = OptionTable.of(
            "ulfm-sim mutants",
            "Leaves one rule after the other out of the shipped sources, and says how soon each is missed.",
            List.of(value("R4b,...", "Rules to leave out, by how their names begin (default all).", RULE)),
            "");

    private MutantsCommand() {}

    /**
     * Returns exit status 0 if each mutant was caught within the limit of its trial by an expected invariant, else 1.
     *
     * @throws IllegalArgumentException if the argument names no rule that a mutant leaves out
     */
    public static int run(GivenOptions arguments, PrintStream out) {
        String wanted = arguments.text(RULE, "");
        List<Trial> trials = new ArrayList<>(Gate.all());
        List<String> beginnings = List.of(wanted.split(","));
        trials.removeIf(trial -> beginnings.stream().noneMatch(trial.mutant().rule()::startsWith));
        if (trials.isEmpty()) {
            List<String> rules = Gate.all().stream()
                    .map(trial -> trial.mutant().rule())
                    .distinct()
                    .toList();
            throw new IllegalArgumentException(
                    RULE + " " + wanted + ": no mutant leaves out such a rule; the nearest is "
                            + NearestName.to(wanted, rules) + ", all are " + String.join(" ", rules));
        }
        return print(trials, out);
    }

    static int print(List<Trial> trials, PrintStream out) {
        out.printf(
                "%-26s %-24s %-40s %9s %8s  %s%n", "without rule", "of class", "tried in", "caught by", "within", "");
        List<String> lines = trials.parallelStream().map(MutantsCommand::line).toList();
        lines.forEach(out::println);
        long missed = lines.stream().filter(line -> line.contains("NOT CAUGHT")).count();
        if (trials.size() == 1 && trials.get(0).where() == Trial.Where.WORLD) {
            out.println(Hunt.story(trials.get(0)));
        }
        out.printf("%d mutants, %d not caught%n", trials.size(), missed);
        return missed == 0 ? 0 : 1;
    }

    private static String line(Trial trial) {
        Hunt.Catch caught;
        try {
            caught = Hunt.hunt(trial);
        } catch (IllegalStateException e) {
            return "NOT CAUGHT " + e.getMessage();
        }
        String className = trial.mutant().className();
        String verdict = Gate.isPassed(trial, caught) ? "" : "NOT CAUGHT ";
        return String.format(
                        Locale.ROOT,
                        "%-26s %-24s %-40s %9d %8s  %s%s%n%26s %s",
                        trial.mutant().rule(),
                        className.substring(className.lastIndexOf('.') + 1),
                        trial.where().name().toLowerCase(Locale.ROOT) + " " + trial.place(),
                        caught.tried(),
                        trial.within() == Long.MAX_VALUE ? "all" : Long.toString(trial.within()),
                        verdict,
                        shortened(caught.broken()),
                        "",
                        trial.mutant().says())
                .stripTrailing();
    }

    private static String shortened(String text) {
        String line = text.lines().findFirst().orElse("");
        return line.length() <= SENTENCE ? line : line.substring(0, SENTENCE - 2) + " …";
    }
}
