package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.launch.Launched.Ended;

/** Checks that interrupts do not end MPI calls, in a job of processes. */
class InterruptsIT {
    private static final String SEED = Long.toString(Long.getLong("seed", System.nanoTime() % 1_000_000));
    private static final String ROUNDS = System.getProperty("interrupts.rounds", "5");

    @Test
    void shouldEndEveryCallNormallyAndKeepTheFlagWhenItsThreadIsInterrupted() throws InterruptedException {
        Ended job = Launched.run(Launched.program("-n 3 --timeout 90 java", Interrupted.class, SEED, ROUNDS));
        assertThat(job.exitCode()).as("-Dseed=" + SEED + "\n" + job.err()).isZero();
        assertThat(job.err()).isEmpty();
        assertThat(job.out().lines())
                .containsExactlyInAnyOrder(
                        "0 was interrupted in vain", "1 was interrupted in vain", "2 was interrupted in vain");
    }
}
