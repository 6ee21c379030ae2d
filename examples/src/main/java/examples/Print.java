package examples;

import java.util.Locale;

/** The output of the examples. */
final class Print {
    private Print() {}

    /** Formats a line and writes it in one piece, so that no line of another rank comes in between. */
    static void line(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
