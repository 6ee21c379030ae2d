package org.ulfmj.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ulfmj.benchmarks.result.Result;
import org.ulfmj.benchmarks.result.Results;
import org.ulfmj.benchmarks.result.Windows;

final class ComparisonTest {
    private final Results results = new Results();

    @Test
    void shouldCountBarsByBestMedianAndWorstLaunch() {
        double[] barrier = {0.70, 0.90, 0.95};
        double[] pingPong = {1.05, 1.06, 1.09};
        for (int launch = 1; launch <= 3; launch++) {
            add("shm", "barrier", launch, "ours", barrier[launch - 1]);
            add("shm", "barrier", launch, "ompi", 1);
            add("shm", "pp:8", launch, "ours", pingPong[launch - 1]);
            add("shm", "pp:8", launch, "ompi", 1);
        }
        add("shm", "allreduce:8", 1, "ours", 2);
        add("shm", "allreduce:8", 1, "ompi", 1);
        Comparison comparison = new Comparison(results, 2);

        assertThat(comparison.counts())
                .contains(" 3 were measured: **2 are met by the best launch, 1 by the median launch, 1 by the worst**;"
                        + " 1 rest on one launch.");
        assertThat(comparison.verdicts())
                .contains("| `shm/2/barrier` | 0.8 × Open MPI | 0.700 (0.700 to 0.950) | 0.900 | 87 % | met, not by the"
                        + " median launch |")
                .contains("| `shm/2/pp:8` | 1.1 × Open MPI | 1.05 (1.05 to 1.09) | 1.06 | 95 % | met |")
                .contains("| `shm/2/allreduce:8` | 0.6 × Open MPI | 2.00 (2.00 to 2.00) | 2.00 | 333 % | **missed** |")
                .contains("| `shm/4/barrier` | 1 × Open MPI |  |  |  | not measured |");
    }

    /**
     * Figures of single events are shown without a histogram, which would round them differently and could show a p99
     * below the least one.
     */
    @Test
    void shouldShowTheFiguresThemselvesWhereEachIsOneEvent() {
        results.add(List.of(new Result(
                "shrink", 16, "first", "first", 1, "ours", new double[] {73_080, 73_080.4, 73_081}, 0.2, 0)));

        assertThat(new Comparison(results, 2).figures())
                .contains("ours 73,080 / 73,080 / p99 73,081 / most 73,081 (µs)");
    }

    @Test
    void shouldPrintBothRevokeBars() {
        add("revoke", "last, polling", 1, "ours", 4);
        add("revoke", "bcast:8 to the last, polling", 1, "ours", 3);

        assertThat(printed())
                .contains(
                        "met met revoke/2/last, polling 2 × revoke/2/bcast:8 to the last, polling 1.33 (1.33 to 1.33)"
                                + " 1.33 67 %",
                        "missed missed revoke/2/last, polling 1.40 µs (Open MPI 5) 4.00 µs (4.00 to 4.00 µs) 4.00 µs"
                                + " 286 %");
    }

    @Test
    void shouldPrintTheVerdictOfTheMedianLaunchBesideThatOfTheBest() {
        double[] barrier = {0.70, 0.90, 0.95};
        for (int launch = 1; launch <= 3; launch++) {
            add("shm", "barrier", launch, "ours", barrier[launch - 1]);
            add("shm", "barrier", launch, "ompi", 1);
        }

        assertThat(printed())
                .contains("best median where allowed best launch (range) median launch of the bar")
                .contains("met missed shm/2/barrier 0.8 × Open MPI 0.700 (0.700 to 0.950) 0.900 87 %");
    }

    @Test
    void shouldJudgeTheWorstWindowAndShowTheOthersAsACurve() {
        double[] micros = new double[30];
        Arrays.fill(micros, 1);
        micros[0] = 300;
        micros[5] = 14;
        List<Result> windows = new ArrayList<>();
        for (int window = 0; window < micros.length; window++) {
            String name = Windows.at("pp:8", window);
            windows.add(new Result("first", 2, name, name, 1, "ours", new double[] {micros[window]}, 0, 0));
        }
        results.add(windows);
        results.add(Windows.spans("pp:8", "half round trip", windows));

        assertThat(printed())
                .contains("met met first/2/pp:8 from 0.3 s worst 15.0 µs 14.0 µs (14.0 to 14.0 µs) 14.0 µs 93 %")
                .contains("met met first/2/pp:8 from 1.0 s worst 1.20 µs 1.00 µs (1.00 to 1.00 µs) 1.00 µs 83 %")
                .contains("first/2/pp:8, µs in each window of 100 ms from Init on (median of the jobs)")
                .anyMatch(line -> line.startsWith(" ours 300 1.00 1.00 1.00 1.00 14.0 1.00 "))
                .noneMatch(line -> line.startsWith("first/2/pp:8 at "));
        assertThat(new Comparison(results, 2).figures()).contains("from 0.3 s").doesNotContain("at 0.3 s");
    }

    /** The lines that {@link Comparison#print} prints, each run of spaces shortened to one. */
    private List<String> printed() {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        new Comparison(results, 2).print(new PrintStream(said, true, StandardCharsets.UTF_8));
        return said.toString(StandardCharsets.UTF_8)
                .lines()
                .map(line -> line.replaceAll(" +", " "))
                .toList();
    }

    private void add(String group, String name, int launch, String job, double micros) {
        results.add(List.of(new Result(group, 2, name, name, launch, job, new double[] {micros}, 0, 0)));
    }
}
