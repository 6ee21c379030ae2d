package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.launch.Launched.Ended;

/** Tests the lines that ranks print about failures and recovery ({@code ulfm.ft.verbose}). */
class ToldEventsIT {
    /**
     * Rank 0 learns of the death from mpiexec, or from rank 2, which has learned of it. mpiexec may see first that the
     * process is dead, or how it has exited. If mpiexec is late, a rank that watches rank 1 by {@code /proc} sees its
     * death itself.
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
