package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.errorClass;
import static org.ulfmj.testkit.Programs.program;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import mpi.Intracomm;
import mpi.MPI;
import org.junit.jupiter.api.Test;

/** Tests a world of many ranks ({@code testkit.ranks}, 128 if not set), of which half die at once. */
class ManyRanksTest {
    private static final int RANKS = Integer.getInteger("testkit.ranks", 128);

    @Test
    void shouldShrinkToTheOthersWhenHalfOfAllRanksDieAtOnce() {
        AtomicInteger right = new AtomicInteger();
        // Odd ranks die only when all ranks have left the first collective: a rank that died right after it could make
        // the collective fail at others.
        CountDownLatch afterTheFirst = new CountDownLatch(RANKS);
        LocalResult result = LocalWorld.of(RANKS)
                .timeout(Duration.ofSeconds(300))
                .run(program(rank -> {
                    Intracomm world = MPI.COMM_WORLD;
                    assertThat(sum(world, rank)).isEqualTo(sumBelow(RANKS));
                    afterTheFirst.countDown();
                    if (rank % 2 == 1) {
                        afterTheFirst.await();
                        Faults.die();
                    }
                    assertThat(errorClass(() -> sum(world, rank))).isIn(MPI.ERR_PROC_FAILED, MPI.ERR_REVOKED);
                    world.revoke();
                    Intracomm others = world.shrink();
                    while (others.getSize() > RANKS / 2) {
                        others = others.shrink(); // not all deaths were known yet
                    }
                    assertThat(sum(others, rank)).isEqualTo(2 * sumBelow(RANKS / 2));
                    right.incrementAndGet();
                }));
        assertThat(result.requireSurvivorsSucceeded().ranks(RankEnd.FINALIZED)).hasSize(RANKS / 2);
        assertThat(right).hasValue(RANKS / 2);
    }

    private static int sum(Intracomm comm, int mine) throws Exception {
        int[] sum = new int[1];
        comm.allReduce(new int[] {mine}, sum, 1, MPI.INT, MPI.SUM);
        return sum[0];
    }

    private static int sumBelow(int bound) {
        return bound * (bound - 1) / 2;
    }
}
