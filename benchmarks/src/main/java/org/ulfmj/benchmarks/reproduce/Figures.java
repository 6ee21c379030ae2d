package org.ulfmj.benchmarks.reproduce;

import java.util.Locale;

/** Numbers as text, as rows show them. */
public final class Figures {
    private Figures() {}

    /** A count as {@code 131,072}. */
    public static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** Nanoseconds as {@code 67.8 µs}. */
    public static String micros(double ns) {
        return String.format(Locale.ROOT, "%,.1f µs", ns / 1e3);
    }

    /** A fraction by which something deviates, as {@code −2.9 %} or {@code +1.9 %}; no deviation is {@code +0.0 %}. */
    public static String percent(double fraction) {
        // Adding 0 makes a negative zero positive.
        double rounded = Math.rint(fraction * 1e3) / 10 + 0.0;
        return String.format(Locale.ROOT, "%+.1f %%", rounded).replace('-', '−');
    }

    /** A ratio as {@code 2.10}. */
    public static String ratio(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
