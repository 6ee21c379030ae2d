package org.ulfmj.benchmarks.reproduce;

import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.benchmarks.chart.Chart;
import org.ulfmj.protocol.SlotSet;

/**
 * The time of an agreement by the size of the world, without failures. As published, it is a straight line over the
 * logarithm of the ranks, and about twice the time of a plain allreduce: an allreduce may overlap steps that an
 * agreement must do one after the other.
 */
public final class AgreementLatency implements Experiment {
    private static final int SMALLEST = 16;
    private static final int LARGEST = 131_072;
    private static final int SMALL = 8_192;
    private static final int LARGEST_STAR = 256;

    private static final double TOLERANCE = 0.05;
    private static final double LEAST_RATIO = 1.8;
    private static final double LARGEST_RATIO = 2.2;

    private static final String FIT_RULE = "within 5 % of the fit at every power of two; two parameters fitted"
            + " (scale at 2,048 ranks; L : o : g = " + Darter.PROPORTIONS + ")";
    private static final String LINEAR_RULE = "the last doubling adds at most 5 % more than that from 2,048 to 4,096";
    private static final String RATIO_RULE =
            "1.8 to 2.2 at every power of two; L : o : g = " + Darter.PROPORTIONS + " (fitted)";

    @Override
    public String name() {
        return "agreement-latency";
    }

    @Override
    public String title() {
        return "an agreement without failures, 16 to 131,072 ranks, one LogP network for all";
    }

    @Override
    public void run(Setting setting, Findings findings) {
        LogP costs = Darter.costs();
        int largest = setting.size(LARGEST, SMALL);
        long[] bytes = {0};
        boolean[] fewest = {true};
        SortedMap<Integer, Double> agreement = measure(largest, ranks -> {
            LogPSurvivors world = new LogPSurvivors(ranks, Network.uniform(costs));
            double ns = world.call(Kind.AGREE);
            bytes[0] = Math.max(bytes[0], world.network().largestBytes());
            fewest[0] &= world.network().messages() == 2L * (ranks - 1);
            return ns;
        });
        SortedMap<Integer, Double> allreduce = measure(largest, ranks -> PlainAllreduce.latencyNs(ranks, costs));
        SortedMap<Integer, Double> twoPhase =
                measure(LARGEST, ranks -> TwoPhaseAgreement.of(ranks, costs).latencyNs());
        SortedMap<Integer, Double> star = measure(Math.min(largest, LARGEST_STAR), ranks -> new LogPSurvivors(
                        ranks, Network.uniform(costs), ListedRanks.NS_EACH, new StarShape(), SlotSet.EMPTY)
                .call(Kind.AGREE));

        addAgreement(agreement, largest, bytes[0], fewest[0], findings);
        addOthers(twoPhase, star, findings);
        compareWithAllreduce(agreement, allreduce, twoPhase, findings);
        findings.add(chart(agreement, allreduce, twoPhase));
        addOtherProportions(Math.min(largest / 8, 16_384), findings);
        findings.note("two parameters fitted: the scale at 2,048 ranks, and L : o : g = " + Darter.PROPORTIONS
                + ", for which 4 : 1 : 1, the first choice, was given up; so " + costs);
        findings.note("two-phase baseline: " + TwoPhaseAgreement.PER_MEMBER_NS
                + " ns for each rank's look at each member, once in each phase");
    }

    /**
     * @param bytes of the largest message
     * @param fewest whether each agreement took exactly 2(n − 1) messages
     */
    private static void addAgreement(
            SortedMap<Integer, Double> agreement, int largest, long bytes, boolean fewest, Findings findings) {
        double off = worstOff(agreement);
        String range = "16 to " + Figures.count(largest) + " ranks: ";
        findings.add(Row.result(
                "agreement, " + range + "latency",
                "6.7·log₂.₁₂₅(n) µs",
                FIT_RULE,
                "at worst " + Figures.percent(off) + " (" + Figures.micros(agreement.get(largest)) + " at "
                        + Figures.count(largest) + ")",
                Math.abs(off) <= TOLERANCE));
        findings.add(Row.result(
                "agreement, " + range + "growth",
                "logarithmic, no linear term",
                LINEAR_RULE,
                growth(agreement),
                isLogarithmic(agreement)));
        findings.add(Row.result(
                "agreement, " + range + "messages",
                "2(n − 1), of a size that does not grow",
                "2(n − 1) messages",
                (fewest ? "2(n − 1)" : "more") + ", the largest of " + bytes + " bytes",
                fewest));
    }

    /** Adds the rows of the two-phase baseline's growth and of the agreement over a star. */
    private static void addOthers(
            SortedMap<Integer, Double> twoPhase, SortedMap<Integer, Double> star, Findings findings) {
        findings.add(Row.result(
                "two-phase baseline, linear local work",
                "linear",
                "the last doubling at least 1.8 times the latency, where a look at a member takes "
                        + TwoPhaseAgreement.PER_MEMBER_NS + " ns (ours)",
                growth(twoPhase) + "; last doubling × " + Figures.ratio(lastDoubling(twoPhase)),
                lastDoubling(twoPhase) >= LEAST_RATIO));
        findings.add(Row.control(
                "two-phase baseline under the rule for growth",
                LINEAR_RULE,
                growth(twoPhase),
                isLogarithmic(twoPhase)));
        findings.add(Row.control(
                "agreement over a star instead of a tree",
                FIT_RULE,
                "at worst " + Figures.percent(worstOff(star)),
                Math.abs(worstOff(star)) <= TOLERANCE));
    }

    private static void compareWithAllreduce(
            SortedMap<Integer, Double> agreement,
            SortedMap<Integer, Double> allreduce,
            SortedMap<Integer, Double> twoPhase,
            Findings findings) {
        double least = leastRatio(agreement, allreduce);
        double most = mostRatio(agreement, allreduce);
        double control = leastRatio(twoPhase, allreduce);
        findings.add(Row.result(
                "agreement against a plain allreduce (recursive doubling)",
                "doubled",
                RATIO_RULE,
                Figures.ratio(least) + " to " + Figures.ratio(most),
                least >= LEAST_RATIO && most <= LARGEST_RATIO));
        findings.add(Row.control(
                "two-phase baseline against the allreduce",
                RATIO_RULE,
                Figures.ratio(control) + " and more",
                control >= LEAST_RATIO && control <= LARGEST_RATIO));
    }

    private static SortedMap<Integer, Double> measure(int largest, IntToDoubleFunction latencyNs) {
        SortedMap<Integer, Double> found = new TreeMap<>();
        for (int ranks = SMALLEST; ranks <= largest; ranks *= 2) {
            found.put(ranks, latencyNs.applyAsDouble(ranks));
        }
        return found;
    }

    private static double worstOff(SortedMap<Integer, Double> latencies) {
        double worst = 0;
        for (var entry : latencies.entrySet()) {
            double off = entry.getValue() / Darter.publishedNs(entry.getKey()) - 1;
            worst = Math.abs(off) > Math.abs(worst) ? off : worst;
        }
        return worst;
    }

    private static void addOtherProportions(int largest, Findings findings) {
        StringJoiner offs = new StringJoiner(", ");
        StringJoiner ratios = new StringJoiner(", ");
        for (int latency : new int[] {2, 4, 10, 20}) {
            LogP costs = Darter.calibrated(latency);
            SortedMap<Integer, Double> agreement =
                    measure(largest, ranks -> new LogPSurvivors(ranks, Network.uniform(costs)).call(Kind.AGREE));
            SortedMap<Integer, Double> allreduce = measure(largest, ranks -> PlainAllreduce.latencyNs(ranks, costs));
            String proportions = latency + ":1:1 ";
            offs.add(proportions + Figures.percent(worstOff(agreement)));
            ratios.add(proportions + Figures.ratio(leastRatio(agreement, allreduce)) + " to "
                    + Figures.ratio(mostRatio(agreement, allreduce)));
        }
        String range = ", up to " + Figures.count(largest) + " ranks";
        findings.add(Row.shown("the same fit with other proportions L : o : g" + range, "", offs.toString()));
        findings.add(Row.shown("against the allreduce with other proportions" + range, "", ratios.toString()));
    }

    private static double leastRatio(SortedMap<Integer, Double> of, SortedMap<Integer, Double> to) {
        return to.keySet().stream()
                .mapToDouble(n -> of.get(n) / to.get(n))
                .min()
                .getAsDouble();
    }

    private static double mostRatio(SortedMap<Integer, Double> of, SortedMap<Integer, Double> to) {
        return to.keySet().stream()
                .mapToDouble(n -> of.get(n) / to.get(n))
                .max()
                .getAsDouble();
    }

    private static boolean isLogarithmic(SortedMap<Integer, Double> latencies) {
        return lastStep(latencies) <= (1 + TOLERANCE) * referenceStep(latencies);
    }

    private static String growth(SortedMap<Integer, Double> latencies) {
        return "+" + Figures.micros(referenceStep(latencies)) + " from 2,048 to 4,096, +"
                + Figures.micros(lastStep(latencies)) + " in the last doubling";
    }

    private static double referenceStep(SortedMap<Integer, Double> latencies) {
        return latencies.get(4_096) - latencies.get(2_048);
    }

    private static double lastStep(SortedMap<Integer, Double> latencies) {
        int last = latencies.lastKey();
        return latencies.get(last) - latencies.get(last / 2);
    }

    private static double lastDoubling(SortedMap<Integer, Double> latencies) {
        int last = latencies.lastKey();
        return latencies.get(last) / latencies.get(last / 2);
    }

    private static Chart chart(
            SortedMap<Integer, Double> agreement,
            SortedMap<Integer, Double> allreduce,
            SortedMap<Integer, Double> twoPhase) {
        Chart chart = new Chart(
                "agreement-latency",
                "Agreement without failures: logarithmic, twice an allreduce",
                new Chart.Axis("ranks", Chart.Scale.POWERS_OF_TWO),
                new Chart.Axis("latency (µs)", Chart.Scale.POWERS_OF_TEN));
        Chart.Curve baseline = chart.curve("two-phase baseline", Chart.Style.MEASURED);
        Chart.Curve shipped = chart.curve("agreement, shipped classes", Chart.Style.MEASURED);
        Chart.Curve fit = chart.curve("published fit, 6.7 log(n) / log(2.125)", Chart.Style.REFERENCE);
        Chart.Curve plain = chart.curve("plain allreduce", Chart.Style.MEASURED);
        agreement.forEach((ranks, ns) -> {
            baseline.add(ranks, twoPhase.get(ranks) / 1e3);
            shipped.add(ranks, ns / 1e3);
            fit.add(ranks, Darter.publishedNs(ranks) / 1e3);
            plain.add(ranks, allreduce.get(ranks) / 1e3);
        });
        return chart;
    }
}
