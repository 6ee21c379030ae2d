package org.ulfmj.rabit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import mpi.MPI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.testkit.LocalWorld;

/**
 * Tests programs whose ranks make different operations or checkpoints of different models: all ranks get a
 * {@link DesyncException}. Most tests also check what it says of the ranks' calls.
 */
class DesyncTest {
    private static final int RANKS = 3;

    private interface Step {
        void run();
    }

    private static Map<Integer, Throwable> thrownBy(Step step) {
        Map<Integer, Throwable> thrown = new ConcurrentHashMap<>();
        LocalWorld.of(RANKS).run(() -> {
            Rabit.init();
            int rank = Rabit.rank();
            Throwable caught = catchThrowable(step::run);
            if (caught != null) {
                thrown.put(rank, caught);
            }
        });
        assertThat(thrown).hasSize(RANKS);
        assertThat(thrown.values()).allSatisfy(each -> assertThat(each).isInstanceOf(DesyncException.class));
        return thrown;
    }

    @Test
    void shouldNameBothCallsIfLengthsDiffer() {
        Map<Integer, Throwable> thrown = thrownBy(() -> {
            Rabit.loadCheckpoint();
            if (Rabit.rank() == 1) {
                Rabit.allreduce(new double[5], MPI.SUM);
            } else {
                Rabit.allreduce(new double[4], MPI.SUM);
            }
        });

        assertThat(thrown.get(0))
                .hasMessageContaining("allreduce(MPI.DOUBLE[5], MPI.SUM) as operation 0 of version 0 at ")
                .hasMessageContaining("allreduce(MPI.DOUBLE[4], MPI.SUM) as operation 0 of version 0 at ")
                .hasMessageContaining("DesyncTest.java:");
    }

    @Test
    void shouldTellAllIfOneMakesAnotherOperation() {
        thrownBy(() -> {
            Rabit.loadCheckpoint();
            Rabit.allreduce(new int[1], MPI.SUM);
            if (Rabit.rank() == 2) {
                Rabit.allreduce(new int[1], MPI.MAX);
            } else {
                Rabit.allreduce(new int[1], MPI.SUM);
            }
        });
    }

    @Test
    void shouldTellRanksThatMakeABootstrapOperationAtDifferentPlaces() {
        Map<Integer, Throwable> thrown = thrownBy(() -> {
            if (Rabit.rank() == 0) {
                Rabit.broadcast(new int[1], 0);
            } else {
                Rabit.broadcast(new int[1], 0);
            }
            Rabit.allreduce(new int[1], MPI.SUM);
        });

        assertThat(thrown.get(1)).hasMessageContaining("different operations at the same place");
    }

    @Test
    void shouldTellAllIfOneEndsWhileOthersCommit() {
        Map<Integer, Throwable> thrown = thrownBy(() -> {
            Rabit.loadCheckpoint();
            if (Rabit.rank() == 2) {
                Rabit.shutdown();
            } else {
                Rabit.checkpoint(new byte[1]);
            }
        });

        assertThat(thrown.get(2))
                .hasMessageContaining("ranks [0, 1]: checkpoint as operation 0 of version 0 at ")
                .hasMessageContaining("rank [2]: shutdown as operation 0 of version 0 at ");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void shouldTellAllIfOneCommitsWhileOthersMakeAnOperation(int kind) {
        Map<Integer, Throwable> thrown = thrownBy(() -> {
            Rabit.loadCheckpoint();
            for (int version = 0; version < 12; version++) {
                // The loop makes so many operations and checkpoints that the runtime has gone over to host collectives,
                // which use memory that all ranks read.
                Rabit.allreduce(new int[1], MPI.SUM);
                Rabit.checkpoint(new byte[1]);
            }
            if (Rabit.rank() == 1) {
                Rabit.checkpoint(new byte[1]);
            }
            switch (kind) {
                case 0 -> Rabit.allreduce(new int[1], MPI.SUM);
                case 1 -> Rabit.allreduce(new double[100_000], MPI.SUM);
                case 2 -> Rabit.allgather(new int[1], new int[RANKS]);
                default -> {
                    Rabit.broadcast(new int[1], 0);
                    Rabit.allreduce(new int[1], MPI.SUM);
                }
            }
        });

        assertThat(thrown.values()).allSatisfy(each -> assertThat(each)
                .hasMessageContaining("rank [1]: checkpoint as operation 0 of version 12 at ")
                .hasMessageContaining("DesyncTest.java:"));
    }

    @Test
    void shouldTellAllIfOnlyOneHasALocalModel() {
        Map<Integer, Throwable> thrown = thrownBy(() -> {
            Rabit.loadCheckpoint();
            if (Rabit.rank() == 0) {
                Rabit.checkpoint(new byte[1], new byte[1]);
            } else {
                Rabit.checkpoint(new byte[1]);
            }
        });

        assertThat(thrown.get(1))
                .hasMessageContaining("rank [0]: checkpoint with a local model as operation 0 of version 0 at ")
                .hasMessageContaining("ranks [1, 2]: checkpoint as operation 0 of version 0 at ");
    }

    @Test
    void shouldTellAllIfModelsDiffer() {
        Map<Integer, Throwable> thrown = thrownBy(() -> {
            Rabit.loadCheckpoint();
            Rabit.checkpoint(new byte[] {1, (byte) (Rabit.rank() == 1 ? 3 : 2)});
        });

        assertThat(thrown.get(0))
                .hasMessageContaining("the global models of ranks differ")
                .hasMessageContaining("rank 0 checkpoint as operation 0 of version 0 at ")
                .hasMessageContaining("rank 1 checkpoint as operation 0 of version 0 at ")
                .hasMessageContaining("has one of 2 bytes with checksum ");
    }

    @Test
    void shouldTellAllIfItemsDifferInSize() {
        Map<Integer, Throwable> thrown = thrownBy(() -> {
            Rabit.loadCheckpoint();
            int item = Rabit.rank() == 1 ? 8 : 4;
            Rabit.allreduce(new byte[2 * item], item, (in, inout, count) -> {});
        });

        assertThat(thrown.get(0)).hasMessageContaining("allreduce(item[2], a reducer)");
    }
}
