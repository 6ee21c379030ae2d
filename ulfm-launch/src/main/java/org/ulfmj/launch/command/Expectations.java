package org.ulfmj.launch.command;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.command.UsageException;
import org.ulfmj.runtime.options.Durations;

/**
 * The demands of {@code --expect} on a job.
 *
 * @param exitCode the exit code that the job must have, not counting what {@code --expect} itself makes of it; null for
 *     any
 * @param dead the ranks of which a process must fail, and no others; null for any
 * @param detectNs in less than this time each failure must be known to all survivors that report it, at least one; 0
 *     for no limit
 * @param recoverNs in less than this time all survivors that report a recovery, at least one, must have recovered from
 *     each failure; 0 for no limit
 * @param isNoneFalse whether a failure of a rank is an error if no fault of the plan explains it
 */
public record Expectations(
        Integer exitCode, SortedSet<Integer> dead, long detectNs, long recoverNs, boolean isNoneFalse) {
    private static final String ALLOWED =
            "; allowed: exit=CODE, dead={RANK,...}, detect<TIME, recover<TIME, no-false-positive, several with commas";

    /**
     * Reads the text of {@code --expect}.
     *
     * @param size processes in the job
     * @throws UsageException if it cannot be understood
     */
    public static Expectations of(String text, int size) {
        Integer exitCode = null;
        SortedSet<Integer> dead = null;
        long detectNs = 0;
        long recoverNs = 0;
        boolean isNoneFalse = false;
        for (String word : words(text)) {
            if (word.startsWith("exit=")) {
                exitCode = number(word, word.substring("exit=".length()), 255);
            } else if (word.startsWith("dead={") && word.endsWith("}")) {
                dead = ranks(word, word.substring("dead={".length(), word.length() - 1), size);
            } else if (word.startsWith("detect<")) {
                detectNs = duration(word, "detect<");
            } else if (word.startsWith("recover<")) {
                recoverNs = duration(word, "recover<");
            } else if (word.equals("no-false-positive")) {
                isNoneFalse = true;
            } else {
                throw refused(word);
            }
        }
        return new Expectations(exitCode, dead, detectNs, recoverNs, isNoneFalse);
    }

    /** Cuts at commas that stand outside of braces. */
    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        int begin = 0;
        boolean isInside = false;
        for (int i = 0; i <= text.length(); i++) {
            if (i == text.length() || text.charAt(i) == ',' && !isInside) {
                words.add(text.substring(begin, i).strip());
                begin = i + 1;
            } else if (text.charAt(i) == '{' || text.charAt(i) == '}') {
                isInside = text.charAt(i) == '{';
            }
        }
        return words;
    }

    private static SortedSet<Integer> ranks(String word, String list, int size) {
        SortedSet<Integer> ranks = new TreeSet<>();
        if (!list.isBlank()) {
            for (String each : list.split(",", -1)) {
                ranks.add(number(word, each.strip(), size - 1));
            }
        }
        return ranks;
    }

    private static int number(String word, String text, int most) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 0 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw refused(word);
        }
        throw new UsageException(
                OptionModel.EXPECT + ": " + text + " of '" + word + "' is out of range; allowed: 0 to " + most);
    }

    private static long duration(String word, String key) {
        try {
            long ns = Durations.parseNs(OptionModel.EXPECT, word.substring(key.length()));
            if (ns > 0) {
                return ns;
            }
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage());
        }
        throw refused(word);
    }

    private static UsageException refused(String word) {
        return new UsageException(OptionModel.EXPECT + ": '" + word + "' is nothing to expect" + ALLOWED);
    }
}
