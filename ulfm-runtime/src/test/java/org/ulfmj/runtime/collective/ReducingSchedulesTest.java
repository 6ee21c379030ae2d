package org.ulfmj.runtime.collective;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.runtime.reduction.Reduction;

/**
 * Tests reductions and scans against closed forms or a sequential evaluation, or against each other, for 1 to 9, 16 and
 * 17 ranks.
 */
class ReducingSchedulesTest {
    private static final int[] COUNTS = {0, 1, 2, 3, 7, 64, 1000, 4096, 5003, 40_000};
    private static final Reduction SUM = Reductions.ofLongs(Long::sum);

    static IntStream sizes() {
        return IntStream.concat(IntStream.rangeClosed(1, 9), IntStream.of(16, 17));
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldAllReduceWhateverTheCount(int size) {
        for (int count : COUNTS) {
            ByteBuffer[] results = new ByteBuffer[size];
            run(size, count, rank -> {
                results[rank] = MemoryNetwork.bytes(8 * count);
                return new AllReduceSchedule(longs(rank, count), results[rank], 8, SUM);
            });
            for (int rank = 0; rank < size; rank++) {
                assertSums(results[rank], size, 0, count);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldAllReduceInPlace(int size) {
        for (int count : COUNTS) {
            ByteBuffer[] data = new ByteBuffer[size];
            run(size, count, rank -> {
                data[rank] = longs(rank, count);
                return new AllReduceSchedule(data[rank], data[rank], 8, SUM);
            });
            for (int rank = 0; rank < size; rank++) {
                assertSums(data[rank], size, 0, count);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldReduceToEveryRoot(int size) {
        for (int root = 0; root < size; root++) {
            for (int count : COUNTS) {
                int theRoot = root;
                ByteBuffer result = MemoryNetwork.bytes(8 * count);
                ByteBuffer[] sent = new ByteBuffer[size];
                run(size, count, rank -> {
                    sent[rank] = longs(rank, count);
                    return new ReduceSchedule(sent[rank], rank == theRoot ? result : null, 8, SUM, theRoot);
                });
                assertSums(result, size, 0, count);
                for (int rank = 0; rank < size; rank++) {
                    assertThat(sent[rank]).as("send buffer of rank %d", rank).isEqualTo(longs(rank, count));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldReduceInPlaceAtTheRoot(int size) {
        int root = size - 1;
        for (int count : COUNTS) {
            ByteBuffer[] data = new ByteBuffer[size];
            run(size, count, rank -> {
                data[rank] = longs(rank, count);
                return new ReduceSchedule(data[rank], data[rank], 8, SUM, root);
            });
            assertSums(data[root], size, 0, count);
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldCombineInRankOrderWhenTheOperatorDoesNotCommute(int size) {
        for (int count : COUNTS) {
            ByteBuffer expected = sequential(size, count);
            ByteBuffer[] all = new ByteBuffer[size];
            run(size, count, rank -> {
                all[rank] = maps(rank, count);
                return new AllReduceSchedule(all[rank], all[rank], 8, Reductions.affine());
            });
            assertThat(all).allSatisfy(result -> assertThat(result).isEqualTo(expected));
            for (int root = 0; root < size; root++) {
                int theRoot = root;
                ByteBuffer result = MemoryNetwork.bytes(8 * count);
                run(
                        size,
                        count,
                        rank -> new ReduceSchedule(
                                maps(rank, count), rank == theRoot ? result : null, 8, Reductions.affine(), theRoot));
                assertThat(result).isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldReduceScatterBlocksOfDifferentLengths(int size) {
        for (int scale : new int[] {0, 1, 40, 1500}) {
            int[] counts = IntStream.range(0, size)
                    .map(rank -> scale * ((rank * 7) % 4))
                    .toArray();
            int total = Arrays.stream(counts).sum();
            Blocks blocks = Blocks.packed(Arrays.stream(counts).map(c -> 8 * c).toArray());
            ByteBuffer expected = sequential(size, total);
            ByteBuffer[] results = new ByteBuffer[size];
            run(size, scale, rank -> {
                results[rank] = MemoryNetwork.bytes(8 * counts[rank]);
                return new ReduceScatterSchedule(maps(rank, total), results[rank], blocks, 8, Reductions.affine());
            });
            for (int rank = 0; rank < size; rank++) {
                assertThat(results[rank]).isEqualTo(expected.slice(blocks.offset(rank), blocks.length(rank)));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldReduceScatterIntoTheSameMemory(int size) {
        for (int count : new int[] {1, 4000}) {
            Blocks blocks = Blocks.equal(size, 8 * count);
            ByteBuffer[] data = new ByteBuffer[size];
            run(size, count, rank -> {
                data[rank] = longs(rank, size * count);
                return new ReduceScatterSchedule(data[rank], data[rank].slice(0, 8 * count), blocks, 8, SUM);
            });
            for (int rank = 0; rank < size; rank++) {
                assertSums(data[rank], size, rank * count, count);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldScanInRankOrder(int size) {
        for (int count : COUNTS) {
            for (boolean inPlace : new boolean[] {false, true}) {
                ByteBuffer[] results = scan(size, count, inPlace, ScanSchedule::new);
                for (int rank = 0; rank < size; rank++) {
                    assertThat(results[rank]).isEqualTo(sequential(rank + 1, count));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldScanWithoutTheOwnVectorAndLeaveRankZeroAlone(int size) {
        for (int count : COUNTS) {
            for (boolean inPlace : new boolean[] {false, true}) {
                ByteBuffer[] results = scan(size, count, inPlace, ExclusiveScanSchedule::new);
                assertThat(results[0]).isEqualTo(inPlace ? maps(0, count) : MemoryNetwork.bytes(8 * count));
                for (int rank = 1; rank < size; rank++) {
                    assertThat(results[rank]).isEqualTo(sequential(rank, count));
                }
            }
        }
    }

    /** Either scan. */
    private interface Scan {
        CollectiveSchedule of(ByteBuffer send, ByteBuffer receive, int elementBytes, Reduction reduction);
    }

    private static ByteBuffer[] scan(int size, int count, boolean inPlace, Scan scan) {
        ByteBuffer[] results = new ByteBuffer[size];
        run(size, count, rank -> {
            ByteBuffer own = maps(rank, count);
            results[rank] = inPlace ? own : MemoryNetwork.bytes(8 * count);
            return scan.of(own, results[rank], 8, Reductions.affine());
        });
        return results;
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldGiveTheSameBitsInEveryOrderOfDeliveryAtEveryRankAndByEveryAlgorithm(int size) {
        Reduction sum = Reductions.ofDoubles(Double::sum);
        // 4,000 doubles count as a short vector, and 5,000 as a long one, which is reduced another way. The first 4,000
        // results must have the same bits in both cases.
        ByteBuffer reference = null;
        for (long seed = 0; seed < 10; seed++) {
            int count = seed % 2 == 0 ? 4000 : 5000;
            ByteBuffer[] all = new ByteBuffer[size];
            MemoryNetwork.run(size, seed, rank -> {
                all[rank] = doubles(rank, count);
                return new AllReduceSchedule(all[rank], all[rank], 8, sum);
            });
            reference = reference == null ? all[0].slice(0, 32_000) : reference;
            for (ByteBuffer one : all) {
                assertThat(one.slice(0, 32_000)).isEqualTo(reference);
            }
            int root = (int) seed % size;
            ByteBuffer atRoot = doubles(root, count);
            MemoryNetwork.run(
                    size,
                    seed,
                    rank -> new ReduceSchedule(
                            rank == root ? atRoot : doubles(rank, count), rank == root ? atRoot : null, 8, sum, root));
            assertThat(atRoot.slice(0, 32_000)).isEqualTo(reference);
            Blocks first = Blocks.packed(
                    IntStream.range(0, size).map(r -> r == root ? 8 * count : 0).toArray());
            ByteBuffer part = MemoryNetwork.bytes(8 * count);
            MemoryNetwork.run(
                    size,
                    seed,
                    rank -> new ReduceScatterSchedule(
                            doubles(rank, count), rank == root ? part : MemoryNetwork.bytes(0), first, 8, sum));
            assertThat(part.slice(0, 32_000)).isEqualTo(reference);
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldCallAProgramsOperatorOnlyWithoutTheLockAndInRankOrder(int size) {
        boolean[] locked = new boolean[1];
        ByteBuffer reference = null;
        for (int count : new int[] {10, 5000}) {
            for (long seed = 0; seed < 4; seed++) {
                ByteBuffer[] all = new ByteBuffer[size];
                MemoryNetwork.run(
                        size,
                        seed,
                        rank -> {
                            all[rank] = doubles(rank, count);
                            return new AllReduceSchedule(all[rank], all[rank], 8, Reductions.sloppySum(locked));
                        },
                        () -> locked[0] = true,
                        () -> locked[0] = false);
                reference = reference == null ? all[0].slice(0, 80) : reference;
                for (ByteBuffer one : all) {
                    assertThat(one.slice(0, 80)).isEqualTo(reference);
                }
            }
        }
    }

    @Test
    void shouldTakeAFewRoundsOfMessagesForShortVectors() {
        int messages = MemoryNetwork.run(
                16, 1, rank -> new AllReduceSchedule(longs(rank, 4), MemoryNetwork.bytes(32), 8, SUM));
        assertThat(messages).isEqualTo(16 * 4);
    }

    private static void run(int size, long seed, IntFunction<CollectiveSchedule> schedules) {
        MemoryNetwork.run(size, 31 * seed + size, schedules);
    }

    /**
     * Makes the contribution of rank r: its element i is (r + 1)·(i + 1), so that the sum over ranks has a closed form.
     */
    private static ByteBuffer longs(int rank, int count) {
        ByteBuffer data = MemoryNetwork.bytes(8 * count);
        for (int i = 0; i < count; i++) {
            data.putLong(8 * i, (rank + 1L) * (i + 1));
        }
        return data;
    }

    private static void assertSums(ByteBuffer data, int size, int from, int count) {
        long ranks = size * (size + 1L) / 2;
        for (int i = 0; i < count; i++) {
            if (data.getLong(8 * i) != ranks * (from + i + 1)) {
                assertThat(data.getLong(8 * i)).as("element %d of %d", i, count).isEqualTo(ranks * (from + i + 1));
            }
        }
    }

    private static ByteBuffer doubles(int rank, int count) {
        Random random = new Random(rank);
        ByteBuffer data = MemoryNetwork.bytes(8 * count);
        for (int i = 0; i < count; i++) {
            data.putDouble(8 * i, random.nextGaussian() * Math.pow(10, random.nextInt(12)));
        }
        return data;
    }

    private static ByteBuffer maps(int rank, int count) {
        ByteBuffer data = MemoryNetwork.bytes(8 * count);
        for (int i = 0; i < 2 * count; i++) {
            data.putInt(4 * i, 2 * (rank * 1_000_003 + i * 7919) + 3);
        }
        return data;
    }

    /** Computes the expected result: composes the maps of ranks 0 to {@code ranks} − 1 in rank order. */
    private static ByteBuffer sequential(int ranks, int count) {
        ByteBuffer result = maps(ranks - 1, count);
        for (int rank = ranks - 2; rank >= 0; rank--) {
            Reductions.affine().apply(maps(rank, count), result, count);
        }
        return result;
    }
}
