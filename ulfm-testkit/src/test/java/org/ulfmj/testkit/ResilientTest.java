package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.program;
import static org.ulfmj.testkit.Programs.slots;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Resilient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Shows that the retry loop recovers from a death in each of its calls: all ranks that are left have the same result.
 */
class ResilientTest {
    private static final int STEPS = 6;
    private static final long EXPECTED = 21;

    /**
     * Adds the number of each step, which allReduce gives as the maximum over all members: the sum does not depend on
     * the number of survivors.
     */
    private static final class Sum implements Resilient.Loop {
        private int step;
        private long sum;
        private int recoveries;

        @Override
        public void work(Intracomm comm) {
            long[] number = new long[1];
            while (step < STEPS) {
                comm.allReduce(new long[] {step + 1}, number, 1, MPI.LONG, MPI.MAX);
                sum += number[0];
                step++;
            }
        }

        @Override
        public void restore(Intracomm comm, Resilient.Recovery recovery) {
            recoveries++;
            int[] steps = new int[comm.getSize()];
            comm.allGather(new int[] {step}, 1, MPI.INT, steps, 1, MPI.INT);
            int furthest = 0;
            for (int rank = 1; rank < steps.length; rank++) {
                furthest = steps[rank] > steps[furthest] ? rank : furthest;
            }
            long[] sums = {sum};
            comm.bcast(sums, 1, MPI.LONG, furthest);
            sum = sums[0];
            step = steps[furthest];
        }
    }

    @ParameterizedTest
    @CsvSource({"allReduce,1", "allReduce,4", "allReduce,6", "agree,1"})
    void shouldFinishWithTheOthersWhenARankDiesInACall(String operation, int nth) {
        for (int victim = 0; victim < 4; victim++) {
            LocalResult result = sum(LocalWorld.of(4).killing(victim, operation, nth));
            assertThat(result.ranks(RankEnd.KILLED)).containsExactly(victim);
        }
    }

    @ParameterizedTest
    @CsvSource({"revoke,1", "agree,1", "shrink,1", "allGather,1", "bcast,1", "allReduce,6", "agree,2"})
    void shouldFinishWithTheOthersWhenAnotherRankDiesDuringTheRecovery(String operation, int nth) {
        for (int victim = 1; victim < 5; victim++) {
            LocalResult result = sum(LocalWorld.of(5).killing(0, "allReduce", 3).killing(victim, operation, nth));
            assertThat(result.ranks(RankEnd.KILLED)).containsExactly(0, victim);
        }
    }

    @Test
    void shouldFinishAloneWhenAllOthersDieOneInTheRecoveryFromTheOther() {
        LocalResult result = sum(LocalWorld.of(5)
                .killing(0, "allReduce", 2)
                .killing(4, "shrink", 1)
                .killing(1, "allGather", 1)
                .killing(3, "bcast", 1));
        assertThat(result.ranks(RankEnd.KILLED)).containsExactly(0, 1, 3, 4);
    }

    /**
     * Runs the loop again and again; rank 2 dies in its third allReduce each time. The victim dies in its first call,
     * then in its second, and so on, until it has fewer calls and survives.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void shouldFinishWhicheverCallARankDiesIn(int victim) {
        int call = 1;
        LocalResult result;
        do {
            result = sum(LocalWorld.of(4).killing(2, "allReduce", 3).killing(victim, "*", call));
            call++;
        } while (result.end(victim) == RankEnd.KILLED);
        assertThat(call).as("calls of rank " + victim).isGreaterThan(2 * STEPS);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldFinishWithTheRanksThatAreLeftWhenManyDieAtRandom(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 10; round++) {
            int size = 3 + random.nextInt(5);
            LocalWorld world = LocalWorld.of(size);
            for (int i = 1 + random.nextInt(size); i > 0; i--) {
                // Rank 0 is never killed, so that at least one rank survives.
                world.killing(1 + random.nextInt(size - 1), "*", 1 + random.nextInt(40));
            }
            sum(world);
        }
    }

    private static LocalResult sum(LocalWorld world) {
        Map<Integer, List<Integer>> members = new ConcurrentSkipListMap<>();
        LocalResult result = world.run(program(rank -> {
            Sum sum = new Sum();
            Intracomm left = Resilient.run(MPI.COMM_WORLD, sum);
            assertThat(sum.sum).isEqualTo(EXPECTED);
            members.put(rank, Arrays.stream(slots(left)).boxed().toList());
        }));
        result.requireSurvivorsSucceeded();
        List<Integer> survivors = result.ranks(RankEnd.FINALIZED);
        assertThat(survivors).as(result.toString()).isNotEmpty();
        for (int survivor : survivors) {
            assertThat(members.get(survivor))
                    .as(result.toString())
                    .containsAll(survivors)
                    .isEqualTo(members.get(survivors.get(0)));
        }
        return result;
    }

    @Test
    void shouldCostOneAgreementAndReturnTheWorldItselfWithoutDeaths() {
        LocalWorld world = LocalWorld.of(3).killing(1, "agree", 2).killing(2, "shrink", 1);
        LocalResult result = Worlds.run(world, (comm, rank) -> {
            Sum sum = new Sum();
            assertThat(Resilient.run(comm, sum)).isSameAs(comm);
            assertThat(sum.recoveries).isZero();
        });
        assertThat(result.ranks(RankEnd.FINALIZED)).containsExactly(0, 1, 2);
    }
}
