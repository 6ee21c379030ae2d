package org.ulfmj.command;

import java.util.Arrays;
import java.util.List;
import org.ulfmj.protocol.NearestName;
import picocli.CommandLine.ParseResult;

/**
 * The options of one command line. A wrong value of an option that is read as a number, or as one of a few words, leads
 * to an {@link IllegalArgumentException} that names the option, its value and what is allowed.
 */
public final class GivenOptions implements Given {
    private final ParseResult parsed;

    GivenOptions(ParseResult parsed) {
        this.parsed = parsed;
    }

    @Override
    public boolean has(String option) {
        return parsed.hasMatchedOption(option);
    }

    @Override
    public String text(String option) {
        return text(option, null);
    }

    public String text(String option, String otherwise) {
        return parsed.matchedOptionValue(option, otherwise);
    }

    @Override
    public List<String> texts(String option) {
        return parsed.matchedOptionValue(option, List.<String>of());
    }

    /** Returns the words of a value between its commas; none if the option is not given. */
    public List<String> words(String option) {
        return words(option, "");
    }

    public List<String> words(String option, String otherwise) {
        return Arrays.stream(text(option, otherwise).split(","))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /** Returns the value of an option that must be given; throws if it is not given. */
    public String required(String option) {
        String text = text(option);
        if (text == null) {
            throw new IllegalArgumentException(option + " is missing");
        }
        return text;
    }

    /**
     * Returns the value of an option as a whole number, which must be from {@code least} to {@code most};
     * {@code otherwise} if the option is not given.
     */
    public int number(String option, int otherwise, int least, int most) {
        return (int) number(option, (long) otherwise, least, most);
    }

    /**
     * Returns the value of an option as a whole number, which must be from {@code least} to {@code most};
     * {@code otherwise} if the option is not given.
     */
    public long number(String option, long otherwise, long least, long most) {
        return has(option) ? number(option, text(option), least, most) : otherwise;
    }

    /**
     * Returns the value {@code text} of an option, or one word of it, as a whole number; throws if it is none from
     * {@code least} to {@code most}.
     */
    public static long number(String option, String text, long least, long most) {
        try {
            long number = Long.parseLong(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The exception below names the option, its value and what is allowed.
        }
        throw new IllegalArgumentException(option + " " + text + ": wants a number from " + least + " to " + most);
    }

    /** Returns the value of an option that allows only a few words; {@code otherwise} if the option is not given. */
    public String choice(String option, String otherwise, List<String> allowed) {
        String text = text(option, otherwise);
        if (has(option)) {
            requireOneOf(option, text, allowed);
        }
        return text;
    }

    /** Throws an exception if a value, or one word of a value, is not among the allowed ones. */
    public static void requireOneOf(String option, String text, List<String> allowed) {
        if (!allowed.contains(text)) {
            throw new IllegalArgumentException(option + " " + text + ": is not allowed; the nearest is "
                    + NearestName.to(text, allowed) + ", all are " + String.join(" ", allowed));
        }
    }

    @Override
    public List<String> command() {
        return parsed.matchedPositionalValue(0, List.<String>of());
    }
}
