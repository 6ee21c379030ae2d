package org.ulfmj.benchmarks.reproduce.overlay;

import java.util.Locale;
import org.ulfmj.benchmarks.chart.Chart;
import org.ulfmj.benchmarks.reproduce.Darter;
import org.ulfmj.benchmarks.reproduce.Experiment;
import org.ulfmj.benchmarks.reproduce.Figures;
import org.ulfmj.benchmarks.reproduce.Findings;
import org.ulfmj.benchmarks.reproduce.LogP;
import org.ulfmj.benchmarks.reproduce.Row;
import org.ulfmj.benchmarks.reproduce.Setting;
import org.ulfmj.sim.SeededRandom;

/** The order in which a rank tells its neighbours of a revocation, and the time that it saves. */
public final class RevokeOrder implements Experiment {
    /** A network where a message takes as much time on each of the two processors as on the way. */
    private static final LogP BUSY = new LogP(1_000, 1_000, 1_000, 0);

    private static final int LARGEST = 131_072;
    private static final int ALL_UP_TO = 1_024;
    private static final int LARGEST_FLOOD = 1_024;

    /** Relative tolerance when the time of the shipped order is compared with the bound: times are sums of doubles. */
    private static final double ROUNDING = 1e-9;

    @Override
    public String name() {
        return "revoke-order";
    }

    @Override
    public String title() {
        return "a revocation is everywhere after ⌈log₂ n⌉ hops of a tree";
    }

    @Override
    public void run(Setting setting, Findings findings) {
        findings.add(bound(setting));
        int ranks = setting.size(6_000, 600);
        findings.add(plainOrder(ranks, setting.size(LARGEST, 4_096), findings));
        findings.add(flood(setting.size(LARGEST_FLOOD, 128)));
        findings.add(chart(setting.size(LARGEST, 4_096), setting.size(LARGEST_FLOOD, 128)));
        findings.note("all rows but those that say otherwise: " + BUSY);
    }

    private static Row bound(Setting setting) {
        Worst worst = new Worst(setting.random("revoke sizes"));
        int largest = setting.size(LARGEST, 4_096);
        for (int size = 2; size <= setting.size(ALL_UP_TO, 128); size++) {
            worst.measure(size);
        }
        for (int power = 2 * ALL_UP_TO; power <= largest; power *= 2) {
            worst.measure(power - 1);
            worst.measure(power);
            if (power < largest) {
                worst.measure(power + 1);
            }
        }
        for (int i = 0; i < setting.size(200, 5); i++) {
            worst.measureAnyBetween(ALL_UP_TO, largest);
        }
        return Row.result(
                "tree first, as shipped: all n ≤ " + Figures.count(setting.size(ALL_UP_TO, 128)) + ", 2^k and 2^k ± 1, "
                        + setting.size(200, 5) + " sampled up to " + Figures.count(largest)
                        + ", each from a sampled initiator",
                "⌈log₂ n⌉·(L + 2o)",
                "never more",
                Figures.count(worst.sizes) + " sizes; nearest to it, of " + Figures.count(worst.size) + " ranks: "
                        + Figures.ratio(worst.share) + " of it",
                worst.share <= 1 + ROUNDING);
    }

    private static Row plainOrder(int ranks, int largest, Findings findings) {
        double busy = timesSlower(ranks, BUSY);
        double darter = timesSlower(ranks, Darter.costs());
        double largestBusy = timesSlower(largest, BUSY);
        RevokeWave plain = RevokeWave.begunBy(0, largest, new NearestFirst(largest), BUSY);
        findings.add(Row.control(
                "nearest neighbour first (ours, for comparison), " + Figures.count(largest) + " ranks",
                "never more than ⌈log₂ n⌉·(L + 2o)",
                Figures.ratio(plain.lastNs() / boundNs(largest, BUSY)) + " of it",
                plain.lastNs() <= boundNs(largest, BUSY)));
        return Row.shown(
                "nearest neighbour first, against tree first",
                "about 3 × slower",
                String.format(
                        Locale.ROOT,
                        "%.1f × at %,d ranks, %.1f × at %,d; %.1f × at %,d with the costs of the agreement rows",
                        busy,
                        ranks,
                        largestBusy,
                        largest,
                        darter,
                        ranks));
    }

    private static Row flood(int ranks) {
        RevokeEcho shipped = RevokeEcho.begunBy(0, ranks, new ShippedRevocation(ranks), BUSY);
        RevokeEcho flood = RevokeEcho.begunBy(0, ranks, new Flood(ranks), BUSY);
        return Row.shown(
                "every rank to every rank (ours, for comparison), " + Figures.count(ranks) + " ranks",
                "quadratic",
                Figures.count(flood.messages()) + " messages and " + Figures.micros(flood.quietNs())
                        + " until all is quiet; shipped: " + Figures.count(shipped.messages()) + " and "
                        + Figures.micros(shipped.quietNs()));
    }

    private static Chart chart(int largest, int largestFlood) {
        Chart chart = new Chart(
                "revoke-order",
                "Revocation, L = o = 1 µs",
                new Chart.Axis("ranks", Chart.Scale.POWERS_OF_TWO),
                new Chart.Axis("time (µs)", Chart.Scale.POWERS_OF_TEN));
        Chart.Curve flood = chart.curve("every rank to every rank: all is quiet", Chart.Style.MEASURED);
        Chart.Curve quiet = chart.curve("shipped: all is quiet", Chart.Style.MEASURED);
        Chart.Curve plain = chart.curve("nearest first: all have heard", Chart.Style.MEASURED);
        Chart.Curve shipped = chart.curve("shipped, tree first: all have heard", Chart.Style.MEASURED);
        Chart.Curve bound = chart.curve("log2(n) (L + 2o)", Chart.Style.REFERENCE);
        for (int ranks = 8; ranks <= largest; ranks *= 2) {
            ShippedRevocation members = new ShippedRevocation(ranks);
            if (ranks <= largestFlood) {
                RevokeEcho echo = RevokeEcho.begunBy(0, ranks, new Flood(ranks), BUSY);
                flood.add(ranks, echo.quietNs() / 1e3);
            }
            if (ranks <= 16 * largestFlood) {
                RevokeEcho echo = RevokeEcho.begunBy(0, ranks, members, BUSY);
                quiet.add(ranks, echo.quietNs() / 1e3);
            }
            NearestFirst nearestFirst = new NearestFirst(ranks);
            plain.add(ranks, RevokeWave.begunBy(0, ranks, nearestFirst, BUSY).lastNs() / 1e3);
            shipped.add(ranks, RevokeWave.begunBy(0, ranks, members, BUSY).lastNs() / 1e3);
            bound.add(ranks, boundNs(ranks, BUSY) / 1e3);
        }
        return chart;
    }

    private static double timesSlower(int ranks, LogP costs) {
        return RevokeWave.begunBy(0, ranks, new NearestFirst(ranks), costs).lastNs()
                / RevokeWave.begunBy(0, ranks, new ShippedRevocation(ranks), costs)
                        .lastNs();
    }

    private static double boundNs(int ranks, LogP costs) {
        return (Integer.SIZE - Integer.numberOfLeadingZeros(ranks - 1)) * costs.hopNs();
    }

    /** The measured size at which the time of the shipped order is the largest share of the bound. */
    private static final class Worst {
        private final SeededRandom random;
        private int sizes;
        private int size;
        private double share;

        Worst(SeededRandom random) {
            this.random = random;
        }

        void measure(int ranks) {
            int initiator = random.below(ranks);
            double ns = RevokeWave.begunBy(initiator, ranks, new ShippedRevocation(ranks), BUSY)
                    .lastNs();
            sizes++;
            if (ns / boundNs(ranks, BUSY) > share) {
                share = ns / boundNs(ranks, BUSY);
                size = ranks;
            }
        }

        /** Measures one random size between these two. Its logarithm is evenly distributed. */
        void measureAnyBetween(int low, int high) {
            double fraction = random.below(1 << 20) / (double) (1 << 20);
            measure((int) Math.round(low * Math.pow((double) high / low, fraction)));
        }
    }
}
