package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Runs the example HalfKilled: half of the ranks are killed at once, and the others go on. {@code -Dexamples.ranks}
 * sets the number of ranks.
 */
class HalfKilledIT {
    private static final int RANKS = Integer.getInteger("examples.ranks", 16);

    @Test
    void shouldGoOnWithTheOtherHalfWhenOneHalfIsKilledAtOnce() {
        MpiexecRun run = MpiexecRun.of(
                Duration.ofSeconds(170),
                "-n",
                Integer.toString(RANKS),
                "--timeout",
                "150",
                "--inject",
                "kill:rank=" + RANKS / 2 + "-" + (RANKS - 1) + "@iter=1",
                "examples",
                "HalfKilled");
        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.out())
                .contains("started    " + RANKS + " ranks", "finished   " + (RANKS - RANKS / 2) + " ranks are left");
    }
}
