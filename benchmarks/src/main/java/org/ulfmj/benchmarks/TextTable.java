package org.ulfmj.benchmarks;

import java.io.PrintStream;
import java.util.List;

/** Rows of words, printed so that the words of each column begin below each other. */
final class TextTable {
    private static final String BETWEEN = "  ";

    private TextTable() {}

    /** Prints the rows, all of which have the same number of columns. */
    static void print(List<List<String>> rows, PrintStream out) {
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                String word = row.get(column);
                line.append(column > 0 ? BETWEEN : "")
                        .append(word)
                        .append(" ".repeat(width(rows, column) - word.length()));
            }
            out.println(line.toString().stripTrailing());
        }
    }

    private static int width(List<List<String>> rows, int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }
}
