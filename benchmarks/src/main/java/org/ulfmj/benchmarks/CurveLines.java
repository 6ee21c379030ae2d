package org.ulfmj.benchmarks;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.ulfmj.benchmarks.result.MeasuredFigures;
import org.ulfmj.benchmarks.result.Results;
import org.ulfmj.benchmarks.result.Windows;

/** Prints the windows of jobs' first seconds to the terminal, a line per job and cell. */
final class CurveLines {
    private CurveLines() {}

    static void print(Results results, PrintStream out) {
        Windows.curves(results).forEach((cell, curves) -> {
            out.println(cell + ", µs in each window of 100 ms from Init on (median of the jobs)");
            curves.forEach((job, curve) -> out.printf(Locale.ROOT, "  %-9s %s%n", job, text(curve)));
        });
    }

    private static String text(List<Double> curve) {
        return curve.stream().map(MeasuredFigures::of).collect(Collectors.joining(" "));
    }
}
