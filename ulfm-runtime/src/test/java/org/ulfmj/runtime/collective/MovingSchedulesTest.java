package org.ulfmj.runtime.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests collectives that move data without combining it, for 1 to 9, 16 and 17 ranks. */
class MovingSchedulesTest {
    private static final int[] LENGTHS = {0, 1, 5, 1024, 20_000, 300_001};

    static IntStream sizes() {
        return IntStream.concat(IntStream.rangeClosed(1, 9), IntStream.of(16, 17));
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldNotLeaveABarrierBeforeAllHaveEntered(int size) {
        for (int absent = 0; absent < size; absent++) {
            int late = absent;
            boolean[] done = MemoryNetwork.runUntilNothingMoves(
                    size, absent, rank -> rank == late ? new Absent() : new BarrierSchedule());
            for (int rank = 0; rank < size; rank++) {
                assertThat(done[rank])
                        .as("rank %d, while %d is absent", rank, late)
                        .isEqualTo(rank == late);
            }
        }
        int messages = MemoryNetwork.run(size, 1, rank -> new BarrierSchedule());
        assertThat(messages).isEqualTo(size * (32 - Integer.numberOfLeadingZeros(size - 1)));
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldBroadcastFromEveryRoot(int size) {
        for (int root = 0; root < size; root++) {
            for (int length : LENGTHS) {
                int theRoot = root;
                ByteBuffer[] data = new ByteBuffer[size];
                run(size, length, rank -> {
                    data[rank] = rank == theRoot ? pattern(7, 0, length) : MemoryNetwork.bytes(length);
                    return new BroadcastSchedule(data[rank], theRoot);
                });
                assertThat(data).allSatisfy(one -> assertThat(one).isEqualTo(pattern(7, 0, length)));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldGatherPartsOfDifferentLengthsWithGapsBetween(int size) {
        for (int scale : new int[] {0, 1, 3000}) {
            for (int root = 0; root < size; root++) {
                for (boolean inPlace : new boolean[] {false, true}) {
                    int theRoot = root;
                    Blocks blocks = spread(size, scale);
                    ByteBuffer result = MemoryNetwork.bytes(capacity(blocks));
                    ByteBuffer expected = MemoryNetwork.bytes(capacity(blocks));
                    for (int rank = 0; rank < size; rank++) {
                        put(expected, blocks, rank, rank, rank);
                    }
                    put(result, blocks, root, root, root);
                    run(
                            size,
                            root,
                            rank -> rank == theRoot
                                    ? new GatherSchedule(
                                            inPlace ? null : pattern(rank, rank, blocks.length(rank)),
                                            result,
                                            blocks,
                                            theRoot)
                                    : new GatherSchedule(
                                            pattern(rank, rank, blocks.length(rank)), null, null, theRoot));
                    assertThat(result).isEqualTo(expected);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldScatterPartsOfDifferentLengths(int size) {
        for (int scale : new int[] {0, 1, 3000}) {
            for (int root = 0; root < size; root++) {
                for (boolean inPlace : new boolean[] {false, true}) {
                    int theRoot = root;
                    Blocks blocks = spread(size, scale);
                    ByteBuffer source = MemoryNetwork.bytes(capacity(blocks));
                    for (int rank = 0; rank < size; rank++) {
                        put(source, blocks, rank, rank, 3);
                    }
                    ByteBuffer[] results = new ByteBuffer[size];
                    run(size, root, rank -> {
                        results[rank] = MemoryNetwork.bytes(blocks.length(rank));
                        return rank == theRoot
                                ? new ScatterSchedule(source, blocks, inPlace ? null : results[rank], theRoot)
                                : new ScatterSchedule(null, null, results[rank], theRoot);
                    });
                    for (int rank = 0; rank < size; rank++) {
                        if (rank != root || !inPlace) {
                            assertThat(results[rank]).isEqualTo(pattern(rank, 3, blocks.length(rank)));
                        }
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldAllGatherPartsOfDifferentLengths(int size) {
        for (int scale : new int[] {0, 1, 100, 30_000}) {
            for (boolean inPlace : new boolean[] {false, true}) {
                Blocks blocks = spread(size, scale);
                ByteBuffer expected = MemoryNetwork.bytes(capacity(blocks));
                ByteBuffer[] results = new ByteBuffer[size];
                for (int rank = 0; rank < size; rank++) {
                    put(expected, blocks, rank, rank, 9);
                }
                run(size, scale, rank -> {
                    results[rank] = MemoryNetwork.bytes(capacity(blocks));
                    put(results[rank], blocks, rank, rank, 9);
                    return new AllGatherSchedule(
                            inPlace ? null : pattern(rank, 9, blocks.length(rank)), results[rank], blocks);
                });
                assertThat(results).allSatisfy(one -> assertThat(one).isEqualTo(expected));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldAllGatherEqualParts(int size) {
        for (int length : LENGTHS) {
            Blocks blocks = Blocks.equal(size, length);
            ByteBuffer[] results = new ByteBuffer[size];
            run(size, length, rank -> {
                results[rank] = MemoryNetwork.bytes(size * length);
                return new AllGatherSchedule(pattern(rank, 1, length), results[rank], blocks);
            });
            for (ByteBuffer result : results) {
                for (int rank = 0; rank < size; rank++) {
                    assertThat(result.slice(rank * length, length)).isEqualTo(pattern(rank, 1, length));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldExchangePartsOfDifferentLengthsBetweenAll(int size) {
        for (int scale : new int[] {0, 1, 2000}) {
            ByteBuffer[] results = new ByteBuffer[size];
            run(size, scale, rank -> {
                Blocks out = Blocks.packed(IntStream.range(0, size)
                        .map(to -> length(rank, to, scale))
                        .toArray());
                Blocks in = incoming(rank, size, scale);
                ByteBuffer source = MemoryNetwork.bytes((int) out.totalLength());
                for (int to = 0; to < size; to++) {
                    put(source, out, to, rank, to);
                }
                results[rank] = MemoryNetwork.bytes((int) in.totalLength());
                return new AllToAllSchedule(source, out, results[rank], in);
            });
            for (int rank = 0; rank < size; rank++) {
                Blocks in = incoming(rank, size, scale);
                for (int from = 0; from < size; from++) {
                    assertThat(results[rank].slice(in.offset(from), in.length(from)))
                            .isEqualTo(pattern(from, rank, in.length(from)));
                }
            }
        }
    }

    @Test
    void shouldUseTheCallersBufferFromPositionToLimitAndMoveNeither() {
        ByteBuffer[] data = new ByteBuffer[2];
        MemoryNetwork.run(2, 1, rank -> {
            data[rank] = MemoryNetwork.bytes(8).put(rank == 0 ? pattern(1, 1, 8) : MemoryNetwork.bytes(8));
            data[rank].position(2).limit(6);
            return new BroadcastSchedule(data[rank], 0);
        });
        assertThat(data[1].position()).isEqualTo(2);
        assertThat(data[1].limit()).isEqualTo(6);
        assertThat(data[1].clear()).isEqualTo(MemoryNetwork.bytes(8).put(2, pattern(1, 1, 8), 2, 4));
    }

    @Test
    void shouldSayWhatIsWrongWithBlocks() {
        assertThatThrownBy(() -> Blocks.packed(4, -8)).hasMessage("length -8 of rank 1 is negative");
        assertThatThrownBy(() -> Blocks.at(new int[] {0, -1}, new int[] {1, 1}))
                .hasMessage("offset -1 of rank 1 is negative");
        assertThatThrownBy(() -> Blocks.at(new int[] {0}, new int[] {1, 1}))
                .hasMessage("1 offsets for 2 lengths of blocks");
        assertThatThrownBy(() -> Blocks.equal(1 << 20, 1 << 20)).hasMessageContaining("1048576 blocks");
        assertThatThrownBy(() -> Blocks.packed(Integer.MAX_VALUE, 1)).hasMessageContaining("2147483648 bytes");
    }

    /** A rank that never enters. */
    private static final class Absent extends CollectiveSchedule {
        Absent() {
            super("nothing");
        }

        @Override
        protected void plan(Plan plan) {}
    }

    private static void run(int size, long seed, IntFunction<CollectiveSchedule> schedules) {
        MemoryNetwork.run(size, 31 * seed + size, schedules);
    }

    /**
     * Makes blocks whose lengths are 0 to 3 times {@code scale}, in descending rank order with a gap of one byte
     * between them.
     */
    private static Blocks spread(int size, int scale) {
        int[] lengths =
                IntStream.range(0, size).map(rank -> scale * (rank * 3 % 4)).toArray();
        int[] offsets = new int[size];
        int end = 0;
        for (int rank = size - 1; rank >= 0; rank--) {
            offsets[rank] = end;
            end += lengths[rank] + 1;
        }
        return Blocks.at(offsets, lengths);
    }

    private static int capacity(Blocks blocks) {
        return blocks.offset(0) + blocks.length(0) + 1;
    }

    private static int length(int from, int to, int scale) {
        return scale * ((from + 2 * to) % 3);
    }

    private static Blocks incoming(int rank, int size, int scale) {
        return Blocks.packed(
                IntStream.range(0, size).map(from -> length(from, rank, scale)).toArray());
    }

    private static ByteBuffer pattern(int a, int b, int length) {
        ByteBuffer data = MemoryNetwork.bytes(length);
        for (int i = 0; i < length; i++) {
            data.put(i, (byte) (31 * a + 17 * b + i * 13 + (i >> 8) + 1));
        }
        return data;
    }

    private static void put(ByteBuffer target, Blocks blocks, int block, int a, int b) {
        target.put(blocks.offset(block), pattern(a, b, blocks.length(block)), 0, blocks.length(block));
    }
}
