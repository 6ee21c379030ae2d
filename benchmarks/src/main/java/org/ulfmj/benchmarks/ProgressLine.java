package org.ulfmj.benchmarks;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.ulfmj.benchmarks.result.MeasuredFigures;
import org.ulfmj.benchmarks.result.Result;
import org.ulfmj.benchmarks.result.Results;
import org.ulfmj.benchmarks.result.Windows;

/** Prints the results of a measurement, or of a step of it, to the terminal as soon as they are there. */
final class ProgressLine {
    private ProgressLine() {}

    /**
     * Prints results, with a line per place; the results of a place stand next to each other. Windows of jobs' first
     * seconds are printed as curves, with a line per job.
     */
    static void report(List<Result> all, PrintStream out) {
        Results windows = new Results();
        windows.add(all);
        CurveLines.print(windows, out);
        List<Result> results =
                all.stream().filter(result -> !Windows.isOne(result.place())).toList();
        String place = "";
        StringBuilder line = new StringBuilder();
        for (Result result : results) {
            if (!result.place().equals(place)) {
                flush(line, out);
                place = result.place();
                line.append(String.format(Locale.ROOT, "%-30s", place));
            }
            line.append("  ")
                    .append(result.job())
                    .append(' ')
                    .append(MeasuredFigures.of(result.minimum()))
                    .append('/')
                    .append(MeasuredFigures.of(result.median()));
        }
        if (!results.isEmpty()) {
            line.append(String.format(
                    Locale.ROOT,
                    "  (%s, least/median; foreign %.0f %%, steal %.0f %%)",
                    MeasuredFigures.unit(place),
                    100 * results.get(0).foreign(),
                    100 * results.get(0).steal()));
        }
        flush(line, out);
        out.flush();
    }

    private static void flush(StringBuilder line, PrintStream out) {
        if (line.length() > 0) {
            out.println(line);
            line.setLength(0);
        }
    }
}
