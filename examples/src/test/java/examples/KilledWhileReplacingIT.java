package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kills rank 2 of the example Replace, and then one or two more processes while it is replaced; or kills all ranks at
 * once. The result must be that of a run without deaths.
 */
class KilledWhileReplacingIT {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    /** The expected number of deaths includes that of the first kill. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kill:rank=2,inc=1@t=30ms; kill:rank=2,inc=2@point=join.pending | 3",
                "kill:rank=0@point=replace.admitted; kill:rank=1@op=agree#2 | 3"
            })
    @Tag("long")
    void shouldEndWithTheSameResult(String further, int deaths) {
        kill(further, deaths);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"kill:rank=2,inc=1@point=join.admitted | 2", "kill:rank=0@point=replace.offered | 2"})
    @Tag("release")
    void shouldEndWithTheSameResultWhenOneProcessIsKilledAtAnotherPoint(String further, int deaths) {
        kill(further, deaths);
    }

    private static void kill(String further, int deaths) {
        MpiexecRun run = MpiexecRun.of(
                LIMIT,
                "-n",
                "3",
                "--max-restarts",
                "3",
                "--inject",
                "kill:rank=2@iter=10;" + further,
                "examples",
                "Replace");
        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.deaths()).as(run.toString()).isEqualTo(deaths);
        assertThat(run.out()).contains("finished   664,579 primes below 10,000,000 on 3 ranks");
        assertThat(run.err()).noneMatch(line -> line.contains("never came to pass"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--max-restarts", "--spares"})
    void shouldBeginAnewOrGoOnWhenAllDieAndCanBeReplaced(String means) {
        MpiexecRun run =
                MpiexecRun.of(LIMIT, "-n", "2", means, "2", "--inject", "kill:rank=0-1@iter=20", "examples", "Replace");
        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.deaths()).as(run.toString()).isEqualTo(2);
        assertThat(run.out()).contains("finished   664,579 primes below 10,000,000 on 2 ranks");
    }
}
