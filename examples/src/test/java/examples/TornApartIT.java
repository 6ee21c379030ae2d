package examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Tests that an error which is raised at all ranks ends the job, unless the program catches it, because a process that
 * is started again would find no rank to join.
 */
class TornApartIT {
    @Test
    void shouldAbortTheJobInsteadOfStartingRanksAgainWhenAllHaveBeenToldWhy() {
        MpiexecRun run = mpiexec("");

        assertThat(run.exitCode()).as("%s", run).isEqualTo(1);
        String said = String.join("\n", run.err());
        assertThat(said)
                .contains("DesyncException")
                .contains("TornApart.differ")
                .containsPattern("rank [012] called abort with code 1; ending the job")
                .doesNotContain("starting it again");
    }

    @Test
    void shouldLetAProgramFinalizeThatHasCaughtIt() {
        MpiexecRun run = mpiexec("catch");

        assertThat(run.exitCode()).as("%s", run).isZero();
        assertThat(run.out()).containsExactlyInAnyOrder("rank 0 saw it", "rank 1 saw it", "rank 2 saw it");
        assertThat(run.err()).isEmpty();
    }

    private static MpiexecRun mpiexec(String argument) {
        return MpiexecRun.ofTestProgram(
                Duration.ofSeconds(100), "-n 3 --max-restarts 3 --timeout 90", "examples.TornApart " + argument);
    }
}
