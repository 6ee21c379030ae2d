package org.ulfmj.benchmarks.reproduce.detector;

import java.util.Locale;
import java.util.StringJoiner;
import org.ulfmj.benchmarks.reproduce.Darter;
import org.ulfmj.benchmarks.reproduce.Experiment;
import org.ulfmj.benchmarks.reproduce.Figures;
import org.ulfmj.benchmarks.reproduce.Findings;
import org.ulfmj.benchmarks.reproduce.Row;
import org.ulfmj.benchmarks.reproduce.Setting;
import org.ulfmj.protocol.Timing;

/** The longest safe timeout of the detector, computed from a formula. */
public final class LargestTimeout implements Experiment {
    private static final double YEAR_NS = 365.25 * 86_400e9;
    private static final double DEFAULT_TIMEOUT_S = Timing.DEFAULT_DETECTOR_TIMEOUT_NS / 1e9;

    @Override
    public String name() {
        return "largest-timeout";
    }

    @Override
    public String title() {
        return "the largest safe timeout of the detector, computed, 1,024 to 1,048,576 nodes";
    }

    @Override
    public void run(Setting setting, Findings findings) {
        double published = seconds(256_000, 20);
        findings.add(Row.result(
                "256,000 nodes, 20 years between a node's failures",
                "22.0 s",
                "equal",
                "computed: " + text(published),
                text(published).equals("22.0 s")));
        for (int years : new int[] {20, 45}) {
            findings.add(sizes(years));
        }
        findings.note("more than f = ⌊log₂ n⌋ − 1 failures within T(f) = f(f+1)δ + fτ + f(f+1)/2·8τ·log₂ n"
                + " are less likely than 10⁻⁹; τ = " + Figures.micros(messageNs()));
    }

    private static Row sizes(int years) {
        StringJoiner measured = new StringJoiner("; ");
        boolean met = true;
        for (int nodes = 1_024; nodes <= 1 << 20; nodes *= 2) {
            double largest = seconds(nodes, years);
            met &= largest > DEFAULT_TIMEOUT_S;
            measured.add(Figures.count(nodes) + ": " + text(largest));
        }
        return Row.result(
                "2^m nodes, " + years + " years between a node's failures",
                "",
                "the default timeout, " + text(DEFAULT_TIMEOUT_S) + ", is below every one",
                "computed: " + measured,
                met);
    }

    private static double seconds(int nodes, int years) {
        return new SafeTimeout(nodes, years * YEAR_NS, messageNs()).largestNs() / 1e9;
    }

    private static double messageNs() {
        return Darter.costs().hopNs();
    }

    private static String text(double seconds) {
        return String.format(Locale.ROOT, "%,.1f s", seconds);
    }
}
