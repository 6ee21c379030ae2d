package org.ulfmj.benchmarks.reproduce.overlay;

import java.util.Locale;
import java.util.StringJoiner;
import java.util.stream.IntStream;
import org.ulfmj.benchmarks.reproduce.Experiment;
import org.ulfmj.benchmarks.reproduce.Figures;
import org.ulfmj.benchmarks.reproduce.Findings;
import org.ulfmj.benchmarks.reproduce.Row;
import org.ulfmj.benchmarks.reproduce.Setting;
import org.ulfmj.detector.BinomialGraph;
import org.ulfmj.sim.SeededRandom;

/** Degree, diameter, mean distance and connectivity of the binomial graph. */
public final class OverlayShape implements Experiment {
    private static final int SMALLEST = 8;
    private static final int LARGEST = 131_072;

    @Override
    public String name() {
        return "overlay-shape";
    }

    @Override
    public String title() {
        return "the binomial graph: neighbours, hops, connectivity";
    }

    @Override
    public void run(Setting setting, Findings findings) {
        findings.add(powersOfTwo(setting));
        findings.add(row(1_024, 19, 5, "3.448"));
        if (!setting.quick()) {
            findings.add(row(LARGEST, 33, 9, "5.778"));
        }
        findings.add(degrees(new int[] {100, 1_000, 6_000}, new int[] {14, 20, 26}));
        findings.add(sameFromEverywhere(setting));
        findings.add(connectivity());
    }

    private static Row powersOfTwo(Setting setting) {
        boolean met = true;
        StringJoiner measured = new StringJoiner("; ");
        for (int m = 3; 1 << m <= setting.size(LARGEST, 4_096); m++) {
            GraphShape shape = GraphShape.of(1 << m);
            met &= shape.degree() == 2 * m - 1 && shape.diameter() == (m + 1) / 2;
            measured.add(Figures.count(shape.members()) + ": " + text(shape));
        }
        return Row.result(
                "n = 2^m members, from 8: degree, diameter, mean distance",
                "2m−1, ⌈m/2⌉",
                "degree and diameter equal for every m",
                measured.toString(),
                met);
    }

    private static Row row(int members, int degree, int diameter, String meanDistance) {
        GraphShape shape = GraphShape.of(members);
        boolean met = shape.degree() == degree
                && shape.diameter() == diameter
                && mean(shape).equals(meanDistance);
        String published = degree + ", " + diameter + ", " + meanDistance;
        return Row.result(Figures.count(members) + " members", published, "equal", text(shape), met);
    }

    private static Row degrees(int[] members, int[] published) {
        int[] measured =
                IntStream.of(members).map(size -> GraphShape.of(size).degree()).toArray();
        return Row.result(
                "degree of 100, 1,000 and 6,000 members",
                list(published),
                "equal",
                list(measured),
                list(measured).equals(list(published)));
    }

    /**
     * Returns the row of a test, at sampled members of graphs of sampled sizes, that the neighbours are those of member
     * 0, rotated. The shapes are measured from member 0 alone.
     */
    private static Row sameFromEverywhere(Setting setting) {
        SeededRandom random = setting.random("overlay members");
        int samples = setting.size(10_000, 1_000);
        int same = 0;
        for (int i = 0; i < samples; i++) {
            int members = (int) random.between(SMALLEST, LARGEST);
            same += GraphShape.isTheSameFrom(random.below(members), members) ? 1 : 0;
        }
        return Row.result(
                "the graph is the same seen from every member, and joined both ways",
                "regular",
                "every sampled member of a sampled size",
                Figures.count(same) + " of " + Figures.count(samples),
                same == samples);
    }

    private static Row connectivity() {
        boolean met = true;
        StringJoiner measured = new StringJoiner(", ");
        for (int members = SMALLEST; members <= 24; members++) {
            int connectivity = VertexConnectivity.of(members);
            met &= connectivity == BinomialGraph.neighbours(0, members).length;
            measured.add(members + ": " + connectivity);
        }
        return Row.result(
                "members that must fail to cut the rest, n = 8 to 24 (maximum flow between every two)",
                "the degree",
                "equal for every n",
                measured.toString(),
                met);
    }

    private static String text(GraphShape shape) {
        return shape.degree() + ", " + shape.diameter() + ", " + mean(shape);
    }

    private static String mean(GraphShape shape) {
        return String.format(Locale.ROOT, "%.3f", shape.meanDistance());
    }

    private static String list(int[] values) {
        StringJoiner text = new StringJoiner(", ");
        IntStream.of(values).forEach(value -> text.add(Integer.toString(value)));
        return text.toString();
    }
}
