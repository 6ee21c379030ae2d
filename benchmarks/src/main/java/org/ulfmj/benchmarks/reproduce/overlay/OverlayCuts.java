package org.ulfmj.benchmarks.reproduce.overlay;

import java.util.Locale;
import org.ulfmj.benchmarks.reproduce.Experiment;
import org.ulfmj.benchmarks.reproduce.Figures;
import org.ulfmj.benchmarks.reproduce.Findings;
import org.ulfmj.benchmarks.reproduce.Row;
import org.ulfmj.benchmarks.reproduce.Setting;
import org.ulfmj.detector.BinomialGraph;

/** The probability that failures at random places, all at once and noticed by no process, cut the binomial graph. */
public final class OverlayCuts implements Experiment {
    private static final int[][] PUBLISHED_SIZES = {
        {256, 160}, {1_024, 600}, {1_024, 650}, {1_024, 680}, {1_024, 700}, {1_024, 720}, {4_096, 2_900}
    };
    private static final int[][] SMALL_SIZES = {{256, 160}, {1_024, 700}};

    @Override
    public String name() {
        return "overlay-cuts";
    }

    @Override
    public String title() {
        return "probability that random failures cut the binomial graph";
    }

    @Override
    public void run(Setting setting, Findings findings) {
        findings.add(neverBelowTheDegree(setting));
        for (int[] size : setting.quick() ? SMALL_SIZES : PUBLISHED_SIZES) {
            findings.add(againstPoisson(setting, size[0], size[1]));
        }
        findings.note("Poisson's law takes lost members for independent, which they nearly are: "
                + "the truth is about a hundredth higher, and some 200,000 samples would show it");
    }

    private static Row neverBelowTheDegree(Setting setting) {
        int members = 1_024;
        int failures = BinomialGraph.neighbours(0, members).length - 1;
        CutProbability sampled =
                CutProbability.sampled(members, failures, trials(setting), setting.random("cut by " + failures));
        return Row.result(
                "1,024 members, " + failures + " failures, one less than a member has neighbours",
                "never",
                "no cut",
                sampled.cuts() + " of " + Figures.count(sampled.trials()),
                sampled.cuts() == 0);
    }

    private static Row againstPoisson(Setting setting, int members, int failures) {
        CutProbability sampled = CutProbability.sampled(
                members, failures, trials(setting), setting.random("cut " + members + " by " + failures));
        boolean met = sampled.deviation() <= 3;
        String published = format("1 − exp(−%.3f) = %.4f", sampled.isolatedToExpect(), sampled.predicted());
        String accepted = "within 3σ";
        if (members == 1_024 && failures == 700) {
            met &= Math.abs(sampled.measured() - 0.2) <= 0.01;
            accepted = "within 3σ, and 0.2 ± 0.01";
        }
        return Row.result(
                Figures.count(members) + " members, " + Figures.count(failures) + " failures",
                published,
                accepted,
                format(
                        "%.4f, %.1fσ off (%s samples)",
                        sampled.measured(), sampled.deviation(), Figures.count(sampled.trials())),
                met);
    }

    private static int trials(Setting setting) {
        return setting.size(20_000, 4_000);
    }

    private static String format(String text, Object... values) {
        return String.format(Locale.ROOT, text, values);
    }
}
