package org.ulfmj.benchmarks.reproduce;

import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.agree.tree.TreeShape;
import org.ulfmj.benchmarks.chart.Chart;
import org.ulfmj.protocol.SlotSet;

/**
 * The agreement after failures. A decision of a blocking call adds the dead to the base, and the next tree is a heap
 * over the ranks that are left: as fast as if the dead had never been. Non-blocking calls must not change the base (two
 * ranks could then use different trees for the same agreement), so a series of those shows the tree that is never
 * rebuilt. In that tree, ranks whose parent is dead hang under their nearest live ancestor, or under the lowest live
 * rank if they have none; that rank serves them one after the other.
 *
 * <p>Every message lists all failed members. That takes time in any tree; how much is our choice. The result is about
 * the tree, so it is judged with lists that take no time, by the worst of the measured numbers of failures. Other rows
 * show latencies with lists that take time.
 */
public final class AgreementAfterFailures implements Experiment {
    private static final int RANKS = 2_048;
    private static final int SMALL = 1_024;
    private static final int MOST_IN = 8;

    private static final double TOLERANCE = 0.05;
    private static final String RULE = "within 5 % of an agreement of n − f that saw no failure, where lists of failed"
            + " ranks cost nothing (no time a byte, none a listed rank)";

    private record Latencies(double rebuiltNs, double unbuiltNs, double failureFreeNs) {
        double rebuiltOff() {
            return rebuiltNs / failureFreeNs - 1;
        }

        double unbuiltOff() {
            return unbuiltNs / failureFreeNs - 1;
        }
    }

    /** Latencies by the number of failures. */
    private record Series(SortedMap<Integer, Latencies> random, SortedMap<Integer, Latencies> lowest) {
        int most() {
            return lowest.lastKey();
        }
    }

    @Override
    public String name() {
        return "agreement-after-failures";
    }

    @Override
    public String title() {
        return "the next agreement after failures, with the tree rebuilt and without";
    }

    @Override
    public void run(Setting setting, Findings findings) {
        LogP costs = Darter.costs();
        int ranks = setting.size(RANKS, SMALL);
        Series free = measure(setting, ranks, costs.withFreeBytes(), ListedRanks.FREE);
        Series charged = measure(setting, ranks, costs, ListedRanks.NS_EACH);
        String failures = " 1 to " + Figures.count(free.most()) + " of " + Figures.count(ranks) + " failed, tree ";
        addResult("the random" + failures + "rebuilt", free.random(), findings);
        addResult("the lowest" + failures + "rebuilt", free.lowest(), findings);
        double decay = free.lowest().get(free.most()).unbuiltOff();
        findings.add(Row.control(
                "the lowest " + Figures.count(free.most()) + " failed, tree not rebuilt",
                RULE,
                Figures.percent(decay),
                isMet(decay)));
        addUnbuilt("the lowest" + failures, free.lowest(), findings);
        addUnbuilt("the random" + failures, free.random(), findings);
        addCharged("the random" + failures, charged.random(), findings);
        addCharged("the lowest" + failures, charged.lowest(), findings);
        findings.add(chart(free, charged, ranks));
        findings.note(Figures.count(ranks) + " ranks, 1 to " + Figures.count(free.most()) + " failures by powers of "
                + setting.size(2, 4) + ", " + costs + ", but no time a byte where lists cost nothing");
        findings.note("lists that cost something: bytes, and " + ListedRanks.NS_EACH
                + " ns (ours) a listed rank at the receiver; not judged, and beyond the 5 % where many failed");
    }

    private static Series measure(Setting setting, int ranks, LogP costs, double perListedRankNs) {
        Series series = new Series(new TreeMap<>(), new TreeMap<>());
        for (int failures = 1; failures <= ranks / MOST_IN; failures *= setting.size(2, 4)) {
            double freeNs = new LogPSurvivors(ranks - failures, Network.uniform(costs)).call(Kind.AGREE);
            SlotSet random = RandomSlots.of(failures, ranks, setting.random("dead of " + failures));
            series.random().put(failures, measure(ranks, random, freeNs, costs, perListedRankNs));
            SlotSet lowest = SlotSet.of(IntStream.range(0, failures).toArray());
            series.lowest().put(failures, measure(ranks, lowest, freeNs, costs, perListedRankNs));
        }
        return series;
    }

    private static Latencies measure(
            int ranks, SlotSet dead, double failureFreeNs, LogP costs, double perListedRankNs) {
        return new Latencies(
                secondNs(ranks, dead, Kind.AGREE, costs, perListedRankNs),
                secondNs(ranks, dead, Kind.IAGREE, costs, perListedRankNs),
                failureFreeNs);
    }

    /** The time of the second call after the failures. All processes knew the failures before the first call. */
    private static double secondNs(int ranks, SlotSet dead, Kind kind, LogP costs, double perListedRankNs) {
        LogPSurvivors world = new LogPSurvivors(ranks, Network.uniform(costs), perListedRankNs, TreeShape.BINARY, dead);
        world.call(kind);
        return world.call(kind);
    }

    private static void addResult(String what, SortedMap<Integer, Latencies> found, Findings findings) {
        double worst = worst(found, Latencies::rebuiltOff);
        findings.add(Row.result(what, "as without failures", RULE, "at worst " + Figures.percent(worst), isMet(worst)));
    }

    /**
     * Adds the row of the tree that is never rebuilt, beside the control. If the rule cannot tell that tree from the
     * rebuilt one, the row says so.
     */
    private static void addUnbuilt(String what, SortedMap<Integer, Latencies> found, Findings findings) {
        String alsoMet = isMet(worst(found, Latencies::unbuiltOff)) ? ": within the rule too" : "";
        findings.add(Row.shown(
                what + "not rebuilt, lists cost nothing", "decays", texts(found, Latencies::unbuiltOff) + alsoMet));
    }

    private static void addCharged(String what, SortedMap<Integer, Latencies> found, Findings findings) {
        findings.add(Row.shown(what + "rebuilt, lists cost something", "", texts(found, Latencies::rebuiltOff)));
        findings.add(
                Row.shown(what + "not rebuilt, lists cost something", "decays", texts(found, Latencies::unbuiltOff)));
    }

    private static boolean isMet(double off) {
        return Math.abs(off) <= TOLERANCE;
    }

    private static double worst(SortedMap<Integer, Latencies> found, ToDoubleFunction<Latencies> off) {
        return found.values().stream()
                .mapToDouble(off)
                .reduce(0, (one, other) -> Math.abs(one) > Math.abs(other) ? one : other);
    }

    private static String texts(SortedMap<Integer, Latencies> found, ToDoubleFunction<Latencies> off) {
        StringJoiner text = new StringJoiner(", ");
        found.values().forEach(latencies -> text.add(Figures.percent(off.applyAsDouble(latencies))));
        return text.toString();
    }

    private static Chart chart(Series free, Series charged, int ranks) {
        Chart chart = new Chart(
                "agreement-after-failures",
                "Second agreement of " + Figures.count(ranks) + " ranks after failures",
                new Chart.Axis("failed ranks", Chart.Scale.POWERS_OF_TWO),
                new Chart.Axis("latency (µs)", Chart.Scale.LINEAR));
        Chart.Curve lowestUnbuilt = chart.curve("lowest ranks failed, tree not rebuilt", Chart.Style.MEASURED);
        Chart.Curve randomUnbuilt = chart.curve("random ranks failed, tree not rebuilt", Chart.Style.MEASURED);
        Chart.Curve listed = chart.curve("tree rebuilt, lists cost something", Chart.Style.MEASURED);
        Chart.Curve rebuilt = chart.curve("tree rebuilt, lists cost nothing", Chart.Style.MEASURED);
        Chart.Curve none = chart.curve("as many ranks, no failure", Chart.Style.REFERENCE);
        free.random().forEach((failures, latencies) -> {
            lowestUnbuilt.add(failures, free.lowest().get(failures).unbuiltNs() / 1e3);
            randomUnbuilt.add(failures, latencies.unbuiltNs() / 1e3);
            listed.add(failures, charged.random().get(failures).rebuiltNs() / 1e3);
            rebuilt.add(failures, latencies.rebuiltNs() / 1e3);
            none.add(failures, latencies.failureFreeNs() / 1e3);
        });
        return chart;
    }
}
