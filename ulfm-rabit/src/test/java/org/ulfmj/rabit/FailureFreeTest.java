package org.ulfmj.rabit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import mpi.MPI;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.testkit.LocalWorld;
import org.ulfmj.testkit.RankMain;

/** Tests what calls do while no rank dies, some of them with one rank and with several. */
class FailureFreeTest {
    private static void run(int ranks, RankMain main) {
        LocalWorld.of(ranks).run(main).requireSurvivorsSucceeded();
    }

    private static void assertIllegalState(ThrowingCallable call, String text) {
        assertThatThrownBy(call).isInstanceOf(IllegalStateException.class).hasMessageContaining(text);
    }

    private static void assertIllegalArgument(ThrowingCallable call, String text) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(text);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void shouldCombineArraysOfEveryKind(int ranks) {
        run(ranks, () -> {
            Rabit.init();
            int sum = ranks * (ranks + 1) / 2;
            int mine = Rabit.rank() + 1;
            double[] doubles = {mine, 1};
            float[] floats = {mine};
            int[] ints = {mine};
            long[] longs = {mine, -mine};
            byte[] bytes = {(byte) mine};
            ByteBuffer buffer = ByteBuffer.allocate(12).order(ByteOrder.nativeOrder());
            buffer.putInt(77).putInt(mine).putInt(2 * mine).position(4);
            Rabit.allreduce(doubles, MPI.SUM);
            Rabit.allreduce(floats, MPI.MAX);
            Rabit.allreduce(ints, MPI.SUM);
            Rabit.allreduce(longs, MPI.MIN);
            Rabit.allreduce(bytes, MPI.SUM);
            Rabit.allreduce(buffer, MPI.INT, MPI.SUM);
            assertThat(doubles).containsExactly(sum, ranks);
            assertThat(floats).containsExactly(ranks);
            assertThat(ints).containsExactly(sum);
            assertThat(longs).containsExactly(1, -ranks);
            assertThat(bytes).containsExactly((byte) sum);
            assertThat(buffer.position()).isEqualTo(4);
            assertThat(List.of(buffer.getInt(0), buffer.getInt(4), buffer.getInt(8)))
                    .containsExactly(77, sum, 2 * sum);
            Rabit.shutdown();
        });
    }

    @Test
    void shouldCombineItemsOfTheProgramInRankOrder() {
        run(3, () -> {
            Rabit.init();
            byte[] letters = {(byte) ('a' + Rabit.rank()), (byte) ('x' + Rabit.rank()), 0, 0, 0, 0, 0, 0};
            ByteBuffer text = ByteBuffer.wrap(letters);
            // The operator keeps the letter of {@code inOut}, which comes from higher ranks, so the last rank's letter
            // is the result.
            Rabit.allreduce(text, 4, (in, inOut, count) -> {
                for (int i = 0; i < count; i++) {
                    assertThat(in.get(4 * i)).isLessThanOrEqualTo(inOut.get(4 * i));
                }
            });
            assertThat(letters[0]).isEqualTo((byte) 'c');
            Rabit.shutdown();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldMoveDataOfAllLengths(int ranks) {
        run(ranks, () -> {
            Rabit.init();
            assertThat(Rabit.loadCheckpoint()).isZero();
            int root = ranks - 1;
            byte[] text = Rabit.broadcastBytes(Rabit.rank() == root ? "hello".getBytes() : null, root);
            assertThat(new String(text)).isEqualTo("hello");
            int[] numbers = Rabit.rank() == 0 ? new int[] {4, 5, 6} : new int[3];
            Rabit.broadcast(numbers, 0);
            assertThat(numbers).containsExactly(4, 5, 6);
            long[] all = new long[2 * ranks];
            Rabit.allgather(new long[] {Rabit.rank(), 9}, all);
            byte[][] ragged = Rabit.allgatherBytes(new byte[Rabit.rank()]);
            for (int rank = 0; rank < ranks; rank++) {
                assertThat(all[2 * rank]).isEqualTo(rank);
                assertThat(all[2 * rank + 1]).isEqualTo(9);
                assertThat(ragged[rank]).hasSize(rank);
            }
            Rabit.shutdown();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void shouldCountVersionsAndKeepTheModel(int ranks) {
        run(ranks, () -> {
            assertThat(Rabit.worldSize()).isOne();
            Rabit.init();
            assertThat(Rabit.worldSize()).isEqualTo(ranks);
            assertThat(Rabit.isDistributed()).isEqualTo(ranks > 1);
            assertThat(Rabit.processorName()).isNotEmpty();
            assertThat(Rabit.loadCheckpoint()).isZero();
            assertThat(Rabit.globalModel()).isNull();
            for (int version = 0; version < 3; version++) {
                assertThat(Rabit.version()).isEqualTo(version);
                int[] one = {1};
                Rabit.allreduce(one, MPI.SUM);
                Rabit.checkpoint(new byte[] {(byte) version, (byte) one[0]});
                assertThat(Rabit.globalModel()).containsExactly(version, ranks);
                assertThat(Rabit.logBytes()).isZero();
            }
            Rabit.shutdown();
            assertThatThrownBy(Rabit::logBytes)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("after shutdown");
        });
    }

    @Test
    void shouldCallPrepareOnceForEachOperation() {
        run(2, () -> {
            Rabit.init();
            Rabit.loadCheckpoint();
            int[] calls = {0};
            int[] data = {0};
            Rabit.allreduce(data, MPI.SUM, () -> {
                calls[0]++;
                data[0] = 21;
            });
            assertThat(data[0]).isEqualTo(42);
            assertThat(calls[0]).isOne();
            Rabit.shutdown();
        });
    }

    @Test
    void shouldTellBootstrapOperationsOfOneCallSiteApart() {
        run(3, () -> {
            Rabit.init();
            for (int i = 0; i < 5; i++) {
                int[] data = {i};
                Rabit.allreduce(data, MPI.SUM);
                assertThat(data[0]).isEqualTo(3 * i);
            }
            Rabit.allreduce("columns", new long[1], MPI.MAX);
            assertThatThrownBy(() -> Rabit.allreduce("columns", new long[1], MPI.MAX))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("key \"columns\" is set twice: at ")
                    .hasMessageContaining("FailureFreeTest.java:");
            Rabit.loadCheckpoint();
            Rabit.shutdown();
        });
    }

    @Test
    void shouldSayWhatIsWrongWithACall() {
        run(2, () -> {
            assertThatThrownBy(() -> Rabit.allreduce(new int[1], MPI.SUM))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("Rabit.allreduce before Rabit.init");
            assertIllegalArgument(() -> Rabit.init("ulfm.rabit.replica=3"), "ulfm.rabit.replicas");
            Rabit.init("ulfm.rabit.bootstrap=off", "unrelated");
            assertIllegalState(() -> Rabit.init(), "initialized already");
            assertIllegalState(() -> Rabit.allreduce(new int[1], MPI.SUM), "ulfm.rabit.bootstrap is off");
            assertIllegalState(() -> Rabit.checkpoint(new byte[0]), "before loadCheckpoint");
            Rabit.loadCheckpoint();
            assertThatThrownBy(Rabit::loadCheckpoint).isInstanceOf(IllegalStateException.class);
            assertIllegalArgument(
                    () -> Rabit.allreduce(new double[1], MPI.BAND), "MPI.BAND does not combine elements of MPI.DOUBLE");
            assertIllegalArgument(() -> Rabit.broadcast(new int[1], 2), "root 2 is not from 0 to 1");
            assertIllegalArgument(() -> Rabit.allgather(new int[1], new int[3]), "it must be 2");
            assertIllegalArgument(() -> Rabit.allreduce(ByteBuffer.allocate(8), null, MPI.SUM), "the type is null");
            assertIllegalArgument(() -> Rabit.onShrink(null), "the repartition is null");
            Rabit.checkpoint(new byte[1]);
            assertIllegalState(() -> Rabit.checkpoint(new byte[1], new byte[1]), "local model");
            Rabit.shutdown();
        });
    }

    @Test
    void shouldRunAProgramFromInitToShutdown() {
        List<Integer> ends = new CopyOnWriteArrayList<>();
        run(
                3,
                () -> Rabit.run(() -> {
                    int[] ranks = {1};
                    Rabit.allreduce(ranks, MPI.SUM);
                    for (int it = Rabit.loadCheckpoint(); it < 4; it++) {
                        Rabit.allreduce(new int[] {it}, MPI.SUM);
                        Rabit.checkpoint(new byte[] {(byte) it});
                    }
                    ends.add(ranks[0]);
                }));
        assertThat(ends).containsExactly(3, 3, 3);
    }

    @Test
    void shouldLetGoWhatOthersKeep() {
        run(6, () -> {
            // There are three classes of keepers, so a rank keeps every third result, and the latest ones.
            Rabit.init("ulfm.rabit.replicas=2");
            Rabit.loadCheckpoint();
            for (int i = 0; i < 30; i++) {
                Rabit.allreduce(new byte[1000], MPI.MAX);
            }
            assertThat(Rabit.logBytes()).isBetween(10_000L, 11_000L);
            assertThat(Rabit.mostLogBytes()).isLessThanOrEqualTo(12_000L);
            Rabit.checkpoint(new byte[1]);
            assertThat(Rabit.logBytes()).isZero();
            Rabit.shutdown();
        });
    }
}
