package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PlanBIT {
    private static final String DEATH = "kill:rank=0@iter=3";

    @Test
    void shouldFreeTheWholeChainWhenItsHeadIsKilledAndTheNextRevokes() {
        MpiexecRun run = MpiexecRun.of(Duration.ofSeconds(60), "-n", "5", "--inject", DEATH, "examples", "PlanB");
        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.out()).contains("plan A     5 ranks in a chain, 10 rounds");
        assertThat(run.out()).contains("  rank 1   round  3: met the failure: revokes and turns to plan B");
        assertThat(run.out())
                // A revocation may overtake messages of earlier rounds, so it may end the wait of a rank in round 1, 2
                // or 3.
                .filteredOn(
                        line -> line.matches("  rank [234]   round  [1-3]: waited for one that lives, and was freed.*"))
                .hasSize(3);
        assertThat(run.out()).last().isEqualTo("finished   plan B, 10 rounds on the 4 ranks that are left");
    }

    @Test
    @Tag("release")
    void shouldShowWhichRankWaitsForWhichWhenNoneIsTold() {
        String met = "  rank 1   round  3: met the failure, turns to plan B, tells no rank";
        MpiexecRun run = standStill(8);
        if (!run.out().contains(met)) {
            // The machine was so busy that rank 1 had not met the failure before the timeout, so the run is repeated
            // with a longer one.
            run = standStill(80);
        }
        assertThat(run.exitCode()).as(run.toString()).isEqualTo(124);
        assertThat(run.out()).contains(met);
        assertThat(run.err())
                .anyMatch(line -> line.matches("mpiexec: +rank 1 +waits .* in agree .* for ranks 2, 3,.*"))
                .anyMatch(line -> line.matches("mpiexec: +ranks 2, 3 +wait .* in recv .* \\(2 for 1, 3 for 2\\).*"))
                .anyMatch(line -> line.matches("mpiexec: +=> deadlock: .*"));
        assertThat(run.outText()).doesNotContain("finished");
    }

    private static MpiexecRun standStill(int seconds) {
        return MpiexecRun.of(
                Duration.ofSeconds(60 + seconds),
                "-n",
                "4",
                "--inject",
                DEATH,
                "--timeout",
                Integer.toString(seconds),
                "examples",
                "PlanB",
                "norevoke");
    }
}
