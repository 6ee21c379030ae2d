package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.launch.Launched.Ended;

/** What ranks tell of failures and recovery ({@code ulfm.ft.verbose}). */
class ToldEventsIT {
    /**
     * Rank 0 hears of the death from mpiexec, or from rank 2, which has heard of it. What mpiexec sees first is that
     * the process is dead, or how it has exited. Where mpiexec is late, a rank that looks after rank 1 sees it itself.
     */
    private static final String FAILURE = "rank 0: rank 1 has failed, says rank [02] "
            + "\\((mpiexec: (its process is dead|exited with code 9)|pid \\d+ .*)\\)\n";

    @Test
    void shouldTellOfFailuresAndNoMore() throws InterruptedException {
        Ended job = run("--mca mpi_ft_verbose 1");
        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.err()).containsPattern(FAILURE).doesNotContain("begins");
    }

    @Test
    void shouldTellOfTheStepsOfRecovery() throws InterruptedException {
        Ended job = run("--set ulfm.ft.verbose=2");
        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.err())
                .containsPattern(FAILURE)
                .contains("rank 0: COMM_WORLD is revoked\n")
                .contains("rank 0: shrink on COMM_WORLD begins\n")
                .contains("rank 0: shrink on COMM_WORLD is decided; failed are {1}\n");
    }

    private static Ended run(String options) throws InterruptedException {
        return Launched.run(Launched.program("-n 3 " + options + " java", Shrinking.class));
    }
}
