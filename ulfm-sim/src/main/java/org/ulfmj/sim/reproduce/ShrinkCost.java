package org.ulfmj.sim.reproduce;

import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.agree.Kind;
import org.ulfmj.agree.TreeShape;
import org.ulfmj.protocol.SlotSet;

/**
 * Shrinking a communicator of 2,197 ranks after whole nodes have failed, from one to sixty-four. The baseline is the
 * shrink of that time: four agreements (on the failed set, two on an id, one before first use), each in two phases.
 *
 * <p>Which nodes fail is drawn several times, in each draw one node after the other, and the mean is shown: whether a dead
 * node held the tree's deepest or its highest ranks moves a single draw by a level.
 */
final class ShrinkCost implements Experiment {
    private static final int RANKS = 2_197;
    private static final int RANKS_PER_NODE = 16;
    private static final int MOST_NODES = 64;
    private static final int SMALL = 1_100;
    private static final int FEW_NODES = 32;
    private static final int DRAWS = 8;
    private static final int BASELINE_AGREEMENTS = 4;
    private static final double LEAST_RATIO = 5;

    private static final String MONOTONE_RULE = "monotone";
    private static final String RATIO_RULE = "at least 5 times below the baseline";

    private record Costs(double shippedNs, double baselineNs) {
        Costs plus(Costs other) {
            return new Costs(shippedNs + other.shippedNs, baselineNs + other.baselineNs);
        }

        Costs dividedBy(int count) {
            return new Costs(shippedNs / count, baselineNs / count);
        }
    }

    @Override
    public String name() {
        return "shrink-cost";
    }

    @Override
    public String title() {
        return "shrink after the failure of 1 to 64 nodes of 16 ranks, of 2,197 ranks";
    }

    @Override
    public void run(Setting setting, Findings findings) {
        LogP costs = Darter.costs();
        int ranks = setting.size(RANKS, SMALL);
        int most = setting.size(MOST_NODES, FEW_NODES);
        int draws = setting.size(DRAWS, 2);
        SortedMap<Integer, Costs> found = new TreeMap<>();
        for (int draw = 0; draw < draws; draw++) {
            int[] order = RandomSlots.order(ranks / RANKS_PER_NODE, setting.random("nodes of draw " + draw));
            for (int nodes = 1; nodes <= most; nodes *= setting.size(2, 8)) {
                SlotSet dead = firstNodes(order, nodes);
                found.merge(dead.size(), measure(ranks, dead, costs), Costs::plus);
            }
        }
        found.replaceAll((failures, sum) -> sum.dividedBy(draws));
        addRows(found, findings);
        findings.add(chart(found, ranks));
        findings.note(Figures.count(ranks) + " ranks, mean of " + draws + " draws of the failed nodes; " + costs);
        findings.note("one two-phase agreement is a quarter of the baseline; its looks at members take "
                + TwoPhaseAgreement.PER_MEMBER_NS + " ns each; in both, going through a list in a message takes "
                + ListedRanks.NS_EACH + " ns a rank");
    }

    private static void addRows(SortedMap<Integer, Costs> found, Findings findings) {
        int most = found.lastKey();
        double ratio = found.get(most).baselineNs() / found.get(most).shippedNs();
        findings.add(Row.result(
                "shrink after " + found.firstKey() + " to " + Figures.count(most) + " failures",
                "grows with the failures",
                MONOTONE_RULE,
                texts(found),
                isMonotone(found)));
        findings.add(Row.result(
                "shrink after " + Figures.count(most) + " failures against the two-phase baseline",
                "drastically cheaper",
                RATIO_RULE,
                Figures.micros(found.get(most).baselineNs()) + " to "
                        + Figures.micros(found.get(most).shippedNs()) + ", " + Figures.ratio(ratio) + " times",
                ratio >= LEAST_RATIO));
        findings.add(Row.control(
                "the baseline's shrink with our one agreement in it, still in two phases",
                RATIO_RULE,
                Figures.ratio(BASELINE_AGREEMENTS) + " times",
                BASELINE_AGREEMENTS >= LEAST_RATIO));
    }

    private static boolean isMonotone(SortedMap<Integer, Costs> found) {
        double highestNs = 0;
        for (Costs costs : found.values()) {
            if (costs.shippedNs() < highestNs) {
                return false;
            }
            highestNs = Math.max(highestNs, costs.shippedNs());
        }
        return found.get(found.lastKey()).shippedNs()
                > found.get(found.firstKey()).shippedNs();
    }

    private static String texts(SortedMap<Integer, Costs> found) {
        StringBuilder text = new StringBuilder();
        for (Costs costs : found.values()) {
            text.append(text.isEmpty() ? "" : ", ").append(Figures.micros(costs.shippedNs()));
        }
        return text.toString();
    }

    private static Chart chart(SortedMap<Integer, Costs> found, int ranks) {
        Chart chart = new Chart(
                "shrink-cost",
                "Shrink of " + Figures.count(ranks) + " ranks after failures of nodes of 16",
                new Chart.Axis("failed ranks", Chart.Scale.POWERS_OF_TWO),
                new Chart.Axis("latency (µs)", Chart.Scale.POWERS_OF_TEN));
        Chart.Curve baseline = chart.curve("baseline, four two-phase agreements", Chart.Style.MEASURED);
        Chart.Curve shipped = chart.curve("shrink, shipped classes", Chart.Style.MEASURED);
        found.forEach((failures, costs) -> {
            baseline.add(failures, costs.baselineNs() / 1e3);
            shipped.add(failures, costs.shippedNs() / 1e3);
        });
        return chart;
    }

    private static SlotSet firstNodes(int[] order, int nodes) {
        int[] slots = new int[nodes * RANKS_PER_NODE];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = order[i / RANKS_PER_NODE] * RANKS_PER_NODE + i % RANKS_PER_NODE;
        }
        return SlotSet.of(slots);
    }

    private static Costs measure(int ranks, SlotSet dead, LogP costs) {
        SurvivorWorld world = new SurvivorWorld(ranks, Network.uniform(costs), TreeShape.BINARY, dead);
        double shippedNs = world.call(Kind.SHRINK);
        if (!world.decision().failed().equals(dead)) {
            throw new IllegalStateException(
                    "shrink agreed on " + world.decision().failed() + " and not on " + dead);
        }
        double oneNs = new TwoPhaseAgreement(
                        ranks - dead.size(), ranks, TwoPhaseAgreement.PER_MEMBER_NS, dead.size(), costs)
                .latencyNs();
        return new Costs(shippedNs, BASELINE_AGREEMENTS * oneNs);
    }
}
