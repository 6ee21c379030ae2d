package org.ulfmj.benchmarks.reproduce.detector;

import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import org.ulfmj.benchmarks.chart.Chart;
import org.ulfmj.benchmarks.reproduce.Darter;
import org.ulfmj.benchmarks.reproduce.Experiment;
import org.ulfmj.benchmarks.reproduce.Figures;
import org.ulfmj.benchmarks.reproduce.Findings;
import org.ulfmj.benchmarks.reproduce.LogP;
import org.ulfmj.benchmarks.reproduce.Row;
import org.ulfmj.benchmarks.reproduce.Setting;
import org.ulfmj.protocol.Timing;
import org.ulfmj.sim.SeededRandom;

/**
 * How soon all survivors know of all deaths by silence: of deaths at random places, and of neighbours that die
 * together.
 */
public final class FailureDetection implements Experiment {
    private static final Timing TIMING = Timing.fromTimeout(1_000_000_000);
    private static final int PLAIN_RANKS = 256;

    private LogP costs;

    @Override
    public String name() {
        return "failure-detection";
    }

    @Override
    public String title() {
        return "the heartbeat ring: from deaths at one instant until every survivor knows of all";
    }

    @Override
    public void run(Setting setting, Findings findings) {
        costs = Darter.costs();
        int[] sizes = setting.quick() ? new int[] {64, 256} : new int[] {64, 1_024, 8_192, 65_536};
        for (int ranks : sizes) {
            findings.add(atRandom(setting, ranks));
        }
        for (int ranks : sizes) {
            findings.add(adjacent(setting, ranks));
        }
        plainRing(setting, findings);
        findings.note(String.format(
                Locale.ROOT,
                "δ = %d ms, period %d ms, %s; silence is noticed a tenth of a period after δ; B = 8(L + 2o)·log₂ n",
                TIMING.detectorTimeoutNs() / 1_000_000,
                TIMING.heartbeatPeriodNs() / 1_000_000,
                costs));
        findings.note(
                "an obituary that comes later than another copy of it costs its sender o and its receiver nothing;"
                        + " with them a rank would be busy for f⌈2 log₂ n⌉o more, at most "
                        + Figures.micros(lateCopiesNs(sizes[sizes.length - 1])));
    }

    private double lateCopiesNs(int ranks) {
        return log2(ranks) * 2 * log2(ranks) * costs.overheadNs();
    }

    /**
     * The row of deaths at random places. A sample in which two of the dying ranks are neighbours by chance may take up
     * to the bound for neighbours. If there is no such sample, the row says so. Without a sample of the other kind the
     * row fails.
     */
    private Row atRandom(Setting setting, int ranks) {
        SeededRandom random = setting.random("random deaths among " + ranks);
        int failures = log2(ranks);
        int samples = samples(setting, ranks);
        Range apart = new Range();
        Range neighbours = new Range();
        for (int i = 0; i < samples; i++) {
            int[] dying = anywhere(ranks, failures, random);
            double time = inTimeouts(measure(ranks, dying, random));
            (haveNeighbours(dying, ranks) ? neighbours : apart).add(time);
        }
        return Row.result(
                Figures.count(ranks) + " ranks, " + failures + " deaths at random places, " + samplesText(samples),
                "δ",
                "δ ± 10 % if no two are neighbours, else within 2(δ + η/10) + fB",
                "no neighbours: " + apart + "; neighbours: " + neighbours,
                apart.isWithin(0.9, 1.1)
                        && (neighbours.isEmpty() || neighbours.isWithin(0.9, adjacentBound(ranks, failures))));
    }

    private Row adjacent(Setting setting, int ranks) {
        SeededRandom random = setting.random("adjacent deaths among " + ranks);
        boolean met = true;
        StringBuilder measured = new StringBuilder();
        int samples = samples(setting, ranks);
        for (int failures : new int[] {2, log2(ranks)}) {
            double longest = 0;
            for (int i = 0; i < samples; i++) {
                longest = Math.max(longest, inTimeouts(measure(ranks, row(ranks, failures, random), random)));
            }
            met &= longest <= adjacentBound(ranks, failures);
            measured.append(format("%sf = %d: %.3f δ", measured.length() == 0 ? "" : ", ", failures, longest));
        }
        return Row.result(
                Figures.count(ranks) + " ranks, f neighbours on the ring die, longest of " + samplesText(samples),
                "2δ and a broadcast by rule 6a",
                "within 2(δ + η/10) + fB",
                measured.toString(),
                met);
    }

    /** Adds a row and a control of the ring without rule 6a, and a chart that compares it with the shipped ring. */
    private void plainRing(Setting setting, Findings findings) {
        Chart chart = new Chart(
                "failure-detection",
                "Neighbours on the ring die together, " + PLAIN_RANKS + " ranks",
                new Chart.Axis("deaths", Chart.Scale.LINEAR),
                new Chart.Axis("until every survivor knows of all (timeouts)", Chart.Scale.LINEAR));
        Chart.Curve plain = chart.curve("without rule 6a", Chart.Style.MEASURED);
        Chart.Curve shipped = chart.curve("shipped", Chart.Style.MEASURED);
        Chart.Curve plainBound = chart.curve("2k - 1", Chart.Style.REFERENCE);
        Chart.Curve shippedBound = chart.curve("2", Chart.Style.REFERENCE);
        PlainRing withoutProbes = new PlainRing();
        SeededRandom random = setting.random("plain ring");
        int most = setting.size(log2(PLAIN_RANKS), 3);
        StringBuilder measured = new StringBuilder();
        double last = 0;
        boolean met = true;
        for (int failures = 1; failures <= most; failures++) {
            int[] dying = row(PLAIN_RANKS, failures, random);
            long seed = random.nextLong();
            last = withoutProbes.knownByAllNs(PLAIN_RANKS, dying, TIMING, costs, seed) / TIMING.detectorTimeoutNs();
            Detection detection = DetectionRun.of(PLAIN_RANKS, dying, TIMING, costs, new SeededRandom(seed));
            plain.add(failures, last);
            shipped.add(failures, inTimeouts(detection));
            plainBound.add(failures, 2 * failures - 1);
            shippedBound.add(failures, 2);
            met &= Math.abs(last - (2 * failures - 1)) <= 0.05 * failures + 0.1;
            measured.append(format("%s%.2f", failures == 1 ? "" : ", ", last));
        }
        findings.add(Row.result(
                "without rule 6a, " + PLAIN_RANKS + " ranks, k = 1 … " + most + " neighbours",
                "(2k−1)δ",
                "within 0.1 δ and 5 % of kδ",
                measured + " δ",
                met));
        findings.add(Row.control(
                "without rule 6a, " + PLAIN_RANKS + " ranks, f = " + most,
                "within 2(δ + η/10) + fB",
                format("%.2f δ", last),
                last <= adjacentBound(PLAIN_RANKS, most)));
        findings.add(chart);
    }

    private Detection measure(int ranks, int[] dying, SeededRandom phases) {
        return DetectionRun.of(ranks, dying, TIMING, costs, phases);
    }

    private static int[] anywhere(int ranks, int failures, SeededRandom random) {
        SortedSet<Integer> dying = new TreeSet<>();
        while (dying.size() < failures) {
            dying.add(random.below(ranks));
        }
        return dying.stream().mapToInt(rank -> rank).toArray();
    }

    private static boolean haveNeighbours(int[] ascending, int ranks) {
        for (int i = 0; i < ascending.length; i++) {
            int next = ascending[(i + 1) % ascending.length];
            if (Math.floorMod(next - ascending[i], ranks) == 1) {
                return true;
            }
        }
        return false;
    }

    private static int[] row(int ranks, int failures, SeededRandom random) {
        int first = random.below(ranks);
        int[] dying = new int[failures];
        for (int i = 0; i < failures; i++) {
            dying[i] = (first + i) % ranks;
        }
        return dying;
    }

    /** The upper bound on the time until all survivors know of neighbours that died together, in timeouts. */
    private double adjacentBound(int ranks, int failures) {
        double broadcastNs = 8 * costs.hopNs() * Math.log(ranks) / Math.log(2);
        double noticedNs = TIMING.detectorTimeoutNs() + TIMING.heartbeatPeriodNs() / 10.0;
        return (2 * noticedNs + failures * broadcastNs) / TIMING.detectorTimeoutNs();
    }

    private static double inTimeouts(Detection detection) {
        return detection.knownByAllNs() / TIMING.detectorTimeoutNs();
    }

    /**
     * The number of samples per number of deaths: one for a world of more than 1,024 ranks, else eleven, or three in
     * the quick setting.
     */
    private static int samples(Setting setting, int ranks) {
        return ranks > 1_024 ? 1 : setting.size(11, 3);
    }

    private static String samplesText(int samples) {
        return samples == 1 ? "1 sample" : samples + " samples";
    }

    private static int log2(int ranks) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(ranks - 1);
    }

    private static String format(String text, Object... values) {
        return String.format(Locale.ROOT, text, values);
    }
}
