package org.ulfmj.benchmarks.result;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The bar of one place: the limits that our figures for one measurement are held against. A launch reaches the bar if
 * it keeps one of the limits. The best launch decides, because a launch may meet a bad moment of the machine; the worst
 * one if the limit is for every launch. The figure of the median launch and the range of all are shown beside it.
 */
public record Bar(String place, List<Limit> limits) {
    /** How a bar was judged. */
    public enum Verdict {
        MET("met"),
        MISSED("**missed**"),
        NOT_MEASURED("not measured");

        private final String text;

        Verdict(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }

        private static Verdict of(double share) {
            return share <= 1 ? MET : MISSED;
        }
    }

    /**
     * The figure of a launch against a limit.
     *
     * @param share figure divided by the limit; at most 1 if the limit is kept, NaN if one of the two is missing
     * @param shown the figure, or its ratio to the reference
     */
    private record Taken(Limit limit, double share, double shown) {
        String text(String place) {
            return MeasuredFigures.of(shown) + unit(limit, place);
        }
    }

    /**
     * The judgement of a bar. A launch is judged by the limit of which its figure is the smallest share. It is measured
     * if it has our figure and the reference of a limit.
     *
     * @param share our figure divided by the limit, in the launch that counts; at most 1 if the bar is met, NaN if no
     *     launch was measured
     * @param measured our figure in that launch, or its ratio to the reference, with the range over the launches; empty
     *     if none was measured
     * @param median our figure in the median launch, or its ratio to the reference; empty if none was measured
     * @param byMedian the verdict if the median launch had counted
     * @param byWorst the verdict if the worst launch had counted
     * @param launches the number of those that were measured
     */
    public record Judgement(
            Verdict verdict,
            Limit limit,
            double share,
            String measured,
            String median,
            Verdict byMedian,
            Verdict byWorst,
            int launches) {}

    public Judgement judge(Results results) {
        List<Taken> launches = new ArrayList<>();
        for (int launch : results.launches(place)) {
            limits.stream()
                    .map(limit -> taken(results, limit, launch))
                    .filter(taken -> !Double.isNaN(taken.share()))
                    .min(Comparator.comparingDouble(Taken::share))
                    .ifPresent(launches::add);
        }
        if (launches.isEmpty()) {
            return new Judgement(
                    Verdict.NOT_MEASURED,
                    limits.get(0),
                    Double.NaN,
                    "",
                    "",
                    Verdict.NOT_MEASURED,
                    Verdict.NOT_MEASURED,
                    0);
        }
        launches.sort(Comparator.comparingDouble(Taken::share));
        Taken best = launches.get(0);
        Taken worst = launches.get(launches.size() - 1);
        // The median launch; with an even number of launches, the worse one of the two in the middle.
        Taken median = launches.get(launches.size() / 2);
        Taken counts = best.limit().everyLaunch() ? worst : best;
        return new Judgement(
                Verdict.of(counts.share()),
                counts.limit(),
                counts.share(),
                counts.text(place) + range(results, counts.limit()),
                median.text(place),
                Verdict.of(median.share()),
                Verdict.of(worst.share()),
                launches.size());
    }

    /**
     * Returns the figure of a launch, judged by one limit. The share is NaN if the launch lacks our figure or the
     * reference of the limit.
     */
    private Taken taken(Results results, Limit limit, int launch) {
        OptionalDouble ours = results.fastest(place, launch, limit.quantile(), Bar::isJudged);
        OptionalDouble allowed = limit.value(results, place, launch);
        if (ours.isEmpty() || allowed.isEmpty()) {
            return new Taken(limit, Double.NaN, Double.NaN);
        }
        double share = ours.getAsDouble() / allowed.getAsDouble();
        return new Taken(limit, share, limit.isRatio() ? share * limit.factor() : ours.getAsDouble());
    }

    /**
     * Returns as text the figures, or ratios to the reference, of the launch with the smallest share of the limit and
     * of the one with the greatest.
     */
    private String range(Results results, Limit limit) {
        List<Taken> launches = results.launches(place).stream()
                .map(launch -> taken(results, limit, launch))
                .filter(taken -> !Double.isNaN(taken.share()))
                .sorted(Comparator.comparingDouble(Taken::share))
                .toList();
        double least = launches.get(0).shown();
        double most = launches.get(launches.size() - 1).shown();
        return " (" + MeasuredFigures.of(least) + " to " + MeasuredFigures.of(most) + unit(limit, place) + ")";
    }

    private static String unit(Limit limit, String place) {
        return limit.isRatio() ? "" : " " + MeasuredFigures.unit(place);
    }

    private static boolean isJudged(Result result) {
        return result.isOurs() || result.job().equals("ulfm");
    }
}
