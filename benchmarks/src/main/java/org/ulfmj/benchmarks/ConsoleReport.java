package org.ulfmj.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.ulfmj.benchmarks.chart.BarChart;
import org.ulfmj.benchmarks.chart.LineChart;
import org.ulfmj.benchmarks.peer.Machine;
import org.ulfmj.benchmarks.profile.FlightProfile;
import org.ulfmj.benchmarks.result.Bar;
import org.ulfmj.benchmarks.result.Result;
import org.ulfmj.benchmarks.result.Results;
import org.ulfmj.benchmarks.result.Store;
import org.ulfmj.benchmarks.result.Windows;

/** Writes a page with the verdicts, the figures and the pictures, and a file with all figures. */
final class ConsoleReport {
    private static final List<String> PEERS = List.of("ours", "ompi", "ompi@", "ompi-java", "mpich", "mpj", "bare");
    private static final double CUT = 4;
    private static final String HEAD =
            """
            # What was measured

            Written by `benchmarks/compare --out docs`; [performance](../verified/performance.md) has the method, and what limits where a bar is missed.

            """;

    private final Path docs;
    private final Path figures;
    private final Results results;
    private final Machine machine;
    private final StringBuilder page = new StringBuilder(HEAD);

    ConsoleReport(Path docs, Results results, Machine machine) {
        this.docs = docs;
        this.figures = docs.resolve("figures");
        this.results = results;
        this.machine = machine;
    }

    /** The path of the file with all figures. */
    static Path store(Path docs) {
        return docs.resolve("figures/performance.csv");
    }

    /** The path of the page with verdicts and figures. */
    static Path page(Path docs) {
        return docs.resolve("figures/performance.md");
    }

    void write() throws IOException {
        Files.createDirectories(figures);
        Store.write(results, store(docs));
        Comparison comparison = new Comparison(results, machine.cores());
        Setups.lines(results).forEach(line -> page.append("* ").append(line).append('\n'));
        page.append("\n## Verdicts\n\n")
                .append(comparison.counts())
                .append('\n')
                .append(comparison.verdicts());
        picture("performance-bars", verdicts());
        page.append("\n## Curves\n\n");
        picture("performance-messages", messages());
        picture("performance-collectives", collectives());
        picture("performance-start", start());
        for (int ranks : new int[] {2, 4}) {
            picture("performance-first-np" + ranks, firstSeconds(ranks));
        }
        page.append("\n## Where the time goes\n\n");
        for (FlightProfile profile : FlightProfile.ALL) {
            picture(profile.file(), shares(profile));
        }
        picture("performance-profile-revoke", revocations());
        page.append("\n## All figures\n\n").append(comparison.figures());
        Files.writeString(page(docs), page.toString().strip() + "\n");
    }

    private BarChart verdicts() {
        BarChart chart = new BarChart("Share of its bar that each place takes: up to 100 % it is met", CUT, true);
        for (Bar bar : Bars.on(machine.cores())) {
            Bar.Judgement judgement = bar.judge(results);
            if (judgement.verdict() != Bar.Verdict.NOT_MEASURED) {
                String against = judgement.limit().reference().equals("job mpj")
                        ? ", MPJ Express"
                        : judgement.limit().quantile() > 0.9
                                        && judgement.limit().quantile() < 1
                                ? ", p99"
                                : judgement.limit().source().isEmpty()
                                        ? ""
                                        : ", " + judgement.limit().source();
                chart.add(bar.place() + against, judgement.share(), judgement.verdict() == Bar.Verdict.MET);
            }
        }
        return chart;
    }

    private LineChart messages() {
        LineChart chart = new LineChart(
                "Half round trip between two ranks, shared memory", "bytes", "µs (median)", ConsoleReport::bytes);
        for (String peer : PEERS) {
            for (int bytes = 8; bytes <= 4 << 20; bytes *= 2) {
                chart.add(peer, bytes, results.median("shm/2/" + new Cell("pp", bytes).name(), peer));
            }
        }
        return chart;
    }

    private LineChart collectives() {
        LineChart chart =
                new LineChart("Barrier and allreduce by number of ranks", "ranks", "µs (median)", ConsoleReport::count);
        for (String peer : List.of("ours", "ompi", "ompi@")) {
            for (String cell : List.of("barrier", "allreduce:8", "allreduce:64k")) {
                for (int ranks = 2; ranks <= 64; ranks *= 2) {
                    chart.add(peer + " " + cell, ranks, results.median("shm/" + ranks + "/" + cell, peer));
                }
            }
        }
        return chart;
    }

    private LineChart start() {
        LineChart chart = new LineChart(
                "Hello, launcher included, by number of ranks", "ranks", "ms (median)", ConsoleReport::count);
        for (String peer : PEERS) {
            for (int ranks = 2; ranks <= 64; ranks *= 2) {
                chart.add(peer, ranks, results.median("start/" + ranks + "/hello", peer) / 1e3);
            }
        }
        return chart;
    }

    private LineChart firstSeconds(int ranks) {
        LineChart chart = new LineChart(
                "Time per operation in a job's first seconds, np " + ranks,
                "end of the window of 100 ms, in seconds after Init",
                "µs (median)",
                ConsoleReport::second);
        String group = FirstRun.GROUP + "/" + ranks + "/";
        Windows.curves(results)
                .forEach((place, curves) -> curves.forEach((job, curve) -> {
                    if (place.startsWith(group)) {
                        for (int window = 0; window < curve.size(); window++) {
                            double end = (window + 1.0) / Windows.PER_SECOND;
                            chart.add(job + " " + place.substring(group.length()), end, curve.get(window));
                        }
                    }
                }));
        return chart;
    }

    private BarChart shares(FlightProfile profile) {
        BarChart chart = new BarChart("Where the time goes: " + profile.title(), 1, false);
        for (Result part : results.at(profile.place())) {
            chart.add(part.job(), part.median() / 100, true);
        }
        return chart;
    }

    /**
     * Returns the chart of revocations. It shows {@link RevokeRun#PARTS}, each measured by itself, as shares of the
     * time until the last rank has its error.
     */
    private BarChart revocations() {
        BarChart chart =
                new BarChart("Parts of a revocation by themselves, 100 % being its error at the last rank", 1, false);
        for (String others : List.of("polling", "asleep")) {
            for (int ranks = 2; ranks <= 16; ranks *= 2) {
                String place = "revoke/" + ranks + "/";
                double last = results.median(place + "last, " + others, Result.OURS);
                for (String part : RevokeRun.PARTS) {
                    double share = results.median(place + part + ", " + others, Result.OURS) / last;
                    if (!Double.isNaN(share)) {
                        chart.add("np " + ranks + ", " + others + ": " + part, share, true);
                    }
                }
            }
        }
        return chart;
    }

    private void picture(String name, BarChart chart) throws IOException {
        if (!chart.isEmpty()) {
            picture(name, chart.svg());
        }
    }

    private void picture(String name, LineChart chart) throws IOException {
        if (!chart.isEmpty()) {
            picture(name, chart.svg());
        }
    }

    private void picture(String name, String svg) throws IOException {
        Files.writeString(figures.resolve(name + ".svg"), svg);
        page.append("\n![").append(name).append("](").append(name).append(".svg)\n");
    }

    private static String bytes(double value) {
        int bytes = (int) value;
        return bytes >= 1 << 20 ? (bytes >> 20) + "m" : bytes >= 1 << 10 ? (bytes >> 10) + "k" : bytes + "";
    }

    /** The label at the end of a window, in seconds; empty for most windows, as their labels would overlap. */
    private static String second(double value) {
        return value < 0.35 || value == 0.5 || value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.1f", value)
                : "";
    }

    private static String count(double value) {
        return String.format(Locale.ROOT, "%.0f", value);
    }
}
