package org.ulfmj.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.TreeSet;
import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;
import org.junit.jupiter.api.Test;
import org.ulfmj.testkit.RankEnd;

class SimWorldTest {
    private static void sum() {
        MPI.Init(new String[0]);
        int rank = MPI.COMM_WORLD.getRank();
        int size = MPI.COMM_WORLD.getSize();
        for (int i = 0; i < 5; i++) {
            int[] value = {rank + i};
            MPI.COMM_WORLD.allReduce(value, 1, MPI.INT, MPI.SUM);
            assertThat(value[0]).isEqualTo(size * (size - 1) / 2 + i * size);
        }
        MPI.Finalize();
    }

    @Test
    void shouldRunAProgramToItsEnd() {
        SimResult result = SimWorld.of(5).seed(1).run(SimWorldTest::sum);
        assertThat(result.ends().requireSurvivorsSucceeded().ranks(RankEnd.FINALIZED))
                .hasSize(5);
        assertThat(result.virtualNs()).isPositive();
    }

    @Test
    void shouldGiveTheSameRunForTheSameSeedAndOthersForOthers() {
        TreeSet<Long> hashes = new TreeSet<>();
        for (int seed = 0; seed < 20; seed++) {
            SimResult first = SimWorld.of(4).seed(seed).run(SimWorldTest::sum);
            SimResult second = SimWorld.of(4).seed(seed).run(SimWorldTest::sum);
            assertThat(second.logHash()).isEqualTo(first.logHash());
            hashes.add(first.logHash());
        }
        assertThat(hashes).hasSize(20);
    }

    static void recover() {
        MPI.Init(new String[0]);
        Comm comm = MPI.COMM_WORLD;
        int done = 0;
        while (done < 10) {
            try {
                int[] value = {1};
                comm.allReduce(value, 1, MPI.INT, MPI.SUM);
                done++;
            } catch (MPIException e) {
                comm.revoke();
                comm = comm.shrink();
                int[] least = {done};
                try {
                    comm.allReduce(least, 1, MPI.INT, MPI.MIN);
                    done = least[0];
                } catch (MPIException again) {
                    done = 0;
                }
            }
        }
        MPI.Finalize();
    }

    @Test
    void shouldKillWhereToldAndLetTheOthersRecover() {
        for (int seed = 0; seed < 200; seed++) {
            SimWorld world =
                    SimWorld.of(6).seed(seed).killing(2, "allReduce", 3).killing(4, "*", 9);
            SimResult result = world.run(SimWorldTest::recover);
            assertThat(result.ends().requireSurvivorsSucceeded().ranks(RankEnd.KILLED))
                    .containsExactly(2, 4);
            if (seed % 10 == 0) {
                assertThat(world.run(SimWorldTest::recover).logHash()).isEqualTo(result.logHash());
            }
        }
    }

    @Test
    void shouldFailAHangAtOnceAndSayWhoWaitsForWhom() {
        assertThatThrownBy(() -> SimWorld.of(2).run(() -> {
                    MPI.Init(new String[0]);
                    int[] value = new int[1];
                    MPI.COMM_WORLD.recv(value, 1, MPI.INT, 1 - MPI.COMM_WORLD.getRank(), 7);
                }))
                .isInstanceOf(SimFailure.class)
                .hasMessageContaining("nothing that could change that will happen")
                .hasMessageContaining("deadlock: rank 0 waits for 1, 1 for 0")
                .hasMessageContaining("recv (");
    }

    @Test
    void shouldTellTheTimeOfTheSimulation() {
        double[] seconds = new double[1];
        long before = System.nanoTime();
        SimResult result = SimWorld.of(2).run(() -> {
            MPI.Init(new String[0]);
            double start = MPI.wtime();
            while (MPI.wtime() - start < 100) {
                // An hour would do as well.
            }
            seconds[0] = MPI.wtime() - start;
            MPI.Finalize();
        });
        assertThat(seconds[0]).isBetween(100.0, 101.0);
        assertThat(result.virtualNs()).isGreaterThan(100_000_000_000L);
        assertThat(System.nanoTime() - before).isLessThan(60_000_000_000L);
    }

    @Test
    void shouldFindAProgramThatPollsForeverByItsTime() {
        assertThatThrownBy(() -> SimWorld.of(2)
                        .timeout(java.time.Duration.ofSeconds(20))
                        .run(() -> {
                            MPI.Init(new String[0]);
                            while (MPI.COMM_WORLD.iProbe(1, 1) == null) {
                                // Nobody sends.
                            }
                        }))
                .isInstanceOf(SimFailure.class)
                .hasMessageContaining("has not ended after 20000 ms of its time");
    }

    @Test
    void shouldFindTheDeadBySilenceWhenNobodyTells() {
        SimResult result = SimWorld.of(4)
                .seed(3)
                .withoutEvidence()
                .killing(1, "allReduce", 2)
                .run(SimWorldTest::recover);
        assertThat(result.ends().ranks(RankEnd.FINALIZED)).isEqualTo(List.of(0, 2, 3));
        assertThat(result.virtualNs()).isGreaterThan(5_000_000_000L);
    }
}
