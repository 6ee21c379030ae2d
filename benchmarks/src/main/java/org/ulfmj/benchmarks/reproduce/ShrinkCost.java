package org.ulfmj.benchmarks.reproduce;

import java.util.SortedMap;
import java.util.TreeMap;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.agree.tree.TreeShape;
import org.ulfmj.benchmarks.chart.Chart;
import org.ulfmj.protocol.SlotSet;

/**
 * Shrinking a communicator of 2,197 ranks after whole nodes have failed, from one to sixty-four. The baseline is the
 * shrink of the published comparison: four agreements (on the failed set, two on an id, one before first use), each in
 * two phases. One of them is measured, and counted four times.
 *
 * <p>The nodes that fail are drawn several times, one node after the other in each draw, and the mean is shown: the
 * time of a single draw depends on which nodes are dead.
 *
 * <p>The times for a listed rank and for a look at a member are our choice. The judged rows say so, and other rows show
 * the result without them.
 */
public final class ShrinkCost implements Experiment {
    private static final int RANKS = 2_197;
    private static final int RANKS_PER_NODE = 16;
    private static final int MOST_NODES = 64;
    private static final int SMALL = 1_100;
    private static final int FEW_NODES = 32;
    private static final int DRAWS = 8;
    private static final int BASELINE_AGREEMENTS = 4;
    private static final double LEAST_RATIO = 5;

    private static final String MONOTONE_RULE = "monotone, where a listed rank costs its receiver "
            + ListedRanks.NS_EACH + " ns (ours) and its bytes: this choice decides";
    private static final String RATIO_RULE = "at least 5 times below the baseline: " + BASELINE_AGREEMENTS
            + " × one measured two-phase agreement (the shrink compared with made so many), where a look at a member takes "
            + TwoPhaseAgreement.PER_MEMBER_NS + " ns (ours): this choice decides";

    /** Times that are added to the network's costs. */
    private record Charges(double perListedRankNs, double perMemberNs) {
        static final Charges JUDGED = new Charges(ListedRanks.NS_EACH, TwoPhaseAgreement.PER_MEMBER_NS);
        static final Charges LISTS_FREE = new Charges(ListedRanks.FREE, TwoPhaseAgreement.PER_MEMBER_NS);

        Charges withFreeLooks() {
            return new Charges(perListedRankNs, 0);
        }
    }

    private record Costs(double shippedNs, double twoPhaseNs) {
        Costs against(double otherTwoPhaseNs) {
            return new Costs(shippedNs, otherTwoPhaseNs);
        }

        double baselineNs() {
            return BASELINE_AGREEMENTS * twoPhaseNs;
        }

        double ratio() {
            return baselineNs() / shippedNs;
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
        LogP freeBytes = costs.withFreeBytes();
        SortedMap<Integer, Costs> found = measure(setting, ranks, costs, Charges.JUDGED);
        SortedMap<Integer, Costs> listsFree = measure(setting, ranks, freeBytes, Charges.LISTS_FREE);
        addRows(found, findings);
        findings.add(Row.shown(
                "shrink after the same failures, lists cost nothing",
                "",
                texts(listsFree) + (isMonotone(listsFree) ? "" : ": not monotone")));
        int most = found.lastKey();
        Costs looksFree = found.get(most).against(twoPhaseNs(ranks, most, costs, Charges.JUDGED.withFreeLooks()));
        Costs bothFree =
                listsFree.get(most).against(twoPhaseNs(ranks, most, freeBytes, Charges.LISTS_FREE.withFreeLooks()));
        findings.add(Row.shown(
                "against the baseline after " + Figures.count(most)
                        + " failures, if looks at members cost nothing; lists; neither",
                "",
                Figures.ratio(looksFree.ratio()) + "; "
                        + Figures.ratio(listsFree.get(most).ratio()) + "; " + Figures.ratio(bothFree.ratio())
                        + " times"));
        findings.add(chart(found, ranks));
        findings.note(
                Figures.count(ranks) + " ranks, mean of " + draws(setting) + " draws of the failed nodes; " + costs);
    }

    private static int draws(Setting setting) {
        return setting.size(DRAWS, 2);
    }

    private static SortedMap<Integer, Costs> measure(Setting setting, int ranks, LogP costs, Charges charges) {
        int most = setting.size(MOST_NODES, FEW_NODES);
        SortedMap<Integer, Double> sumsNs = new TreeMap<>();
        for (int draw = 0; draw < draws(setting); draw++) {
            int[] order = RandomSlots.order(ranks / RANKS_PER_NODE, setting.random("nodes of draw " + draw));
            for (int nodes = 1; nodes <= most; nodes *= setting.size(2, 8)) {
                SlotSet dead = firstNodes(order, nodes);
                sumsNs.merge(dead.size(), shippedNs(ranks, dead, costs, charges), Double::sum);
            }
        }
        SortedMap<Integer, Costs> found = new TreeMap<>();
        sumsNs.forEach((failures, sumNs) ->
                found.put(failures, new Costs(sumNs / draws(setting), twoPhaseNs(ranks, failures, costs, charges))));
        return found;
    }

    private static void addRows(SortedMap<Integer, Costs> found, Findings findings) {
        int most = found.lastKey();
        Costs last = found.get(most);
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
                BASELINE_AGREEMENTS + " × " + Figures.micros(last.twoPhaseNs()) + " to "
                        + Figures.micros(last.shippedNs()) + ", " + Figures.ratio(last.ratio()) + " times",
                last.ratio() >= LEAST_RATIO));
        double single = last.twoPhaseNs() / last.shippedNs();
        findings.add(Row.control(
                "one agreement as in ours, but in two phases",
                RATIO_RULE,
                Figures.ratio(single) + " times",
                single >= LEAST_RATIO));
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

    private static double shippedNs(int ranks, SlotSet dead, LogP costs, Charges charges) {
        LogPSurvivors world =
                new LogPSurvivors(ranks, Network.uniform(costs), charges.perListedRankNs(), TreeShape.BINARY, dead);
        double shippedNs = world.call(Kind.SHRINK);
        if (!world.decision().failed().equals(dead)) {
            throw new IllegalStateException(
                    "shrink agreed on " + world.decision().failed() + " and not on " + dead);
        }
        return shippedNs;
    }

    /**
     * The time of a two-phase agreement. The tree of that agreement has no gaps, so only the number of failures
     * matters.
     */
    private static double twoPhaseNs(int ranks, int failures, LogP costs, Charges charges) {
        return new TwoPhaseAgreement(
                        ranks - failures, ranks, charges.perMemberNs(), failures, charges.perListedRankNs(), costs)
                .latencyNs();
    }
}
