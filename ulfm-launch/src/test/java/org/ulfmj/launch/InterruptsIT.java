package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** MPI calls are not interruptible: over ranks that are processes. */
class InterruptsIT {
    private static final String SEED = Long.toString(Long.getLong("seed", System.nanoTime() % 1_000_000));
    private static final String ROUNDS = System.getProperty("interrupts.rounds", "5");

    @Test
    void shouldEndEveryCallNormallyAndKeepTheFlagWhenItsThreadIsInterrupted() throws InterruptedException {
        try (Launched job = Launched.start(
                "-n",
                "3",
                "--timeout",
                "90",
                "java",
                "-cp",
                "target/test-classes",
                Interrupted.class.getName(),
                SEED,
                ROUNDS)) {
            assertThat(job.exitCode()).as("-Dseed=" + SEED + "\n" + job.err()).isZero();
            assertThat(job.err()).isEmpty();
            assertThat(job.out().lines())
                    .containsExactlyInAnyOrder(
                            "0 was interrupted in vain", "1 was interrupted in vain", "2 was interrupted in vain");
        }
    }
}
