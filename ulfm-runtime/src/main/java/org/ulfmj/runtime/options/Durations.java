package org.ulfmj.runtime.options;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Durations as people write them: a number and a unit ({@code ns us ms s min h}), as in {@code 500ms} or {@code 1.5s}.
 */
public final class Durations {
    private static final String[] UNITS = {"ns", "us", "ms", "s", "min", "h"};
    private static final long[] UNIT_NS = {1, 1_000, 1_000_000, 1_000_000_000, 60_000_000_000L, 3_600_000_000_000L};

    private Durations() {}

    /**
     * Reads a text. Returns its duration in nanoseconds, rounded down.
     *
     * @param option named in the message if the text is no duration
     * @throws IllegalArgumentException if the text is no number with a unit, is negative or exceeds 292 years
     */
    public static long parseNs(String option, String text) {
        String trimmed = text.trim();
        int numberLength = 0;
        while (numberLength < trimmed.length() && isNumberPart(trimmed.charAt(numberLength))) {
            numberLength++;
        }
        long unitNs = unitNs(trimmed.substring(numberLength).trim());
        if (numberLength == 0 || unitNs < 0) {
            throw refused(option, text);
        }
        String number = trimmed.substring(0, numberLength);
        try {
            if (number.indexOf('.') < 0) {
                // This path needs no classes for fractions: a rank reads some twenty durations at its start, and
                // loading those classes takes a millisecond.
                return Math.multiplyExact(Long.parseLong(number), unitNs);
            }
            return new BigDecimal(number)
                    .multiply(BigDecimal.valueOf(unitNs))
                    .setScale(0, RoundingMode.DOWN)
                    .longValueExact();
        } catch (ArithmeticException | NumberFormatException e) {
            throw refused(option, text);
        }
    }

    /** Returns the exact text of a duration, in the largest unit that leaves a whole number. */
    public static String text(long durationNs) {
        int unit = UNITS.length - 1;
        while (unit > 0 && (durationNs == 0 || durationNs % UNIT_NS[unit] != 0)) {
            unit--;
        }
        return durationNs == 0 ? "0s" : durationNs / UNIT_NS[unit] + UNITS[unit];
    }

    private static boolean isNumberPart(char c) {
        return c >= '0' && c <= '9' || c == '.';
    }

    /** Returns the length of a unit in nanoseconds; negative if there is no such unit. */
    private static long unitNs(String unit) {
        for (int i = 0; i < UNITS.length; i++) {
            if (UNITS[i].equals(unit)) {
                return UNIT_NS[i];
            }
        }
        return -1;
    }

    private static IllegalArgumentException refused(String option, String text) {
        return new IllegalArgumentException(option + ": '" + text
                + "' is not a duration; write a number and one of ns, us, ms, s, min, h, as in 500ms or 1.5s");
    }
}
