package org.ulfmj.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.ulfmj.benchmarks.result.Bar;
import org.ulfmj.benchmarks.result.MeasuredFigures;
import org.ulfmj.benchmarks.result.Result;
import org.ulfmj.benchmarks.result.Results;
import org.ulfmj.benchmarks.result.Windows;

/**
 * The results as text: place by place the figures of the jobs and the ratio of our figure to that of Open MPI, and the
 * verdicts of the table of bars.
 */
final class Comparison {
    private final Results results;
    private final List<Bar> bars;

    Comparison(Results results, int cores) {
        this.results = results;
        this.bars = Bars.on(cores);
    }

    /**
     * Prints to the terminal: a line per place that is not shown as a picture, the curves of jobs' first seconds, and a
     * line per bar that has a verdict.
     */
    void print(PrintStream out) {
        out.println();
        out.println("least / median of all launches; ratio: ours to the faster Open MPI in C, range of the launches");
        for (String place : results.places()) {
            if (isShownAsPicture(place)) {
                continue;
            }
            StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "%-30s", place));
            for (String job : results.jobs(place)) {
                text.append(String.format(Locale.ROOT, "  %s %s", job, figures(place, job)));
            }
            out.println(text + "  " + ratios(place) + "  " + load(place));
        }
        CurveLines.print(results, out);
        out.println();
        printVerdicts(out);
    }

    /** Prints the verdicts as a table, with the verdict and the figure of the best launch and of the median launch. */
    private void printVerdicts(PrintStream out) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("best", "median", "where", "allowed", "best launch (range)", "median launch", "of the bar"));
        for (Bar bar : bars) {
            Bar.Judgement judgement = bar.judge(results);
            if (judgement.verdict() != Bar.Verdict.NOT_MEASURED) {
                rows.add(List.of(
                        plain(judgement.verdict()),
                        plain(judgement.byMedian()),
                        bar.place(),
                        judgement.limit().text(MeasuredFigures.unit(bar.place())),
                        judgement.measured(),
                        judgement.median(),
                        Math.round(100 * judgement.share()) + " %"));
            }
        }
        if (rows.size() > 1) {
            out.println("verdict of the best launch, verdict of the median launch, and both figures");
            TextTable.print(rows, out);
        }
    }

    private static String plain(Bar.Verdict verdict) {
        return verdict.text().replace("*", "");
    }

    /** The verdicts for the page: a line per bar, measured or not. */
    String verdicts() {
        StringBuilder text =
                new StringBuilder("| where | allowed | best launch (range) | median launch | of the bar | verdict |\n"
                        + "|---|---|---|---|---|---|\n");
        for (Bar bar : bars) {
            Bar.Judgement judgement = bar.judge(results);
            boolean isMetAtBest = judgement.verdict() == Bar.Verdict.MET && judgement.byMedian() == Bar.Verdict.MISSED;
            String allowed = String.join(
                    " or ",
                    bar.limits().stream()
                            .map(limit -> limit.text(MeasuredFigures.unit(bar.place())))
                            .toList());
            text.append(String.format(
                    Locale.ROOT,
                    "| `%s` | %s | %s | %s | %s | %s |\n",
                    bar.place(),
                    allowed,
                    judgement.measured(),
                    judgement.median(),
                    Double.isNaN(judgement.share()) ? "" : Math.round(100 * judgement.share()) + " %",
                    judgement.verdict().text() + (isMetAtBest ? ", not by the median launch" : "")));
        }
        return text.toString();
    }

    /**
     * The counts for the page: how many bars were measured, how many are met by the best, the median and the worst
     * launch, and how many rest on a single launch.
     */
    String counts() {
        List<Bar.Judgement> judged = bars.stream()
                .map(bar -> bar.judge(results))
                .filter(judgement -> judgement.verdict() != Bar.Verdict.NOT_MEASURED)
                .toList();
        return String.format(
                Locale.ROOT,
                "Of %d bars %d were measured: **%d are met by the best launch, %d by the median launch, %d by the worst**;"
                        + " %d rest on one launch.\n",
                bars.size(),
                judged.size(),
                judged.stream()
                        .filter(judgement -> judgement.verdict() == Bar.Verdict.MET)
                        .count(),
                judged.stream()
                        .filter(judgement -> judgement.byMedian() == Bar.Verdict.MET)
                        .count(),
                judged.stream()
                        .filter(judgement -> judgement.byWorst() == Bar.Verdict.MET)
                        .count(),
                judged.stream().filter(judgement -> judgement.launches() == 1).count());
    }

    /** The figures for the page, of all measured places except those that are shown only as a picture. */
    String figures() {
        StringBuilder text =
                new StringBuilder("| where | what | figures, least / median | ratio to Open MPI | foreign load |\n"
                        + "|---|---|---|---|---|\n");
        for (String place : results.places()) {
            if (isShownAsPicture(place)) {
                continue;
            }
            List<String> jobs = new ArrayList<>();
            for (String job : results.jobs(place)) {
                jobs.add(job + " " + figures(place, job));
            }
            text.append(String.format(
                    Locale.ROOT,
                    "| `%s` | %s | %s (%s) | %s | %s |\n",
                    place,
                    results.at(place).get(0).title(),
                    String.join("; ", jobs),
                    MeasuredFigures.unit(place),
                    ratios(place).replace("ratio ", ""),
                    load(place)));
        }
        return text.toString();
    }

    private String figures(String place, String job) {
        String figures = MeasuredFigures.of(results.minimum(place, job)) + " / "
                + MeasuredFigures.of(results.median(place, job));
        if (!isSingle(place)) {
            return figures;
        }
        return figures + " / p99 " + MeasuredFigures.of(results.quantile(place, job, 0.99)) + " / most "
                + MeasuredFigures.of(results.quantile(place, job, 1));
    }

    /**
     * Whether a figure of this place is one event, one window or one job, and not the mean of a round of many
     * operations. The largest figures of such a place are of interest too.
     */
    private static boolean isSingle(String place) {
        return place.startsWith("revoke/")
                || place.startsWith("failure/")
                || place.startsWith("shrink/")
                || place.startsWith("start/")
                || place.startsWith(FirstRun.GROUP + "/")
                || place.startsWith(ShortRun.GROUP + "/")
                || place.contains("/stall");
    }

    /** Whether the page shows the figures of this place as a picture, and not in its table of figures. */
    private static boolean isShownAsPicture(String place) {
        return place.startsWith("profile/") || Windows.isOne(place);
    }

    private String ratios(String place) {
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (int launch : results.launches(place)) {
            OptionalDouble ours = results.fastest(place, launch, 0.5, Result::isOurs);
            OptionalDouble theirs = results.fastest(place, launch, 0.5, Result::isOpenMpi);
            if (ours.isPresent() && theirs.isPresent()) {
                double ratio = ours.getAsDouble() / theirs.getAsDouble();
                least = Math.min(least, ratio);
                most = Math.max(most, ratio);
            }
        }
        return most == 0 ? "" : "ratio " + MeasuredFigures.of(least) + " to " + MeasuredFigures.of(most);
    }

    private String load(String place) {
        double foreign =
                results.at(place).stream().mapToDouble(Result::foreign).max().orElse(0);
        double steal =
                results.at(place).stream().mapToDouble(Result::steal).max().orElse(0);
        return String.format(Locale.ROOT, "%.0f %%, steal %.0f %%", 100 * foreign, 100 * steal);
    }
}
