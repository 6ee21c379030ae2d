package org.ulfmj.sim.reproduce;

import org.ulfmj.agree.Kind;

/** How long an agreement takes as the world grows, without failures. */
final class AgreementLatency implements Experiment {
    private static final int SMALLEST = 16;
    private static final int LARGEST = 131_072;
    private static final double TOLERANCE = 0.05;

    @Override
    public String name() {
        return "agreement-latency";
    }

    @Override
    public String title() {
        return "latency of an agreement, 16 to 131,072 ranks";
    }

    @Override
    public void run(Setting setting, Findings findings) {
        LogP costs = Darter.costs();
        Chart chart = new Chart(
                "agreement-latency",
                "Agreement without failures",
                new Chart.Axis("ranks", Chart.Scale.POWERS_OF_TWO),
                new Chart.Axis("latency (µs)", Chart.Scale.LINEAR));
        Chart.Curve measured = chart.curve("shipped agreement, binary tree", Chart.Style.MEASURED);
        Chart.Curve published = chart.curve("6.7 log2.125(n)", Chart.Style.REFERENCE);
        double worst = 0;
        long bytes = 0;
        for (int ranks = SMALLEST; ranks <= setting.size(LARGEST, 4096); ranks *= 2) {
            SurvivorWorld world = new SurvivorWorld(ranks, Network.uniform(costs), MessageSize::of);
            double ns = world.call(Kind.AGREE);
            double off = ns / Darter.publishedNs(ranks) - 1;
            worst = Math.abs(off) > Math.abs(worst) ? off : worst;
            bytes = Math.max(bytes, world.network().largestBytes());
            measured.add(ranks, ns / 1e3);
            published.add(ranks, Darter.publishedNs(ranks) / 1e3);
        }
        findings.add(Row.result(
                "every power of two",
                "6.7·log₂.₁₂₅(n) µs",
                "within 5 % of it",
                "worst " + Figures.percent(worst) + "; largest message " + bytes + " bytes",
                Math.abs(worst) <= TOLERANCE));
        findings.add(chart);
        findings.note(costs.toString());
    }
}
