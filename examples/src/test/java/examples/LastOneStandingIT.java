package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The job of {@link LastOneStanding} beside a process that keeps a core busy. {@code -Dexamples.rounds} sets how often
 * it runs.
 */
class LastOneStandingIT {
    private static final int RANKS = 8;
    private static final int ROUNDS = Integer.getInteger("examples.rounds", 3);

    @Test
    void shouldEndWithOneRankWhenTheHighestKillsItselfEachRound() {
        try (Hog hog = new Hog()) {
            IntStream.range(0, ROUNDS).forEach(LastOneStandingIT::run);
            assertThat(hog.isAlive()).isTrue();
        }
    }

    private static void run(int round) {
        MpiexecRun run = MpiexecRun.ofTestProgram(
                Duration.ofSeconds(100), "-n " + RANKS + " --timeout 90", "examples.LastOneStanding");
        assertThat(run.exitCode()).as("round %d: %s", round, run).isZero();
        assertThat(run.out()).filteredOn(line -> line.startsWith("Finalizing")).hasSize(1);
        assertThat(run.out()).filteredOn("Killing Self"::equals).hasSize(RANKS - 1);
    }
}
