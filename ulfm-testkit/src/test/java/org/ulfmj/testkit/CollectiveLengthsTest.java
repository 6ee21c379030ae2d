package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import mpi.Intracomm;
import mpi.MPI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Makes blocking collective calls with no, few and many elements. Some calls receive parts of different lengths,
 * between which elements lie that must stay as they are.
 */
class CollectiveLengthsTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final int[] COUNTS = {0, 1, 5, 3000, 20_000};

    /** The body of a rank that runs with a given count. */
    private interface Part {
        void run(int rank, int size, int count);
    }

    private static void withEveryCount(int size, Part part) {
        survivorsSucceed(size, rank -> {
            for (int count : COUNTS) {
                part.run(rank, size, count);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5, 8})
    void shouldBroadcast(int size) {
        withEveryCount(size, (rank, n, count) -> {
            for (int root = 0; root < n; root++) {
                int[] data = rank == root ? part(root, count) : new int[count];
                WORLD.bcast(data, count, MPI.INT, root);
                assertThat(data).isEqualTo(part(root, count));
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5, 8})
    void shouldGatherAndScatterEqualParts(int size) {
        withEveryCount(size, (rank, n, count) -> {
            int root = n / 2;
            int[] all = new int[n * count];
            WORLD.gather(part(rank, count), count, MPI.INT, rank == root ? all : null, count, MPI.INT, root);
            if (rank == root) {
                assertThat(all).isEqualTo(parts(n, count));
            }
            int[] inPlace = rank == root ? new int[n * count] : part(rank, count);
            if (rank == root) {
                System.arraycopy(part(rank, count), 0, inPlace, rank * count, count);
            }
            WORLD.gather(inPlace, count, MPI.INT, root);
            assertThat(inPlace).isEqualTo(rank == root ? parts(n, count) : part(rank, count));

            int[] mine = new int[count];
            WORLD.scatter(rank == root ? all : null, count, MPI.INT, mine, count, MPI.INT, root);
            assertThat(mine).isEqualTo(part(rank, count));
            int[] scattered = rank == root ? parts(n, count) : new int[count];
            WORLD.scatter(scattered, count, MPI.INT, root);
            assertThat(scattered).isEqualTo(rank == root ? parts(n, count) : part(rank, count));
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5, 8})
    void shouldGatherAndScatterPartsOfAnyLengthAndLeaveGapsAlone(int size) {
        withEveryCount(size, (rank, n, count) -> {
            int root = n - 1;
            int[] counts =
                    IntStream.range(0, n).map(r -> r % 3 == 1 ? 0 : count + r).toArray();
            int[] displs = gaps(counts);
            int[] expected = spread(counts, displs);

            int[] all = blank(expected.length);
            WORLD.gatherv(
                    part(rank, counts[rank]),
                    counts[rank],
                    MPI.INT,
                    rank == root ? all : null,
                    counts,
                    displs,
                    MPI.INT,
                    root);
            assertThat(all).isEqualTo(rank == root ? expected : blank(expected.length));

            if (rank == root) {
                int[] inPlace = blank(expected.length);
                System.arraycopy(part(rank, counts[rank]), 0, inPlace, displs[rank], counts[rank]);
                WORLD.gatherv(inPlace, counts, displs, MPI.INT, root);
                assertThat(inPlace).isEqualTo(expected);
            } else {
                WORLD.gatherv(part(rank, counts[rank]), counts[rank], MPI.INT, root);
            }

            int[] mine = new int[counts[rank]];
            WORLD.scatterv(rank == root ? expected : null, counts, displs, MPI.INT, mine, counts[rank], MPI.INT, root);
            assertThat(mine).isEqualTo(part(rank, counts[rank]));

            if (rank == root) {
                WORLD.scatterv(expected, counts, displs, MPI.INT, root);
            } else {
                int[] scattered = new int[counts[rank]];
                WORLD.scatterv(scattered, counts[rank], MPI.INT, root);
                assertThat(scattered).isEqualTo(part(rank, counts[rank]));
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5, 8})
    void shouldGatherEverywhere(int size) {
        withEveryCount(size, (rank, n, count) -> {
            int[] all = new int[n * count];
            WORLD.allGather(part(rank, count), count, MPI.INT, all, count, MPI.INT);
            assertThat(all).isEqualTo(parts(n, count));
            int[] inPlace = new int[n * count];
            System.arraycopy(part(rank, count), 0, inPlace, rank * count, count);
            WORLD.allGather(inPlace, count, MPI.INT);
            assertThat(inPlace).isEqualTo(parts(n, count));

            int[] counts = IntStream.range(0, n).map(r -> (count + r) % 7).toArray();
            int[] displs = gaps(counts);
            int[] expected = spread(counts, displs);
            int[] spread = blank(expected.length);
            WORLD.allGatherv(part(rank, counts[rank]), counts[rank], MPI.INT, spread, counts, displs, MPI.INT);
            assertThat(spread).isEqualTo(expected);
            int[] spreadInPlace = blank(expected.length);
            System.arraycopy(part(rank, counts[rank]), 0, spreadInPlace, displs[rank], counts[rank]);
            WORLD.allGatherv(spreadInPlace, counts, displs, MPI.INT);
            assertThat(spreadInPlace).isEqualTo(expected);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5, 8})
    void shouldExchangeBetweenAll(int size) {
        withEveryCount(size, (rank, n, count) -> {
            int[] out = new int[n * count];
            int[] expected = new int[n * count];
            for (int other = 0; other < n; other++) {
                Arrays.fill(out, other * count, (other + 1) * count, 100 * rank + other);
                Arrays.fill(expected, other * count, (other + 1) * count, 100 * other + rank);
            }
            int[] in = new int[n * count];
            WORLD.allToAll(out, count, MPI.INT, in, count, MPI.INT);
            assertThat(in).isEqualTo(expected);

            int[] sendCounts =
                    IntStream.range(0, n).map(to -> (rank + 2 * to) % 3 * count).toArray();
            int[] receiveCounts = IntStream.range(0, n)
                    .map(from -> (from + 2 * rank) % 3 * count)
                    .toArray();
            int[] sendDispls = gaps(sendCounts);
            int[] receiveDispls = gaps(receiveCounts);
            int[] source = blank(sendDispls[n - 1] + sendCounts[n - 1]);
            int[] target = blank(receiveDispls[n - 1] + receiveCounts[n - 1]);
            int[] wanted = target.clone();
            for (int other = 0; other < n; other++) {
                Arrays.fill(source, sendDispls[other], sendDispls[other] + sendCounts[other], 100 * rank + other);
                Arrays.fill(
                        wanted, receiveDispls[other], receiveDispls[other] + receiveCounts[other], 100 * other + rank);
            }
            WORLD.allToAllv(source, sendCounts, sendDispls, MPI.INT, target, receiveCounts, receiveDispls, MPI.INT);
            assertThat(target).isEqualTo(wanted);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5, 8})
    void shouldReduceInEveryForm(int size) {
        withEveryCount(size, (rank, n, count) -> {
            int root = n / 2;
            int[] total = sums(n, count);

            int[] result = new int[count];
            WORLD.reduce(part(rank, count), rank == root ? result : null, count, MPI.INT, MPI.SUM, root);
            assertThat(result).isEqualTo(rank == root ? total : new int[count]);
            int[] inPlace = part(rank, count);
            WORLD.reduce(inPlace, count, MPI.INT, MPI.SUM, root);
            assertThat(inPlace).isEqualTo(rank == root ? total : part(rank, count));

            int[] everywhere = new int[count];
            WORLD.allReduce(part(rank, count), everywhere, count, MPI.INT, MPI.SUM);
            assertThat(everywhere).isEqualTo(total);
            int[] allInPlace = part(rank, count);
            WORLD.allReduce(allInPlace, count, MPI.INT, MPI.SUM);
            assertThat(allInPlace).isEqualTo(total);

            int[] prefix = new int[count];
            WORLD.scan(part(rank, count), prefix, count, MPI.INT, MPI.SUM);
            assertThat(prefix).isEqualTo(sums(rank + 1, count));
            int[] prefixInPlace = part(rank, count);
            WORLD.scan(prefixInPlace, count, MPI.INT, MPI.SUM);
            assertThat(prefixInPlace).isEqualTo(sums(rank + 1, count));

            int[] before = blank(count);
            WORLD.exScan(part(rank, count), before, count, MPI.INT, MPI.SUM);
            assertThat(before).isEqualTo(rank == 0 ? blank(count) : sums(rank, count));
            int[] beforeInPlace = part(rank, count);
            WORLD.exScan(beforeInPlace, count, MPI.INT, MPI.SUM);
            assertThat(beforeInPlace).isEqualTo(rank == 0 ? part(0, count) : sums(rank, count));
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5, 8})
    void shouldReduceAndScatterInEveryForm(int size) {
        withEveryCount(size, (rank, n, count) -> {
            int[] total = sums(n, n * count);
            int[] block = new int[count];
            WORLD.reduceScatterBlock(part(rank, n * count), block, count, MPI.INT, MPI.SUM);
            assertThat(block).isEqualTo(Arrays.copyOfRange(total, rank * count, (rank + 1) * count));
            int[] blockInPlace = part(rank, n * count);
            WORLD.reduceScatterBlock(blockInPlace, count, MPI.INT, MPI.SUM);
            assertThat(Arrays.copyOf(blockInPlace, count))
                    .isEqualTo(Arrays.copyOfRange(total, rank * count, (rank + 1) * count));

            int[] counts = IntStream.range(0, n).map(r -> (count + r) % 1000).toArray();
            int[] starts = new int[n];
            for (int r = 1; r < n; r++) {
                starts[r] = starts[r - 1] + counts[r - 1];
            }
            int length = starts[n - 1] + counts[n - 1];
            int[] expected = Arrays.copyOfRange(sums(n, length), starts[rank], starts[rank] + counts[rank]);
            int[] own = new int[counts[rank]];
            WORLD.reduceScatter(part(rank, length), own, counts, MPI.INT, MPI.SUM);
            assertThat(own).isEqualTo(expected);
            int[] ownInPlace = part(rank, length);
            WORLD.reduceScatter(ownInPlace, counts, MPI.INT, MPI.SUM);
            assertThat(Arrays.copyOf(ownInPlace, counts[rank])).isEqualTo(expected);
        });
    }

    @Test
    void shouldGiveTheSameBitsAtEveryRankAndInEveryRun() {
        AtomicReference<double[]> first = new AtomicReference<>();
        for (int run = 0; run < 5; run++) {
            survivorsSucceed(7, rank -> {
                double[] data = new Random(rank).doubles(10_000, -1e9, 1e9).toArray();
                WORLD.allReduce(data, data.length, MPI.DOUBLE, MPI.SUM);
                first.compareAndSet(null, data);
                assertThat(data).isEqualTo(first.get());
            });
        }
    }

    @Test
    void shouldSayThatRanksCalledWithDifferentCounts() {
        survivorsSucceed(2, rank -> {
            if (rank == 1) {
                raises(MPI.ERR_TRUNCATE, () -> WORLD.bcast(new int[2], 2, MPI.INT, 0));
            } else {
                WORLD.bcast(new int[3], 3, MPI.INT, 0);
            }
        });
    }

    private static int[] part(int rank, int count) {
        return IntStream.range(0, count).map(i -> 10_007 * rank + i + 1).toArray();
    }

    private static int[] parts(int size, int count) {
        return IntStream.range(0, size * count)
                .map(i -> 10_007 * (i / count) + i % count + 1)
                .toArray();
    }

    private static int[] sums(int ranks, int count) {
        return IntStream.range(0, count)
                .map(i -> 10_007 * ranks * (ranks - 1) / 2 + ranks * (i + 1))
                .toArray();
    }

    /** Returns displacements that leave one element free before each part. */
    private static int[] gaps(int[] counts) {
        int[] displs = new int[counts.length];
        int end = 0;
        for (int rank = 0; rank < counts.length; rank++) {
            displs[rank] = end + 1;
            end += 1 + counts[rank];
        }
        return displs;
    }

    private static int[] spread(int[] counts, int[] displs) {
        int last = counts.length - 1;
        int[] data = blank(displs[last] + counts[last] + 1);
        for (int rank = 0; rank <= last; rank++) {
            System.arraycopy(part(rank, counts[rank]), 0, data, displs[rank], counts[rank]);
        }
        return data;
    }

    private static int[] blank(int length) {
        int[] data = new int[length];
        Arrays.fill(data, -7);
        return data;
    }
}
