package org.ulfmj.testkit.junit;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ulfmj.runtime.options.Durations;

/**
 * One rule of a plan that leaves nothing to chance. Other rules can be made of it: they hit another rank, come earlier,
 * or last less long.
 */
record PlannedFault(String text) {
    private static final Pattern RANK = Pattern.compile("(?<=:rank=)\\d+");
    /** Finds, in the text of a rule, the number of the call, frame or byte at which the fault comes. */
    private static final Pattern COUNT = Pattern.compile("(?<=#|@frame=|@byte=)\\d+");

    private static final Pattern DURATION = Pattern.compile("(?<=:for=|@t=)[0-9.]+[a-z]+");
    private static final long LEAST_NS = 1_000_000;

    static PlannedFault of(String text) {
        return new PlannedFault(text);
    }

    static String plan(List<PlannedFault> rules) {
        List<String> texts = new ArrayList<>();
        for (PlannedFault rule : rules) {
            texts.add(rule.text());
        }
        return String.join("; ", texts);
    }

    /** Returns the rank that the fault hits; −1 if the rule names none. */
    int rank() {
        Matcher matcher = RANK.matcher(text);
        return matcher.find() ? Integer.parseInt(matcher.group()) : -1;
    }

    PlannedFault hitting(int newRank) {
        return new PlannedFault(RANK.matcher(text).replaceFirst(Integer.toString(newRank)));
    }

    /**
     * Returns the rules that differ from this one by one smaller number: a count becomes 1, half of it, or one less; a
     * time becomes half of it, if that is at least 1 ms.
     */
    List<PlannedFault> smaller() {
        List<PlannedFault> smaller = new ArrayList<>();
        Matcher count = COUNT.matcher(text);
        if (count.find()) {
            long now = Long.parseLong(count.group());
            for (long less : new TreeSet<>(List.of(1L, now / 2, now - 1))) {
                if (less >= 1 && less < now) {
                    smaller.add(of(count.replaceFirst(Long.toString(less))));
                }
            }
        }
        Matcher duration = DURATION.matcher(text);
        while (duration.find()) {
            long halfNs = Durations.parseNs("fault", duration.group()) / 2;
            if (halfNs >= LEAST_NS) {
                String half = Durations.text(halfNs);
                smaller.add(of(text.substring(0, duration.start()) + half + text.substring(duration.end())));
            }
        }
        return smaller;
    }

    @Override
    public String toString() {
        return text;
    }
}
