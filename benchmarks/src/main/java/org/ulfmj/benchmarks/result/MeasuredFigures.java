package org.ulfmj.benchmarks.result;

import java.util.Locale;

/** Numbers as text. */
public final class MeasuredFigures {
    private MeasuredFigures() {}

    /** A factor as text: without a fraction if it is a whole number. */
    public static String factor(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    /** The unit of the figures of a place's group. */
    public static String unit(String place) {
        return place.startsWith("profile/")
                ? "%"
                : place.startsWith("memory/")
                        ? "KiB"
                        : place.startsWith("processor/") ? "µs/s" : place.startsWith("allocation/") ? "B" : "µs";
    }

    /**
     * A figure as text: with three significant digits from 1 on, as a whole number from 100 on, with three decimals
     * below 1; a hyphen for NaN.
     */
    public static String of(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        int digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%,." + digits + "f", value);
    }
}
