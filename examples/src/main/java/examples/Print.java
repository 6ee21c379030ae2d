package examples;

import java.util.Locale;

/** What the examples say. */
final class Print {
    private Print() {}

    /** Formats a line and writes it in one piece, so that no other rank's line comes in between. */
    static void line(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
