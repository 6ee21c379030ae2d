package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import mpi.Intracomm;
import mpi.MPI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares results of blocking collective calls, many of them with one buffer and with two, with their definitions: on
 * arrays in worlds of several sizes, and on each other kind of {@link Ints} in a world of three.
 */
@ParameterizedClass
@MethodSource("worldsAndBuffers")
class CollectiveCallsTest {
    private static final int UNTOUCHED = -999;

    @Parameter(0)
    private int size;

    @Parameter(1)
    private Ints kind;

    static List<Arguments> worldsAndBuffers() {
        List<Arguments> all = new ArrayList<>();
        for (Ints kind : Ints.values()) {
            for (int size : kind == Ints.ARRAY ? new int[] {1, 2, 3, 4, 7} : new int[] {3}) {
                all.add(Arguments.of(size, kind));
            }
        }
        return all;
    }

    private static int item(int rank, int i) {
        return 1000 * (rank + 1) + i;
    }

    private static int[] items(int rank, int count) {
        return IntStream.range(0, count).map(i -> item(rank, i)).toArray();
    }

    private static int[] fill(int count) {
        int[] values = new int[count];
        Arrays.fill(values, UNTOUCHED);
        return values;
    }

    private static int[] perRank(int size, IntUnaryOperator value) {
        return IntStream.range(0, size).map(value).toArray();
    }

    @Test
    void shouldBroadcastFromEveryRoot() {
        Worlds.run(size, (world, rank) -> {
            for (int root = 0; root < size; root++) {
                Object buf = kind.of(rank == root ? items(root, 5) : fill(5));
                world.bcast(buf, 4, MPI.INT, root);
                int last = rank == root ? item(root, 4) : UNTOUCHED;
                assertThat(Ints.in(buf))
                        .startsWith(items(root, 4))
                        .endsWith(last)
                        .hasSize(5);
            }
        });
    }

    @Test
    void shouldGatherInBothForms() {
        Worlds.run(size, (world, rank) -> {
            int[] expected = IntStream.range(0, size)
                    .flatMap(from -> Arrays.stream(items(from, 2)))
                    .toArray();
            for (int root = 0; root < size; root++) {
                Object all = rank == root ? kind.of(fill(2 * size)) : null;
                world.gather(kind.of(items(rank, 2)), 2, MPI.INT, all, 2, rank == root ? MPI.INT : null, root);
                if (rank == root) {
                    assertThat(Ints.in(all)).isEqualTo(expected);
                }

                int[] own = rank == root ? fill(2 * size) : items(rank, 2);
                if (rank == root) {
                    System.arraycopy(items(rank, 2), 0, own, 2 * rank, 2);
                }
                Object both = kind.of(own);
                world.gather(both, 2, MPI.INT, root);
                assertThat(Ints.in(both)).isEqualTo(rank == root ? expected : own);
            }
        });
    }

    @Test
    void shouldGatherPartsOfDifferentLengths() {
        Worlds.run(size, (world, rank) -> {
            int[] counts = perRank(size, r -> r % 3);
            int[] displs = perRank(size, r -> 3 * (size - 1 - r));
            int[] expected = fill(3 * size);
            for (int from = 0; from < size; from++) {
                System.arraycopy(items(from, counts[from]), 0, expected, displs[from], counts[from]);
            }
            for (int root = 0; root < size; root++) {
                Object own = kind.of(items(rank, 3));
                Object all = rank == root ? kind.of(fill(3 * size)) : null;
                world.gatherv(own, counts[rank], MPI.INT, all, counts, displs, MPI.INT, root);
                if (rank == root) {
                    assertThat(Ints.in(all)).isEqualTo(expected);
                    int[] placed = fill(3 * size);
                    System.arraycopy(items(rank, counts[rank]), 0, placed, displs[rank], counts[rank]);
                    Object both = kind.of(placed);
                    world.gatherv(both, counts, displs, MPI.INT, root);
                    assertThat(Ints.in(both)).isEqualTo(expected);
                } else {
                    world.gatherv(own, counts[rank], MPI.INT, root);
                }
            }
        });
    }

    @Test
    void shouldScatterInBothForms() {
        Worlds.run(size, (world, rank) -> {
            int[] all = items(9, 2 * size);
            int[] mine = Arrays.copyOfRange(all, 2 * rank, 2 * rank + 2);
            for (int root = 0; root < size; root++) {
                Object part = kind.of(fill(2));
                world.scatter(rank == root ? kind.of(all) : null, 2, MPI.INT, part, 2, MPI.INT, root);
                assertThat(Ints.in(part)).isEqualTo(mine);

                Object both = kind.of(rank == root ? all : fill(2));
                world.scatter(both, 2, MPI.INT, root);
                assertThat(Ints.in(both)).isEqualTo(rank == root ? all : mine);
            }
        });
    }

    @Test
    void shouldScatterPartsOfDifferentLengths() {
        Worlds.run(size, (world, rank) -> {
            int[] counts = perRank(size, r -> r % 3);
            int[] displs = perRank(size, r -> 3 * (size - 1 - r));
            int[] all = items(9, 3 * size);
            int[] mine = Arrays.copyOfRange(all, displs[rank], displs[rank] + counts[rank]);
            for (int root = 0; root < size; root++) {
                Object part = kind.of(fill(counts[rank]));
                Object source = rank == root ? kind.of(all) : null;
                world.scatterv(source, counts, displs, MPI.INT, part, counts[rank], MPI.INT, root);
                assertThat(Ints.in(part)).isEqualTo(mine);

                Object again = kind.of(fill(counts[rank]));
                if (rank == root) {
                    world.scatterv(source, counts, displs, MPI.INT, root);
                    assertThat(Ints.in(source)).isEqualTo(all);
                } else {
                    world.scatterv(again, counts[rank], MPI.INT, root);
                    assertThat(Ints.in(again)).isEqualTo(mine);
                }
            }
        });
    }

    @Test
    void shouldGatherAtAllRanksInBothForms() {
        Worlds.run(size, (world, rank) -> {
            int[] expected = IntStream.range(0, size)
                    .flatMap(from -> Arrays.stream(items(from, 2)))
                    .toArray();
            Object all = kind.of(fill(2 * size));
            world.allGather(kind.of(items(rank, 2)), 2, MPI.INT, all, 2, MPI.INT);
            assertThat(Ints.in(all)).isEqualTo(expected);

            int[] placed = fill(2 * size);
            System.arraycopy(items(rank, 2), 0, placed, 2 * rank, 2);
            Object both = kind.of(placed);
            world.allGather(both, 2, MPI.INT);
            assertThat(Ints.in(both)).isEqualTo(expected);
        });
    }

    @Test
    void shouldGatherPartsOfDifferentLengthsAtAllRanks() {
        Worlds.run(size, (world, rank) -> {
            int[] counts = perRank(size, r -> (r + 1) % 3);
            int[] displs = perRank(size, r -> 3 * (size - 1 - r));
            int[] expected = fill(3 * size);
            for (int from = 0; from < size; from++) {
                System.arraycopy(items(from, counts[from]), 0, expected, displs[from], counts[from]);
            }
            Object all = kind.of(fill(3 * size));
            world.allGatherv(kind.of(items(rank, 3)), counts[rank], MPI.INT, all, counts, displs, MPI.INT);
            assertThat(Ints.in(all)).isEqualTo(expected);

            int[] placed = fill(3 * size);
            System.arraycopy(items(rank, counts[rank]), 0, placed, displs[rank], counts[rank]);
            Object both = kind.of(placed);
            world.allGatherv(both, counts, displs, MPI.INT);
            assertThat(Ints.in(both)).isEqualTo(expected);
        });
    }

    @Test
    void shouldSendEachRankItsPart() {
        Worlds.run(size, (world, rank) -> {
            int[] toAll = perRank(2 * size, i -> 100 * rank + 10 * (i / 2) + i % 2);
            Object fromAll = kind.of(fill(2 * size));
            world.allToAll(kind.of(toAll), 2, MPI.INT, fromAll, 2, MPI.INT);
            assertThat(Ints.in(fromAll)).isEqualTo(perRank(2 * size, i -> 100 * (i / 2) + 10 * rank + i % 2));
        });
    }

    @Test
    void shouldSendEachRankAPartOfItsOwnLength() {
        Worlds.run(size, (world, rank) -> {
            // Rank s sends (s + t) mod 3 items to rank t.
            int[] sendCounts = perRank(size, to -> (rank + to) % 3);
            int[] places = perRank(size, r -> 3 * (size - 1 - r));
            int[] toAll = fill(3 * size);
            int[] expected = fill(3 * size);
            for (int peer = 0; peer < size; peer++) {
                for (int i = 0; i < (rank + peer) % 3; i++) {
                    toAll[places[peer] + i] = 100 * rank + 10 * peer + i;
                    expected[places[peer] + i] = 100 * peer + 10 * rank + i;
                }
            }
            Object fromAll = kind.of(fill(3 * size));
            world.allToAllv(kind.of(toAll), sendCounts, places, MPI.INT, fromAll, sendCounts, places, MPI.INT);
            assertThat(Ints.in(fromAll)).isEqualTo(expected);
        });
    }

    @Test
    void shouldReduceAtEveryRootAndAtAllRanks() {
        Worlds.run(size, (world, rank) -> {
            int[] sum = perRank(
                    3, i -> IntStream.range(0, size).map(r -> item(r, i)).sum());
            for (int root = 0; root < size; root++) {
                Object sent = kind.of(items(rank, 3));
                Object result = rank == root ? kind.of(fill(3)) : null;
                world.reduce(sent, result, 3, MPI.INT, MPI.SUM, root);
                assertThat(Ints.in(sent)).isEqualTo(items(rank, 3));
                if (rank == root) {
                    assertThat(Ints.in(result)).isEqualTo(sum);
                }
                Object both = kind.of(items(rank, 3));
                world.reduce(both, 3, MPI.INT, MPI.SUM, root);
                assertThat(Ints.in(both)).isEqualTo(rank == root ? sum : items(rank, 3));
            }
            Object sent = kind.of(items(rank, 3));
            Object result = kind.of(fill(3));
            world.allReduce(sent, result, 3, MPI.INT, MPI.SUM);
            assertThat(Ints.in(result)).isEqualTo(sum);
            assertThat(Ints.in(sent)).isEqualTo(items(rank, 3));
            world.allReduce(sent, 3, MPI.INT, MPI.SUM);
            assertThat(Ints.in(sent)).isEqualTo(sum);
        });
    }

    @Test
    void shouldReduceAndScatter() {
        Worlds.run(size, (world, rank) -> {
            int[] counts = perRank(size, r -> (r + 1) % 3);
            int total = Arrays.stream(counts).sum();
            int before = Arrays.stream(counts, 0, rank).sum();
            int[] mine = perRank(
                    counts[rank],
                    i -> IntStream.range(0, size).map(r -> item(r, before + i)).sum());
            Object part = kind.of(fill(counts[rank]));
            world.reduceScatter(kind.of(items(rank, total)), part, counts, MPI.INT, MPI.SUM);
            assertThat(Ints.in(part)).isEqualTo(mine);
            Object both = kind.of(items(rank, total));
            world.reduceScatter(both, counts, MPI.INT, MPI.SUM);
            assertThat(Arrays.copyOf(Ints.in(both), mine.length)).isEqualTo(mine);

            int[] block = perRank(2, i -> IntStream.range(0, size)
                    .map(r -> item(r, 2 * rank + i))
                    .sum());
            Object ofBlock = kind.of(fill(2));
            world.reduceScatterBlock(kind.of(items(rank, 2 * size)), ofBlock, 2, MPI.INT, MPI.SUM);
            assertThat(Ints.in(ofBlock)).isEqualTo(block);
            Object blocks = kind.of(items(rank, 2 * size));
            world.reduceScatterBlock(blocks, 2, MPI.INT, MPI.SUM);
            assertThat(Ints.in(blocks)).startsWith(block);
        });
    }

    @Test
    void shouldScan() {
        Worlds.run(size, (world, rank) -> {
            int[] through = perRank(
                    3, i -> IntStream.rangeClosed(0, rank).map(r -> item(r, i)).sum());
            int[] before = perRank(
                    3, i -> IntStream.range(0, rank).map(r -> item(r, i)).sum());
            assertScan(world, kind, rank, through);

            Object result = kind.of(fill(3));
            world.exScan(kind.of(items(rank, 3)), result, 3, MPI.INT, MPI.SUM);
            assertThat(Ints.in(result)).isEqualTo(rank == 0 ? fill(3) : before);
            Object both = kind.of(items(rank, 3));
            world.exScan(both, 3, MPI.INT, MPI.SUM);
            assertThat(Ints.in(both)).isEqualTo(rank == 0 ? items(0, 3) : before);
        });
    }

    private static void assertScan(Intracomm world, Ints kind, int rank, int[] through) {
        Object result = kind.of(fill(3));
        world.scan(kind.of(items(rank, 3)), result, 3, MPI.INT, MPI.SUM);
        assertThat(Ints.in(result)).isEqualTo(through);
        Object both = kind.of(items(rank, 3));
        world.scan(both, 3, MPI.INT, MPI.SUM);
        assertThat(Ints.in(both)).isEqualTo(through);
    }

    @Test
    void shouldTakeNothingForGranted() {
        Worlds.run(size, (world, rank) -> {
            world.bcast(null, 0, MPI.DOUBLE, 0);
            world.allReduce(null, null, 0, MPI.DOUBLE, MPI.SUM);
            world.allGather(null, 0, MPI.INT, kind.of(), 0, MPI.INT);
            world.gatherv(null, 0, MPI.INT, null, new int[size], new int[size], MPI.INT, size - 1);
            world.barrier();
        });
    }

    @Test
    void shouldReduceLocally() {
        Worlds.run(1, (world, rank) -> {
            Object inout = kind.of(5, 6, 7);
            Intracomm.reduceLocal(kind.of(1, 2, 3), inout, 2, MPI.INT, MPI.SUM);
            assertThat(Ints.in(inout)).containsExactly(6, 8, 7);
        });
    }
}
