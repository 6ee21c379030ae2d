package org.ulfmj.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WindowsTest {
    private static final int SECONDS = 3;

    @Test
    void shouldReadTheCountsAmongOtherLines() throws Exception {
        String said = "a line of the launcher\nwindows 1 20 300 4 5 6 7 8 9 0\nanother line\n";

        assertThat(Windows.parse(said, 1)).containsExactly(1, 20, 300, 4, 5, 6, 7, 8, 9, 0);
    }

    @Test
    void shouldRefuseALineThatIsMissingOrPrintedTwiceOrTooShort() {
        assertThatThrownBy(() -> Windows.parse("hello\n", 1))
                .isInstanceOf(IOException.class)
                .hasMessage("wanted one line \"windows ...\", got: hello");
        assertThatThrownBy(() -> Windows.parse("windows 1\nwindows 2\n", 1)).hasMessageContaining("wanted one line");
        assertThatThrownBy(() -> Windows.parse("windows 1 2 3\n", 1))
                .hasMessage("wanted 10 windows, got: windows 1 2 3");
    }

    @Test
    void shouldDivideTheWindowByItsOperations() {
        assertThat(Windows.micros(50_000, 1)).isEqualTo(2);
        assertThat(Windows.micros(50_000, 2)).isEqualTo(1);
    }

    @Test
    void shouldCountAnEmptyWindowAsOneOperation() {
        assertThat(Windows.micros(0, 1)).isEqualTo(100_000);
    }

    @Test
    void shouldNameWindowsByTheirBegin() {
        assertThat(Windows.at("pp:8", 3)).isEqualTo("pp:8 at 0.3 s");
        assertThat(Windows.from("pp:8", 20)).isEqualTo("pp:8 from 2.0 s");
        assertThat(Windows.isOne("first/2/pp:8 at 0.3 s")).isTrue();
        assertThat(Windows.isOne("first/2/pp:8 from 0.3 s")).isFalse();
        assertThat(Windows.isOne("revoke/2/last, polling")).isFalse();
    }

    /**
     * Tests that a window which is slow in two of five jobs does not count, and a window which is slow in three or more
     * does.
     */
    @Test
    void shouldTakeTheMedianOfTheJobsInEachWindowAndThenTheWorstWindow() {
        List<Result> spans = Windows.spans("pp:8", "half round trip", windows("ours"));

        assertThat(spans)
                .extracting(Result::place)
                .containsExactly("first/2/pp:8 from 0.3 s", "first/2/pp:8 from 1.0 s", "first/2/pp:8 from 2.0 s");
        Result fromThree = spans.get(0);
        assertThat(fromThree.title()).isEqualTo("half round trip, windows of 100 ms from 0.3 s after Init on");
        assertThat(fromThree.micros()).hasSize(27);
        assertThat(fromThree.quantile(1)).isEqualTo(50);
        assertThat(spans.get(1).quantile(1)).isEqualTo(7);
        assertThat(spans.get(2).quantile(1)).isEqualTo(1);
    }

    @Test
    void shouldKeepJobsApart() {
        List<Result> windows = new ArrayList<>(windows("ours"));
        windows.addAll(windows("ompi"));

        List<Result> spans = Windows.spans("pp:8", "half round trip", windows);

        assertThat(spans).extracting(Result::job).containsExactly("ours", "ompi", "ours", "ompi", "ours", "ompi");
        assertThat(spans).allSatisfy(span -> assertThat(span.micros().length).isLessThan(30));
    }

    @Test
    void shouldGiveTheCurveOfEachJobInTheOrderOfTime() {
        Results results = new Results();
        results.add(windows("ours"));
        results.add(Windows.spans("pp:8", "half round trip", windows("ours")));

        assertThat(Windows.curves(results)).containsOnlyKeys("first/2/pp:8");
        List<Double> curve = Windows.curves(results).get("first/2/pp:8").get("ours");
        assertThat(curve).hasSize(30);
        assertThat(curve.subList(0, 5)).containsExactly(900.0, 1.0, 1.0, 1.0, 50.0);
    }

    @Test
    void shouldSayThatALimitIsForTheWorst() {
        assertThat(Limit.constant(15).ofWorst().text("µs")).isEqualTo("worst 15.0 µs");
        assertThat(Limit.openMpi(20).as("1/20 of its calls").text("µs")).isEqualTo("20 × Open MPI (1/20 of its calls)");
    }

    /**
     * Returns windows of five jobs with 1 µs each, except for 900 µs in all jobs in the first window, 50 µs or more in
     * three of five at 0.4 s, 7 µs in all at 1.5 s, and 800 µs in two of five at 2.5 s.
     */
    private static List<Result> windows(String job) {
        List<Result> results = new ArrayList<>();
        for (int window = 0; window < SECONDS * Windows.PER_SECOND; window++) {
            double[] jobs =
                    switch (window) {
                        case 0 -> new double[] {900, 900, 900, 900, 900};
                        case 4 -> new double[] {1, 60, 50, 1, 90};
                        case 15 -> new double[] {7, 7, 7, 7, 7};
                        case 25 -> new double[] {800, 1, 1, 800, 1};
                        default -> new double[] {1, 1, 1, 1, 1};
                    };
            String name = Windows.at("pp:8", window);
            results.add(new Result("first", 2, name, name, 1, job, jobs, 0, 0));
        }
        return results;
    }
}
