package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import mpi.MPI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.launch.Launched.Ended;

/** Kills one process at a random moment, and checks that all survivors leave the same operation with the same error. */
class UniformErrorsIT {
    @ParameterizedTest
    @ValueSource(strings = "auto")
    void shouldEndTheSameRoundAtAllSurvivors(String transport) throws InterruptedException {
        Ended job = Launched.run(Launched.program(
                "-n 4 --timeout 60 --inject kill:rank=any(1)@t=random --set ulfm.transport=" + transport
                        + " java -Xmx64m",
                UniformErrors.class));

        assertThat(job.out().lines().toList()).as(job.out() + job.err()).hasSize(3);
        assertThat(job.out().lines().distinct().toList())
                .as(job.out() + job.err())
                .singleElement()
                .asString()
                .matches("round \\d+: " + MPI.ERR_PROC_FAILED);
    }
}
