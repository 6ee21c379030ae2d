package org.ulfmj.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/** All results, cell by cell: the jobs beside each other, our ratio, and what the table of bars says to it. */
final class Comparison {
    /** The job that all others are compared with. */
    private static final String OURS = "ours";

    private final int cores;
    private final Map<String, List<Result>> places = new LinkedHashMap<>();

    Comparison(List<Result> results, int cores) {
        this.cores = cores;
        results.forEach(result ->
                places.computeIfAbsent(result.place(), key -> new ArrayList<>()).add(result));
    }

    /** One line of the table. */
    record Line(List<Result> results, List<Double> ratios, OptionalDouble bar) {
        Result any() {
            return results.get(0);
        }

        /** The labels of the jobs, in the order in which they were started. */
        Set<String> jobs() {
            Set<String> jobs = new LinkedHashSet<>();
            results.forEach(result -> jobs.add(result.job()));
            return jobs;
        }

        double minimum(String job) {
            return results.stream()
                    .filter(result -> result.job().equals(job))
                    .mapToDouble(Result::minimum)
                    .min()
                    .orElse(Double.NaN);
        }

        /** Of the launches' medians. */
        double median(String job) {
            double[] medians = results.stream()
                    .filter(result -> result.job().equals(job))
                    .mapToDouble(Result::median)
                    .sorted()
                    .toArray();
            return medians.length == 0 ? Double.NaN : medians[(medians.length - 1) / 2];
        }

        double best() {
            return ratios.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
        }

        double worst() {
            return ratios.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN);
        }

        double foreign() {
            return results.stream().mapToDouble(Result::foreign).max().orElse(0);
        }

        double steal() {
            return results.stream().mapToDouble(Result::steal).max().orElse(0);
        }

        String verdict() {
            if (bar.isEmpty() || ratios.isEmpty()) {
                return "";
            }
            return (best() <= bar.getAsDouble() ? "met" : "missed") + " (" + Comparison.number(bar.getAsDouble()) + ")";
        }
    }

    List<Line> lines() {
        List<Line> lines = new ArrayList<>();
        places.forEach((place, results) -> lines.add(new Line(results, ratios(results), Bars.of(place, cores))));
        return lines;
    }

    /** Ours over the faster Open MPI in C by median, one a launch. */
    private static List<Double> ratios(List<Result> results) {
        Map<Integer, Double> ours = new LinkedHashMap<>();
        Map<Integer, Double> theirs = new LinkedHashMap<>();
        for (Result result : results) {
            if (result.job().equals(OURS)) {
                ours.put(result.launch(), result.median());
            } else if (result.job().equals("ompi") || result.job().equals("ompi@")) {
                theirs.merge(result.launch(), result.median(), Math::min);
            }
        }
        List<Double> ratios = new ArrayList<>();
        ours.forEach((launch, median) -> {
            if (theirs.containsKey(launch)) {
                ratios.add(median / theirs.get(launch));
            }
        });
        return ratios;
    }

    void print(PrintStream out) {
        out.println();
        out.println("µs, least / median; ratio: ours to the faster Open MPI in C, best (and range) of the launches");
        for (Line line : lines()) {
            StringBuilder text = new StringBuilder(String.format(
                    Locale.ROOT,
                    "%-9s np %-2d %-14s",
                    line.any().group(),
                    line.any().ranks(),
                    line.any().cell().name()));
            for (String job : line.jobs()) {
                text.append(String.format(
                        Locale.ROOT, "  %s %s / %s", job, number(line.minimum(job)), number(line.median(job))));
            }
            if (!line.ratios().isEmpty()) {
                text.append(String.format(
                        Locale.ROOT,
                        "  ratio %s (%s-%s)",
                        number(line.best()),
                        number(line.best()),
                        number(line.worst())));
            }
            text.append(String.format(
                    Locale.ROOT, "  foreign %.0f %% steal %.0f %%", 100 * line.foreign(), 100 * line.steal()));
            out.println(text.append("  ").append(line.verdict()));
        }
    }

    /** With three digits that mean something. */
    static String number(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        int digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%,." + digits + "f", value);
    }
}
