package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.launch.Launched.Ended;

/**
 * Checks {@code MPI.isInitialized()} and {@code MPI.pControl} before Init and after Finalize, in the first processes of
 * a job and in a replacement.
 */
class GuardedInitIT {
    @Test
    void shouldInitializeOnceInEveryProcess() throws InterruptedException {
        Ended job = Launched.run(
                Launched.program("-n 3 --max-restarts 1 --inject kill:rank=1@op=allReduce#5 java", GuardedInit.class));
        assertThat(job.exitCode()).as(job.out() + job.err()).isZero();
        assertThat(job.out().lines())
                .containsExactlyInAnyOrder(
                        "0'0 false true 3 true true", "1'1 false true 3 true true", "2'0 false true 3 true true");
        assertThat(job.err()).contains("rank 1 was killed by signal 9");
    }
}
