package org.ulfmj.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ulfmj.testkit.LocalWorld;
import org.ulfmj.testkit.RankEnd;

/** Checks that interrupts do not end MPI calls, with ranks as threads. */
class InterruptsTest {
    private static final String SEED = Long.toString(Long.getLong("seed", System.nanoTime() % 1_000_000));
    private static final String ROUNDS = System.getProperty("interrupts.rounds", "5");

    @Test
    void shouldEndEveryCallNormallyAndKeepTheFlagWhenItsThreadIsInterrupted() {
        System.out.println("-Dseed=" + SEED);
        assertThat(LocalWorld.run(3, () -> Interrupted.main(new String[] {SEED, ROUNDS}))
                        .requireSurvivorsSucceeded()
                        .ranks(RankEnd.FINALIZED))
                .containsExactly(0, 1, 2);
    }
}
