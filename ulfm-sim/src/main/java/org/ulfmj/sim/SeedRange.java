package org.ulfmj.sim;

/** Numbers from {@code first} to {@code last}, both included; written {@code 1..100}, or {@code 7} for one. */
public record SeedRange(long first, long last) {
    public SeedRange {
        if (first > last) {
            throw new IllegalArgumentException("range " + first + ".." + last + " is empty");
        }
    }

    /**
     * @throws IllegalArgumentException if the text is no range; the message names the option and the form that it wants
     */
    public static SeedRange parse(String option, String text) {
        try {
            int dots = text.indexOf("..");
            if (dots < 0) {
                long only = Long.parseLong(text);
                return new SeedRange(only, only);
            }
            long first = Long.parseLong(text.substring(0, dots));
            long last = Long.parseLong(text.substring(dots + 2));
            if (first <= last) {
                return new SeedRange(first, last);
            }
        } catch (NumberFormatException e) {
            // Nothing to add here: the exception thrown below says what the option wants.
        }
        throw new IllegalArgumentException(option + " " + text + ": wants a number or a range like 2..9");
    }

    public long size() {
        return last - first + 1;
    }

    @Override
    public String toString() {
        return first == last ? Long.toString(first) : first + ".." + last;
    }
}
