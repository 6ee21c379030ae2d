package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests collectives through shared memory as a program sees them, with ranks that are threads. */
class HostCollectivesTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    /** At least as many collectives as a communicator does by messages; after them its members use shared memory. */
    private static final int FIRST_BY_MESSAGES = 4;

    private static void share() {
        for (int i = 0; i < FIRST_BY_MESSAGES; i++) {
            WORLD.barrier();
        }
    }

    @Test
    void shouldNameBothCallsWhenRanksAreInDifferentOnes() {
        LocalWorld.of(2)
                .run(() -> {
                    MPI.Init(new String[0]);
                    share();
                    int count = 1 + WORLD.getRank();
                    assertThatThrownBy(() -> WORLD.allReduce(new double[count], count, MPI.DOUBLE, MPI.SUM))
                            .isInstanceOf(MPIException.class)
                            .hasMessageContaining("allReduce of 8 bytes")
                            .hasMessageContaining("allReduce of 16 bytes")
                            .hasMessageContaining("All ranks must make the same calls in the same order");
                    assertThatThrownBy(WORLD::barrier)
                            .isInstanceOf(MPIException.class)
                            .hasMessageContaining("in an earlier call");
                    MPI.Finalize();
                })
                .requireSurvivorsSucceeded();
    }

    @Test
    void shouldGiveBitsThatDoNotDependOnTheWay() {
        for (int ranks : new int[] {2, 3, 6, 7}) {
            LocalWorld.of(ranks)
                    .run(() -> {
                        MPI.Init(new String[0]);
                        for (int count : new int[] {1, 13, 700, 40_000}) {
                            Intracomm fresh = WORLD.dup();
                            double[] byMessages = combined(fresh, count);
                            for (int i = 0; i < FIRST_BY_MESSAGES; i++) {
                                fresh.barrier();
                            }
                            assertThat(combined(fresh, count)).isEqualTo(byMessages);
                            fresh.free();
                        }
                        MPI.Finalize();
                    })
                    .requireSurvivorsSucceeded();
        }
    }

    /**
     * Shows that sums on new communicators are right while earlier communicators are freed, each by one of its members
     * later than by the others.
     */
    @Test
    void shouldSumRightWhileEarlierCommunicatorsAreFreed() {
        LocalWorld.of(3)
                .run(() -> {
                    MPI.Init(new String[0]);
                    Intracomm late = WORLD.dup();
                    for (int round = 0; round < 60; round++) {
                        Intracomm fresh = WORLD.dup();
                        for (int i = 0; i < FIRST_BY_MESSAGES + 3; i++) {
                            long[] sum = {round * 100L + i + fresh.getRank()};
                            fresh.allReduce(sum, 1, MPI.LONG, MPI.SUM);
                            assertThat(sum[0]).isEqualTo(3 * (round * 100L + i) + 3);
                        }
                        if (round % 3 == WORLD.getRank()) {
                            late.free();
                            late = fresh;
                        } else {
                            fresh.free();
                        }
                    }
                    late.free();
                    MPI.Finalize();
                })
                .requireSurvivorsSucceeded();
    }

    private static double[] combined(Intracomm comm, int count) {
        double[] vector = new double[count];
        for (int i = 0; i < count; i++) {
            vector[i] = Math.sin(comm.getRank() * 17.3 + i);
        }
        comm.allReduce(vector, count, MPI.DOUBLE, MPI.SUM);
        return vector;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void shouldWakeRanksThatSleepInACollective(int ranks) {
        AtomicInteger rounds = new AtomicInteger();
        LocalWorld.of(ranks)
                .run(() -> {
                    MPI.Init(new String[0]);
                    share();
                    for (int round = 0; round < 20; round++) {
                        if (WORLD.getRank() == round % ranks) {
                            // This rank arrives 2 ms late, so that the other ranks have time to go to sleep.
                            long untilNs = System.nanoTime() + 2_000_000;
                            while (untilNs - System.nanoTime() > 0) {
                                Thread.onSpinWait();
                            }
                            rounds.incrementAndGet();
                        }
                        WORLD.barrier();
                    }
                    MPI.Finalize();
                })
                .requireSurvivorsSucceeded();
        assertThat(rounds).hasValue(20);
    }
}
