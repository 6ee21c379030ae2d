package org.ulfmj.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SampleTest {
    @Test
    void shouldCollectFiguresByNameAndJob() {
        Sample sample = new Sample("start", 2);
        sample.add("hello", 3);
        sample.add("hello", 1);
        sample.add("hello", "ompi", 2);
        List<Result> results = sample.results(4, -1);

        assertThat(results).hasSize(2);
        assertThat(results.get(0).place()).isEqualTo("start/2/hello");
        assertThat(results.get(0).launch()).isEqualTo(4);
        assertThat(results.get(0).micros()).containsExactly(1, 3);
        assertThat(results.get(0).isOurs()).isTrue();
        assertThat(results.get(1).isOpenMpi()).isTrue();
        assertThat(results).allSatisfy(result -> assertThat(result.foreign()).isZero());
    }

    @Test
    void shouldTakeTheSmallestFigureThatTheShareDoesNotExceed() {
        Result result = new Result("a", 2, "b", "b", 1, "ours", new double[] {4, 1, 3, 2}, 0, 0);
        assertThat(result.minimum()).isEqualTo(1);
        assertThat(result.median()).isEqualTo(2);
        assertThat(result.quantile(0.99)).isEqualTo(4);
        assertThat(result.quantile(0)).isEqualTo(1);
    }
}
