package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.launch.Launched.Ended;

/**
 * Checks what a receiver gets of a short message in shared memory whose sender is killed while it sends the message, or
 * right after that.
 */
class LastMessageIT {
    @Test
    void shouldReceiveNothingOfAMessageWhoseRecordIsNotCommitted() throws InterruptedException {
        assertThat(run("beforeCommit")).isEqualTo("PROC_FAILED and no value\n");
    }

    @Test
    void shouldReceiveAMessageWhoseRecordIsCommittedWholeOrNotAtAll() throws InterruptedException {
        assertThat(run("afterCommit")).isIn("SUCCESS and whole value\n", "PROC_FAILED and no value\n");
    }

    private static String run(String when) throws InterruptedException {
        String options = "-n 2 --timeout 60 --print-all-exitcodes --with-ft ulfm --set ulfm.transport=shm";
        Ended job = Launched.run(Launched.program(options + " java -Xmx64m", LastMessage.class, when));
        assertThat(job.exitCode()).as(job.err()).isZero();
        assertThat(job.err()).contains("mpiexec: rank 0: 0\n", "mpiexec: rank 1: 137\n");
        return job.out();
    }
}
