package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RingIT {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void shouldBringTheTokenBackWithoutDeaths(int ranks) {
        MpiexecRun run = MpiexecRun.of(Duration.ofSeconds(60), "-n", Integer.toString(ranks), "examples", "Ring");
        int sum = ranks * (ranks - 1) / 2;
        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.out())
                .containsExactly("The token came back from " + ranks + " ranks with " + sum + ", expected " + sum);
    }
}
