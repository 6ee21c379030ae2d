package org.ulfmj.sim.reproduce;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.ulfmj.agree.Kind;
import org.ulfmj.agree.TreeShape;
import org.ulfmj.protocol.SlotSet;

/**
 * The agreement after failures. A decision of a blocking call makes the dead part of the base, and the next tree is a heap
 * over those that are left: as fast as if the dead had never been. Non-blocking calls must not change the base (two ranks
 * could then use different trees for the same agreement), so a series of those shows the tree that is never rebuilt: orphans
 * hang under their nearest live ancestor, which serves one after the other.
 */
final class AgreementAfterFailures implements Experiment {
    private static final int RANKS = 2_048;
    private static final int SMALL = 1_024;
    private static final int MOST_IN = 8;

    /**
     * Judged are up to one failure in so many ranks. Every message lists all failed members, so that with more of them
     * the lists are felt, whatever the tree: that is shown beside it.
     */
    private static final int JUDGED_IN = 64;

    private static final double TOLERANCE = 0.05;
    private static final String RULE = "within 5 % of an agreement of n − f that saw no failure";

    private record Latencies(double rebuiltNs, double unbuiltNs, double failureFreeNs) {
        double rebuiltOff() {
            return rebuiltNs / failureFreeNs - 1;
        }

        double unbuiltOff() {
            return unbuiltNs / failureFreeNs - 1;
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
        SortedMap<Integer, Latencies> anywhere = new TreeMap<>();
        SortedMap<Integer, Latencies> first = new TreeMap<>();
        for (int failures = 1; failures <= ranks / MOST_IN; failures *= setting.size(2, 4)) {
            double freeNs = new SurvivorWorld(ranks - failures, Network.uniform(costs)).call(Kind.AGREE);
            SlotSet random = RandomSlots.of(failures, ranks, setting.random("dead of " + failures));
            anywhere.put(failures, measure(ranks, random, freeNs, costs));
            SlotSet lowest = SlotSet.of(IntStream.range(0, failures).toArray());
            first.put(failures, measure(ranks, lowest, freeNs, costs));
        }
        addRows("random", ranks, anywhere, findings);
        addRows("lowest", ranks, first, findings);
        double decay = first.get(first.lastKey()).unbuiltOff();
        findings.add(Row.control(
                "the lowest " + Figures.count(first.lastKey()) + " failed, tree not rebuilt",
                RULE,
                Figures.percent(decay),
                Math.abs(decay) <= TOLERANCE));
        findings.add(chart(anywhere, first, ranks));
        findings.note(
                Figures.count(ranks) + " ranks, 1 to " + Figures.count(anywhere.lastKey()) + " failures, " + costs);
        findings.note("what is left of the difference are the lists of failed ranks in the messages: bytes, and "
                + ListedRanks.NS_EACH + " ns a listed rank at the receiver");
    }

    private static void addRows(String who, int ranks, SortedMap<Integer, Latencies> found, Findings findings) {
        SortedMap<Integer, Latencies> judged = found.headMap(ranks / JUDGED_IN + 1);
        double rebuilt = worst(judged, Latencies::rebuiltOff);
        double unbuilt = worst(judged, Latencies::unbuiltOff);
        String what = "the " + who + " 1 to " + Figures.count(judged.lastKey()) + " of " + Figures.count(ranks)
                + " failed, tree ";
        findings.add(Row.result(
                what + "rebuilt",
                "as without failures",
                RULE,
                "at worst " + Figures.percent(rebuilt),
                Math.abs(rebuilt) <= TOLERANCE));
        findings.add(Row.shown(what + "not rebuilt", "decays", "at worst " + Figures.percent(unbuilt)));
        found.tailMap(judged.lastKey() + 1)
                .forEach((failures, latencies) -> findings.add(Row.shown(
                        "the " + who + " " + Figures.count(failures) + " failed, tree rebuilt, and not",
                        "",
                        Figures.percent(latencies.rebuiltOff()) + ", " + Figures.percent(latencies.unbuiltOff()))));
    }

    private static double worst(SortedMap<Integer, Latencies> found, ToDoubleFunction<Latencies> off) {
        return found.values().stream()
                .mapToDouble(off)
                .reduce(0, (one, other) -> Math.abs(one) > Math.abs(other) ? one : other);
    }

    private static Latencies measure(int ranks, SlotSet dead, double failureFreeNs, LogP costs) {
        return new Latencies(
                secondNs(ranks, dead, Kind.AGREE, costs), secondNs(ranks, dead, Kind.IAGREE, costs), failureFreeNs);
    }

    /** The second call after the failures, which everybody knew before the first. */
    private static double secondNs(int ranks, SlotSet dead, Kind kind, LogP costs) {
        SurvivorWorld world = new SurvivorWorld(ranks, Network.uniform(costs), TreeShape.BINARY, dead);
        world.call(kind);
        return world.call(kind);
    }

    private static Chart chart(SortedMap<Integer, Latencies> anywhere, SortedMap<Integer, Latencies> first, int ranks) {
        Chart chart = new Chart(
                "agreement-after-failures",
                "Second agreement of " + Figures.count(ranks) + " ranks after failures",
                new Chart.Axis("failed ranks", Chart.Scale.POWERS_OF_TWO),
                new Chart.Axis("latency (µs)", Chart.Scale.LINEAR));
        Chart.Curve lowestUnbuilt = chart.curve("lowest ranks failed, tree not rebuilt", Chart.Style.MEASURED);
        Chart.Curve lowestRebuilt = chart.curve("lowest ranks failed, tree rebuilt", Chart.Style.MEASURED);
        Chart.Curve randomUnbuilt = chart.curve("random ranks failed, tree not rebuilt", Chart.Style.MEASURED);
        Chart.Curve randomRebuilt = chart.curve("random ranks failed, tree rebuilt", Chart.Style.MEASURED);
        Chart.Curve free = chart.curve("as many ranks, no failure", Chart.Style.REFERENCE);
        anywhere.forEach((failures, latencies) -> {
            lowestUnbuilt.add(failures, first.get(failures).unbuiltNs() / 1e3);
            lowestRebuilt.add(failures, first.get(failures).rebuiltNs() / 1e3);
            randomUnbuilt.add(failures, latencies.unbuiltNs() / 1e3);
            randomRebuilt.add(failures, latencies.rebuiltNs() / 1e3);
            free.add(failures, latencies.failureFreeNs() / 1e3);
        });
        return chart;
    }
}
