package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests slots whose processes are killed and replaced again and again: links, lanes and shared memory of a dead process
 * pass to its replacement, and no process may receive a byte of the dead one later. {@code -Dexamples.rounds} sets the
 * number of rounds; ranks are killed in every fourth.
 */
class ReplacedOftenIT {
    private static final int ROUNDS = Integer.getInteger("examples.rounds", 14);
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int RANKS = 3;

    @ParameterizedTest
    @CsvSource({"shm,2", "tcp,1"})
    @Tag("long")
    void shouldGiveRightResultsHoweverOftenRanksAreReplaced(String transport, int together) {
        replaceOften(transport, together);
    }

    @Test
    @Tag("release")
    void shouldGiveRightResultsHoweverOftenOneRankIsReplaced() {
        replaceOften("shm", 1);
    }

    private static void replaceOften(String transport, int together) {
        MpiexecRun run = MpiexecRun.ofTestProgram(
                Duration.ofSeconds(60 + 10L * ROUNDS),
                "-n " + RANKS + " --max-restarts " + ROUNDS + " --set ulfm.transport=" + transport,
                "examples.ReplacedOften " + ROUNDS + " " + together + " " + SEED);
        assertThat(run.exitCode()).as("-Dseed=%d: %s", SEED, run).isZero();
        assertThat(run.out()).contains("sum of " + ROUNDS + " rounds on " + RANKS + " ranks: " + 6 * ROUNDS);
        assertThat(run.err())
                .as("-Dseed=%d", SEED)
                .filteredOn(line -> line.contains("was killed by signal 9"))
                .hasSize(ROUNDS / 4 * together);
    }
}
