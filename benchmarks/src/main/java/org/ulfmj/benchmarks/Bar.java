package org.ulfmj.benchmarks;

import java.util.List;
import java.util.OptionalDouble;

/**
 * What is to be reached at one place. It is met if one of its limits is: the best launch counts, for a launch may fall into
 * a bad moment of the machine.
 */
record Bar(String place, List<Limit> limits) {
    /** How a bar was judged. */
    enum Verdict {
        MET("met"),
        MISSED("**missed**"),
        NOT_MEASURED("not measured");

        private final String text;

        Verdict(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    /**
     * What was measured, in the unit of the limit that comes nearest to being kept.
     *
     * @param share of the limit that ours took in the launch that counts; at most 1 if the bar is met
     */
    record Judgement(Verdict verdict, Limit limit, double share, String measured) {}

    Judgement judge(Results results) {
        Judgement best = new Judgement(Verdict.NOT_MEASURED, limits.get(0), Double.NaN, "");
        for (Limit limit : limits) {
            Judgement one = judge(results, limit);
            if (one.verdict() != Verdict.NOT_MEASURED
                    && (best.verdict() == Verdict.NOT_MEASURED || one.share() < best.share())) {
                best = one;
            }
        }
        return best;
    }

    private Judgement judge(Results results, Limit limit) {
        double least = Double.POSITIVE_INFINITY;
        double most = Double.NEGATIVE_INFINITY;
        double leastShown = 0;
        double mostShown = 0;
        for (int launch : results.launches(place)) {
            OptionalDouble ours = results.fastest(place, launch, limit.quantile(), this::isJudged);
            OptionalDouble allowed = limit.value(results, place, launch);
            if (ours.isEmpty() || allowed.isEmpty()) {
                continue;
            }
            double share = ours.getAsDouble() / allowed.getAsDouble();
            double shown = limit.isRatio() ? share * limit.factor() : ours.getAsDouble();
            if (share < least) {
                least = share;
                leastShown = shown;
            }
            if (share > most) {
                most = share;
                mostShown = shown;
            }
        }
        if (least == Double.POSITIVE_INFINITY) {
            return new Judgement(Verdict.NOT_MEASURED, limit, Double.NaN, "");
        }
        double counts = limit.everyLaunch() ? most : least;
        String unit = limit.isRatio() ? "" : " " + Figures.unit(place);
        String range = Figures.of(leastShown) + " to " + Figures.of(mostShown) + unit;
        String measured = Figures.of(limit.everyLaunch() ? mostShown : leastShown) + unit + " (" + range + ")";
        return new Judgement(counts <= 1 ? Verdict.MET : Verdict.MISSED, limit, counts, measured);
    }

    private boolean isJudged(Result result) {
        return result.isOurs() || result.job().equals("ulfm");
    }
}
