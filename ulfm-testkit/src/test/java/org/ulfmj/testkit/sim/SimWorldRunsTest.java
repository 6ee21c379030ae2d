package org.ulfmj.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import mpi.MPI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ulfmj.testkit.Faults;
import org.ulfmj.testkit.RankEnd;

/**
 * Tests what a simulated world reports, among others of runs that are cut short, of runs of one seed that differ, and
 * of wrong arguments.
 */
class SimWorldRunsTest {
    private static void sumForEver() {
        MPI.Init(new String[0]);
        while (true) {
            MPI.COMM_WORLD.allReduce(new int[1], 1, MPI.INT, MPI.SUM);
        }
    }

    private static void sum() {
        MPI.Init(new String[0]);
        MPI.COMM_WORLD.allReduce(new int[1], 1, MPI.INT, MPI.SUM);
        MPI.Finalize();
    }

    @Test
    void shouldNameTheBoundThatEndedARunInTheMidstOfItsWork() {
        for (int seed = 1; seed <= 10; seed++) {
            SimWorld world = SimWorld.of(6).seed(seed).realTimeout(Duration.ofMillis(1));
            assertThatThrownBy(() -> world.run(SimWorldRunsTest::sumForEver))
                    .isInstanceOfSatisfying(
                            SimFailure.class,
                            failure -> assertThat(failure.result().isCutShort()).isTrue())
                    .hasMessageContaining("has taken 1 ms of real time");
        }
    }

    @Test
    void shouldNotCallARunDifferentThatWasCutShort() {
        AtomicInteger calls = new AtomicInteger();
        SimWorld world = SimWorld.of(1).twice();
        assertThatThrownBy(() -> world.run(() -> {
                    MPI.Init(new String[0]);
                    if (calls.incrementAndGet() == 2) {
                        new CountDownLatch(1).await();
                    }
                    MPI.Finalize();
                }))
                .isInstanceOf(SimFailure.class)
                .hasMessageContaining("has been blocked outside of MPI")
                .hasMessageNotContaining("not in its seed");
    }

    @Test
    void shouldShowTheFirstDifferenceOfRunsThatHang() {
        AtomicInteger runs = new AtomicInteger();
        String difference = SimWorld.of(2).seed(5).difference(() -> {
            int run = runs.incrementAndGet();
            return () -> {
                MPI.Init(new String[0]);
                int rank = MPI.COMM_WORLD.getRank();
                int[] value = {run};
                if (rank == 0) {
                    MPI.COMM_WORLD.send(value, 1, MPI.INT, 1, 1);
                }
                MPI.COMM_WORLD.recv(value, 1, MPI.INT, 1 - rank, 1);
            };
        });
        assertThat(difference).startsWith("event ").contains("receives EAGER").contains("thread-local");
    }

    @Test
    void shouldSayThatMoreRunsWereAlikeIfTheyWere() {
        assertThat(SimWorld.of(2).difference(() -> SimWorldRunsTest::sum)).startsWith("more runs of it were alike");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10|1|2|last (1) must be from first (10) to 9223372036854775806",
                "1|9|0|threads (0) must be from 1 to 1024"
            })
    void shouldRefuseToRunNoSeeds(long first, long last, int threads, String message) {
        assertThatThrownBy(() ->
                        SimWorld.of(2).runSeeds(first, last, threads, seed -> SimWorldRunsTest::sum, result -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void shouldLetARankDoNothingWhileItStandsStill() {
        for (int seed = 1; seed <= 30; seed++) {
            double[] afterPause = {-1};
            SimWorld.of(2).seed(seed).faults("pause:rank=0:for=1s@op=iprobe#3").run(() -> {
                MPI.Init(new String[0]);
                double start = MPI.wtime();
                for (int i = 0; i < 4 && MPI.COMM_WORLD.getRank() == 0; i++) {
                    MPI.COMM_WORLD.iProbe(1, 1);
                    afterPause[0] = MPI.wtime() - start;
                }
                MPI.Finalize();
            });
            assertThat(afterPause[0]).as("seed %d", seed).isBetween(0.999, 1.1);
        }
    }

    @Test
    void shouldSayThatItFailedItselfWhenAnEndCannotBeTold() {
        class Unspeakable extends RuntimeException {
            private static final long serialVersionUID = 1L;

            @Override
            public String toString() {
                throw new ArithmeticException("no words");
            }
        }
        assertThatThrownBy(() -> SimWorld.of(2).run(() -> {
                    MPI.Init(new String[0]);
                    throw new Unspeakable();
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the simulator failed with seed 0")
                .hasCauseInstanceOf(ArithmeticException.class);
    }

    @Test
    void shouldKnowWhetherARankMayBeFenced() {
        assertThat(SimWorld.of(3)
                        .faults("kill:rank=1@t=0s")
                        .run(SimWorldTest::recover)
                        .mayFence())
                .isFalse();
        assertThat(SimWorld.of(3)
                        .faults("pause:rank=1:for=1s@op=*#3")
                        .run(SimWorldTest::recover)
                        .mayFence())
                .isTrue();
        SimResult own = SimWorld.of(3).run(() -> {
            MPI.Init(new String[0]);
            if (MPI.COMM_WORLD.getRank() == 0) {
                Faults.suspect(2);
            }
            SimWorldTest.goOn();
        });
        assertThat(own.mayFence()).isTrue();
        assertThat(own.ends().ranks(RankEnd.FENCED)).isEqualTo(List.of(2));
    }
}
