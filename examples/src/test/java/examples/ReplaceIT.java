package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Tests, with real processes, worlds in which dead ranks are replaced, as in the example Replace, and jobs in which no
 * replacement can be started.
 */
class ReplaceIT {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final String RESULT = "finished   664,579 primes below 10,000,000 on ";

    private static MpiexecRun count(String... options) {
        String[] arguments = new String[options.length + 4];
        arguments[0] = "-n";
        arguments[1] = "4";
        System.arraycopy(options, 0, arguments, 2, options.length);
        arguments[options.length + 2] = "examples";
        arguments[options.length + 3] = "Replace";
        return MpiexecRun.of(LIMIT, arguments);
    }

    @Test
    void shouldEndWithTheSameResultAndSizeWhenRanksAreKilledOneAfterTheOther() {
        MpiexecRun run = count("--max-restarts", "3", "--inject", "kill:rank=2@iter=10; kill:rank=0@iter=20");
        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.deaths()).as(run.toString()).isEqualTo(2);
        assertThat(run.out())
                .contains(RESULT + "4 ranks")
                .contains("  rank 2   process 2 of this rank comes in", "  rank 0   process 2 of this rank comes in");
    }

    @Test
    void shouldReplaceAllThatDieTogetherWhenOneIsLeft() {
        MpiexecRun run = count("--max-restarts", "3", "--inject", "kill:rank=0-2@iter=7");
        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.deaths()).as(run.toString()).isEqualTo(3);
        assertThat(run.out()).contains(RESULT + "4 ranks");
    }

    @Test
    void shouldRaiseAtAllWhenNoRestartIsLeft() {
        MpiexecRun run = count("--inject", "kill:rank=2@iter=10");
        assertThat(run.exitCode()).as(run.toString()).isEqualTo(1);
        assertThat(run.err())
                .filteredOn(line -> line.contains("no process took the place of rank 2 ("))
                .hasSize(3); // once per rank
    }

    @Test
    void shouldGoOnSmallerWhenThePolicyIsToShrink() {
        MpiexecRun run = count("--set", "ulfm.replace.policy=shrink", "--inject", "kill:rank=2@iter=10");
        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.deaths()).as(run.toString()).isEqualTo(1);
        assertThat(run.out()).contains(RESULT + "3 ranks");
    }

    @Test
    void shouldWorkWhenTheProgramRecoversByHand() {
        MpiexecRun run = MpiexecRun.ofTestProgram(
                LIMIT,
                "-n 3 --max-restarts 2 --inject kill:rank=1@iter=5;kill:rank=0@iter=9",
                "examples.ReplacedByHand");
        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.deaths()).as(run.toString()).isEqualTo(2);
        assertThat(run.out()).contains("sum of 20 rounds on 3 ranks: 60");
    }
}
