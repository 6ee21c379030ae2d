package org.ulfmj.testkit.replace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import mpi.MPI;
import org.junit.jupiter.api.Test;
import org.ulfmj.testkit.LocalResult;
import org.ulfmj.testkit.LocalWorld;
import org.ulfmj.testkit.RankEnd;

/**
 * Tests replacements over ranks that are threads. {@code -Dlocal.rounds=1000} sets how often {@link ReplacingProgram}
 * runs.
 */
class LocalReplaceTest {
    private static final int RANKS = 4;
    private static final int ROUNDS = Integer.getInteger("local.rounds", 20);
    private static final long SEED = Long.getLong("local.seed", 15);

    @Test
    void shouldGoOnAtFullSizeUnderAnyDeaths() {
        long replacements = 0;
        for (int round = 0; round < ROUNDS; round++) {
            SplittableRandom random = new SplittableRandom(SEED + round);
            LocalWorld world = LocalWorld.of(RANKS).restarting(3);
            int victim = random.nextInt(RANKS);
            int second = (victim + 1 + random.nextInt(RANKS - 1)) % RANKS;
            world.killing(victim, "*", random.nextInt(1, 40));
            world.killing(victim, 1, "*", random.nextInt(1, 20));
            world.killing(second, "*", random.nextInt(1, 60));
            ReplacingProgram program = new ReplacingProgram(RANKS);
            LocalResult ends = world.run(program::main);
            program.check(ends);
            assertThat(program.refusals()).as("round %d: %s", round, ends).isEmpty();
            replacements += program.replacements();
        }
        assertThat(replacements).isPositive();
    }

    @Test
    void shouldBeginAnewWithThoseThatWereStartedAgainWhenAllAreDead() {
        LocalResult ends = LocalWorld.of(3)
                .restarting(1)
                .killing(0, "barrier", 1)
                .killing(1, "barrier", 1)
                .killing(2, "barrier", 1)
                .run(() -> {
                    MPI.Init(new String[0]);
                    MPI.COMM_WORLD.barrier();
                    MPI.Finalize();
                });
        assertThat(ends.ranks(RankEnd.FINALIZED)).containsExactly(0, 1, 2);
        assertThat(ends.incarnations(0)).isEqualTo(2);
    }
}
