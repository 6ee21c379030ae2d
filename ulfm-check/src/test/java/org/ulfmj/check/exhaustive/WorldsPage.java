package org.ulfmj.check.exhaustive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads those rows of docs/verified/exhaustive.md that give ranks, crashes, suspicions and states of a world, so that
 * tests can compare them with what the search finds.
 */
final class WorldsPage {
    /** Matches the row of a world: its name, ranks, crashes, suspicions and states, in that order. */
    private static final Pattern ROW =
            Pattern.compile("\\| `([a-z0-9-]+)` \\| (\\d+) \\| (\\d*) ?\\| (\\d*) ?\\| ([\\d,]+) \\|.*");

    /** The numbers that the page gives for one world; an empty cell stands for 0. */
    record Row(int ranks, int crashes, int suspicions, long states) {
        static Row of(World world, long states) {
            return new Row(world.ranks(), world.crashes(), world.suspicions(), states);
        }
    }

    private final Map<String, Row> rows = new TreeMap<>();

    private WorldsPage() {}

    static WorldsPage read() {
        WorldsPage page = new WorldsPage();
        try {
            Files.readAllLines(Path.of("../docs/verified/exhaustive.md")).forEach(page::take);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return page;
    }

    private void take(String line) {
        Matcher row = ROW.matcher(line);
        if (row.matches()) {
            Row said = new Row(number(row, 2), number(row, 3), number(row, 4), number(row, 5));
            if (rows.put(row.group(1), said) != null) {
                throw new IllegalStateException("two rows for the world " + row.group(1));
            }
        }
    }

    private static int number(Matcher row, int cell) {
        String text = row.group(cell).replace(",", "");
        return text.isEmpty() ? 0 : Integer.parseInt(text);
    }

    Set<String> names() {
        return rows.keySet();
    }

    /** Returns the row of a world; null if the page has none. */
    Row row(String world) {
        return rows.get(world);
    }
}
