package org.ulfmj.benchmarks.reproduce;

import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.ulfmj.agree.message.Kind;
import org.ulfmj.agree.tree.TreeShape;
import org.ulfmj.benchmarks.chart.Chart;
import org.ulfmj.protocol.SlotSet;

/**
 * Trees for machines whose ranks share nodes. A star within a node makes its first rank handle fifteen messages one
 * after the other, which takes longer than the long ways that the star saves. A binary tree within a node saves those
 * ways too, and spreads the work. The shipped agreement classes run over each tree. The flat tree is a binary heap over
 * all ranks, which does not take nodes into account.
 *
 * <p>The cost of the flat tree depends on the placement of the ranks, so three rows show three placements. The row that
 * is judged has ranks dealt to the nodes in turn for the flat tree, so that the ways of that tree are long, as in the
 * published explanation; the two other trees have nodes of consecutive ranks there. With all three trees packed in rank
 * order the published order does not appear: the first levels of the heap happen to be on one node, and the flat tree
 * is as good as bin/bin. If the ranks of a node also queue at one network interface, the flat tree is the slowest.
 */
public final class TreesOfNodes implements Experiment {
    private static final int RANKS_PER_NODE = 16;
    private static final int SMALLEST = 64;
    private static final int JUDGED_FROM = 1_024;
    private static final int LARGEST = 32_768;
    private static final int SMALL = 1_024;

    /**
     * The latency within a node as a share of that between nodes, which is our choice. The overhead is the same, as it
     * is software and copying. Where the ranks of a node share an interface, messages within the node have no gap.
     */
    private static final double NEAR = 0.1;

    private static final String RULE =
            "bin/star > flat binary > bin/bin, at every power of two from 1,024; flat measured"
                    + " on another placement (ranks dealt to the nodes in turn) than the two others (packed)";

    private record Latencies(double binStarNs, double flatNs, double binBinNs) {
        boolean isInOrder() {
            return binStarNs > flatNs && flatNs > binBinNs;
        }

        @Override
        public String toString() {
            return Figures.micros(binStarNs) + ", " + Figures.micros(flatNs) + ", " + Figures.micros(binBinNs);
        }
    }

    @Override
    public String name() {
        return "trees-of-nodes";
    }

    @Override
    public String title() {
        return "bin/star, flat binary and bin/bin trees, 16 ranks a node";
    }

    @Override
    public void run(Setting setting, Findings findings) {
        LogP far = Darter.costs();
        LogP near = new LogP(NEAR * far.latencyNs(), far.overheadNs(), far.gapNs(), far.perByteNs());
        int largest = setting.size(LARGEST, SMALL);
        Network packed = Network.packed(RANKS_PER_NODE, near, far);
        Network queued = Network.packedBehindOneInterface(RANKS_PER_NODE, near, far);
        SortedMap<Integer, Latencies> found =
                measure(largest, packed, ranks -> Network.dealt(ranks / RANKS_PER_NODE, near, far));
        SortedMap<Integer, Latencies> foundPacked = measure(largest, packed, ranks -> packed);
        SortedMap<Integer, Latencies> foundQueued = measure(largest, queued, ranks -> queued);
        Network noNodes = Network.uniform(far);
        SortedMap<Integer, Latencies> withoutNodes = measure(JUDGED_FROM, noNodes, ranks -> noNodes);
        findings.add(Row.result(
                "bin/star, flat binary with its ranks dealt to the nodes in turn, bin/bin",
                "slowest to fastest in this order",
                RULE,
                texts(found),
                isInOrder(found)));
        findings.add(Row.shown("all three packed in rank order", "", texts(foundPacked) + order(foundPacked)));
        findings.add(Row.shown(
                "all three packed, one network interface a node", "", texts(foundQueued) + order(foundQueued)));
        findings.add(Row.control(
                "the same trees where all ways are equally long", RULE, texts(withoutNodes), isInOrder(withoutNodes)));
        addBranching(largest, findings);
        findings.add(chart(found, foundPacked));
        findings.note("between nodes " + far);
        findings.note("within a node, a tenth of the way (ours), " + near);
    }

    private static SortedMap<Integer, Latencies> measure(int largest, Network network, IntFunction<Network> ofFlat) {
        SortedMap<Integer, Latencies> found = new TreeMap<>();
        for (int ranks = SMALLEST; ranks <= largest; ranks *= 2) {
            found.put(
                    ranks,
                    new Latencies(
                            latencyNs(ranks, network, NodeShape.binStar(RANKS_PER_NODE)),
                            latencyNs(ranks, ofFlat.apply(ranks), TreeShape.BINARY),
                            latencyNs(ranks, network, NodeShape.binBin(RANKS_PER_NODE))));
        }
        return found;
    }

    private static double latencyNs(int ranks, Network network, TreeShape shape) {
        return new LogPSurvivors(ranks, network, ListedRanks.NS_EACH, shape, SlotSet.EMPTY).call(Kind.AGREE);
    }

    private static boolean isInOrder(SortedMap<Integer, Latencies> found) {
        return found.tailMap(JUDGED_FROM).values().stream().allMatch(Latencies::isInOrder);
    }

    private static String order(SortedMap<Integer, Latencies> found) {
        return isInOrder(found) ? "" : ": not in this order";
    }

    private static String texts(SortedMap<Integer, Latencies> found) {
        StringBuilder text = new StringBuilder();
        for (int ranks : new int[] {JUDGED_FROM, found.lastKey()}) {
            if (text.isEmpty() || ranks != JUDGED_FROM) {
                text.append(text.isEmpty() ? "" : "; ").append(found.get(ranks));
                text.append(" at ").append(Figures.count(ranks));
            }
        }
        return text.toString();
    }

    /**
     * Adds the mean branching over all ranks that have children. In a node whose first rank has two other nodes below
     * it, the published mean results by construction, 17 children of 8 ranks, so the row is shown and not judged.
     */
    private static void addBranching(int ranks, Findings findings) {
        TreeShape shape = NodeShape.binBin(RANKS_PER_NODE);
        double ofTree = meanBranching(shape, ranks, ranks);
        double ofNode = meanBranching(shape, RANKS_PER_NODE, ranks);
        findings.add(Row.shown(
                "mean branching of the inner ranks of bin/bin",
                String.valueOf(Darter.MEAN_BRANCHING),
                String.format(
                        Locale.ROOT,
                        "%.3f over the whole tree; %.3f in a node with two nodes below it, by construction",
                        ofTree,
                        ofNode)));
    }

    private static double meanBranching(TreeShape shape, int places, int size) {
        int inner = 0;
        int children = 0;
        for (int place = 0; place < places; place++) {
            int below = shape.children(place, size).length;
            inner += below > 0 ? 1 : 0;
            children += below;
        }
        return (double) children / inner;
    }

    private static Chart chart(SortedMap<Integer, Latencies> found, SortedMap<Integer, Latencies> packed) {
        Chart chart = new Chart(
                "trees-of-nodes",
                "Agreement over three trees, 16 ranks a node",
                new Chart.Axis("ranks", Chart.Scale.POWERS_OF_TWO),
                new Chart.Axis("latency (µs)", Chart.Scale.LINEAR));
        Chart.Curve binStar = chart.curve("bin/star", Chart.Style.MEASURED);
        Chart.Curve flat = chart.curve("flat binary, ranks dealt to nodes", Chart.Style.MEASURED);
        Chart.Curve binBin = chart.curve("bin/bin", Chart.Style.MEASURED);
        Chart.Curve flatPacked = chart.curve("flat binary, ranks packed onto nodes", Chart.Style.REFERENCE);
        found.forEach((ranks, latencies) -> {
            binStar.add(ranks, latencies.binStarNs() / 1e3);
            flat.add(ranks, latencies.flatNs() / 1e3);
            binBin.add(ranks, latencies.binBinNs() / 1e3);
            flatPacked.add(ranks, packed.get(ranks).flatNs() / 1e3);
        });
        return chart;
    }
}
