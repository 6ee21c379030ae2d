package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;
import mpi.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the non-blocking collectives, except alltoallw and those between neighbours, with counts from 0 to 70,000. All
 * of them are under way at once on one communicator, with blocking ones between: each must give the right result, and
 * leave the gaps between the parts of a vector as they were.
 */
class StartedCollectivesTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final int[] COUNTS = {0, 1, 5, 3000, 20_000};
    private static final int BLANK = -7;

    /** Where the program keeps its items. */
    enum Kind {
        DIRECT_INTS,
        HEAP_INTS,
        DIRECT_BYTES,
        HEAP_BYTES
    }

    /** The operations that one rank has under way, each with a check to run when it has completed. */
    private static final class Started {
        final int rank = WORLD.getRank();
        final int size = WORLD.getSize();
        final int count;
        private final Kind kind;
        private final List<Request> requests = new ArrayList<>();
        private final List<Runnable> checks = new ArrayList<>();

        Started(Kind kind, int count) {
            this.kind = kind;
            this.count = count;
        }

        Items items(int... values) {
            return new Items(kind, values);
        }

        void add(Request request, Items result, int[] expected) {
            requests.add(request);
            String name = "operation " + checks.size() + " of " + count + " items in " + kind;
            checks.add(() -> assertThat(result.get()).as(name).isEqualTo(expected));
        }

        void completeInAnyOrder(Random random) {
            Request[] all = requests.toArray(new Request[0]);
            List<Integer> order =
                    new ArrayList<>(IntStream.range(0, all.length).boxed().toList());
            Collections.shuffle(order, random);
            for (int index : order.subList(0, order.size() / 2)) {
                Status status = all[index].waitStatus();
                assertThat(status.getSource()).isEqualTo(MPI.ANY_SOURCE);
                assertThat(status.getTag()).isEqualTo(MPI.ANY_TAG);
                assertThat(status.getCount(MPI.BYTE)).isZero();
                assertThat(all[index].isNull()).isTrue();
                checks.get(index).run();
            }
            while (!Request.testAll(all)) {
                int index = Request.waitAny(all);
                if (index != MPI.UNDEFINED) {
                    checks.get(index).run();
                }
            }
            checks.forEach(Runnable::run);
        }
    }

    /** A number of ints in a buffer of one of the kinds; its position and limit do not matter to the calls. */
    private static final class Items {
        final java.nio.Buffer buffer;
        private final int count;

        Items(Kind kind, int[] values) {
            count = values.length;
            int bytes = 4 * count + 4;
            ByteBuffer raw = kind == Kind.DIRECT_BYTES ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
            raw.order(ByteOrder.nativeOrder());
            buffer = switch (kind) {
                case DIRECT_INTS -> MPI.newIntBuffer(count + 1).put(0, values);
                case HEAP_INTS -> IntBuffer.allocate(count + 1).put(0, values);
                default -> {
                    raw.asIntBuffer().put(values);
                    yield raw.order(ByteOrder.BIG_ENDIAN);
                }
            };
            buffer.position(1).limit(1);
        }

        int[] get() {
            int[] values = new int[count];
            if (buffer instanceof IntBuffer ints) {
                ints.clear().get(0, values);
            } else {
                ((ByteBuffer) buffer)
                        .clear()
                        .order(ByteOrder.nativeOrder())
                        .asIntBuffer()
                        .get(values);
            }
            return values;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8})
    void shouldGiveTheRightResultsWithAllOfThemUnderWay(int size) {
        survivorsSucceed(size, rank -> {
            for (int count : COUNTS) {
                all(Kind.DIRECT_INTS, count, new Random(31 * rank + count));
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldTakeBuffersOfAnyKindAtAnyPosition(Kind kind) {
        survivorsSucceed(3, rank -> {
            for (int count : new int[] {3, 70_000}) {
                all(kind, count, new Random(rank));
            }
        });
    }

    private static void all(Kind kind, int count, Random random) {
        Started started = new Started(kind, count);
        int root = started.size / 2;
        started.requests.add(WORLD.iBarrier());
        started.checks.add(() -> {});
        broadcast(started, root);
        gatherAndScatter(started, root);
        assertThat(allReduced(1)).isEqualTo(started.size);
        parts(started, root);
        everywhere(started);
        exchange(started);
        assertThat(allReduced(2)).isEqualTo(2 * started.size);
        reduce(started, root);
        reduceToParts(started);
        WORLD.barrier();
        prefixes(started);
        started.completeInAnyOrder(random);
    }

    private static int allReduced(int value) {
        int[] sum = {value};
        WORLD.allReduce(sum, 1, MPI.INT, MPI.SUM);
        return sum[0];
    }

    private static void broadcast(Started its, int root) {
        int[] data = part(root, its.count);
        Items items = its.items(its.rank == root ? data : new int[its.count]);
        its.add(WORLD.iBcast(items.buffer, its.count, MPI.INT, root), items, data);
    }

    private static void gatherAndScatter(Started its, int root) {
        int n = its.size;
        int count = its.count;
        boolean isRoot = its.rank == root;
        Items mine = its.items(part(its.rank, count));
        Items all = its.items(blank(n * count));
        its.add(
                WORLD.iGather(
                        mine.buffer, count, MPI.INT, isRoot ? all.buffer : null, isRoot ? count : -1, MPI.INT, root),
                all,
                isRoot ? parts(n, count) : blank(n * count));
        int[] ownInPlace = blank(n * count);
        System.arraycopy(part(its.rank, count), 0, ownInPlace, its.rank * count, count);
        Items inPlace = its.items(isRoot ? ownInPlace : part(its.rank, count));
        its.add(
                WORLD.iGather(inPlace.buffer, count, MPI.INT, root),
                inPlace,
                isRoot ? parts(n, count) : part(its.rank, count));

        Items source = its.items(parts(n, count));
        Items scattered = its.items(blank(count));
        its.add(
                WORLD.iScatter(
                        isRoot ? source.buffer : null,
                        isRoot ? count : -1,
                        MPI.INT,
                        scattered.buffer,
                        count,
                        MPI.INT,
                        root),
                scattered,
                part(its.rank, count));
        Items one = its.items(isRoot ? parts(n, count) : blank(count));
        its.add(
                WORLD.iScatter(one.buffer, count, MPI.INT, root),
                one,
                isRoot ? parts(n, count) : part(its.rank, count));
    }

    private static void parts(Started its, int root) {
        int n = its.size;
        boolean isRoot = its.rank == root;
        int[] counts =
                IntStream.range(0, n).map(r -> r % 3 == 1 ? 0 : its.count + r).toArray();
        int[] displs = gaps(counts);
        int[] expected = spread(counts, displs);
        int own = counts[its.rank];
        Items mine = its.items(part(its.rank, own));
        Items all = its.items(blank(expected.length));
        int[] countsOfCall = counts.clone();
        int[] displsOfCall = displs.clone();
        its.add(
                WORLD.iGatherv(
                        mine.buffer,
                        own,
                        MPI.INT,
                        isRoot ? all.buffer : null,
                        isRoot ? countsOfCall : null,
                        isRoot ? displsOfCall : null,
                        MPI.INT,
                        root),
                all,
                isRoot ? expected : blank(expected.length));
        // The program may change its arrays of counts and displacements as soon as the call returns.
        Arrays.fill(countsOfCall, -1);
        Arrays.fill(displsOfCall, -1);
        int[] ownInPlace = blank(expected.length);
        System.arraycopy(part(its.rank, own), 0, ownInPlace, displs[its.rank], own);
        Items inPlace = its.items(ownInPlace);
        its.add(
                isRoot
                        ? WORLD.iGatherv(inPlace.buffer, counts, displs, MPI.INT, root)
                        : WORLD.iGatherv(mine.buffer, own, MPI.INT, root),
                inPlace,
                isRoot ? expected : ownInPlace);

        Items source = its.items(expected);
        Items scattered = its.items(blank(own));
        its.add(
                WORLD.iScatterv(
                        isRoot ? source.buffer : null,
                        isRoot ? counts : null,
                        isRoot ? displs : null,
                        MPI.INT,
                        scattered.buffer,
                        own,
                        MPI.INT,
                        root),
                scattered,
                part(its.rank, own));
        Items one = its.items(blank(own));
        its.add(
                isRoot
                        ? WORLD.iScatterv(source.buffer, counts, displs, MPI.INT, root)
                        : WORLD.iScatterv(one.buffer, own, MPI.INT, root),
                one,
                isRoot ? blank(own) : part(its.rank, own));
    }

    private static void everywhere(Started its) {
        int n = its.size;
        int count = its.count;
        Items mine = its.items(part(its.rank, count));
        Items all = its.items(blank(n * count));
        its.add(WORLD.iAllGather(mine.buffer, count, MPI.INT, all.buffer, count, MPI.INT), all, parts(n, count));
        int[] own = blank(n * count);
        System.arraycopy(part(its.rank, count), 0, own, its.rank * count, count);
        Items inPlace = its.items(own);
        its.add(WORLD.iAllGather(inPlace.buffer, count, MPI.INT), inPlace, parts(n, count));

        int[] counts = IntStream.range(0, n).map(r -> (count + r) % 3001).toArray();
        int[] displs = gaps(counts);
        int[] expected = spread(counts, displs);
        int ownCount = counts[its.rank];
        Items part = its.items(part(its.rank, ownCount));
        Items spread = its.items(blank(expected.length));
        its.add(
                WORLD.iAllGatherv(part.buffer, ownCount, MPI.INT, spread.buffer, counts, displs, MPI.INT),
                spread,
                expected);
        int[] ownInPlace = blank(expected.length);
        System.arraycopy(part(its.rank, ownCount), 0, ownInPlace, displs[its.rank], ownCount);
        Items spreadInPlace = its.items(ownInPlace);
        its.add(WORLD.iAllGatherv(spreadInPlace.buffer, counts, displs, MPI.INT), spreadInPlace, expected);
    }

    private static void exchange(Started its) {
        int n = its.size;
        int count = its.count;
        int[] out = new int[n * count];
        int[] in = new int[n * count];
        int[] sendCounts = new int[n];
        int[] receiveCounts = new int[n];
        for (int other = 0; other < n; other++) {
            Arrays.fill(out, other * count, (other + 1) * count, 100 * its.rank + other);
            Arrays.fill(in, other * count, (other + 1) * count, 100 * other + its.rank);
            sendCounts[other] = (its.rank + 2 * other) % 3 * count;
            receiveCounts[other] = (other + 2 * its.rank) % 3 * count;
        }
        Items source = its.items(out);
        Items target = its.items(blank(n * count));
        its.add(WORLD.iAllToAll(source.buffer, count, MPI.INT, target.buffer, count, MPI.INT), target, in);

        int[] sendDispls = gaps(sendCounts);
        int[] receiveDispls = gaps(receiveCounts);
        int[] sent = blank(sendDispls[n - 1] + sendCounts[n - 1] + 1);
        int[] wanted = blank(receiveDispls[n - 1] + receiveCounts[n - 1] + 1);
        Items received = its.items(wanted);
        for (int other = 0; other < n; other++) {
            fill(sent, sendDispls[other], sendCounts[other], 100 * its.rank + other);
            fill(wanted, receiveDispls[other], receiveCounts[other], 100 * other + its.rank);
        }
        its.add(
                WORLD.iAllToAllv(
                        its.items(sent).buffer,
                        sendCounts,
                        sendDispls,
                        MPI.INT,
                        received.buffer,
                        receiveCounts,
                        receiveDispls,
                        MPI.INT),
                received,
                wanted);
    }

    private static void reduce(Started its, int root) {
        int n = its.size;
        int count = its.count;
        boolean isRoot = its.rank == root;
        int[] own = part(its.rank, count);
        int[] total = sums(n, count);
        Items mine = its.items(own);
        Items result = its.items(blank(count));
        its.add(
                WORLD.iReduce(mine.buffer, isRoot ? result.buffer : null, count, MPI.INT, MPI.SUM, root),
                result,
                isRoot ? total : blank(count));
        Items inPlace = its.items(own);
        its.add(WORLD.iReduce(inPlace.buffer, count, MPI.INT, MPI.SUM, root), inPlace, isRoot ? total : own);
        Items everywhere = its.items(blank(count));
        its.add(WORLD.iAllReduce(mine.buffer, everywhere.buffer, count, MPI.INT, MPI.SUM), everywhere, total);
        its.add(WORLD.iAllReduce(mine.buffer, its.items(own).buffer, count, MPI.INT, MPI.MAX), mine, own);
        Items allInPlace = its.items(own);
        its.add(WORLD.iAllReduce(allInPlace.buffer, count, MPI.INT, MPI.SUM), allInPlace, total);
    }

    private static void reduceToParts(Started its) {
        int n = its.size;
        int count = its.count;
        int[] own = part(its.rank, n * count);
        int[] block = Arrays.copyOfRange(sums(n, n * count), its.rank * count, (its.rank + 1) * count);
        Items mine = its.items(own);
        Items result = its.items(blank(count));
        its.add(WORLD.iReduceScatterBlock(mine.buffer, result.buffer, count, MPI.INT, MPI.SUM), result, block);
        Items inPlace = its.items(own);
        Request request = WORLD.iReduceScatterBlock(inPlace.buffer, count, MPI.INT, MPI.SUM);
        its.requests.add(request);
        its.checks.add(() -> assertThat(Arrays.copyOf(inPlace.get(), count)).isEqualTo(block));

        int[] counts = IntStream.range(0, n).map(r -> (count + r) % 1000).toArray();
        int start = Arrays.stream(counts).limit(its.rank).sum();
        int length = Arrays.stream(counts).sum();
        int ownCount = counts[its.rank];
        int[] expected = Arrays.copyOfRange(sums(n, length), start, start + ownCount);
        Items vector = its.items(part(its.rank, length));
        Items ownResult = its.items(blank(ownCount));
        its.add(WORLD.iReduceScatter(vector.buffer, ownResult.buffer, counts, MPI.INT, MPI.SUM), ownResult, expected);
        Items vectorInPlace = its.items(part(its.rank, length));
        its.requests.add(WORLD.iReduceScatter(vectorInPlace.buffer, counts, MPI.INT, MPI.SUM));
        its.checks.add(
                () -> assertThat(Arrays.copyOf(vectorInPlace.get(), ownCount)).isEqualTo(expected));
    }

    private static void prefixes(Started its) {
        int count = its.count;
        int[] own = part(its.rank, count);
        int[] upToOwn = sums(its.rank + 1, count);
        Items mine = its.items(own);
        Items prefix = its.items(blank(count));
        its.add(WORLD.iScan(mine.buffer, prefix.buffer, count, MPI.INT, MPI.SUM), prefix, upToOwn);
        Items prefixInPlace = its.items(own);
        its.add(WORLD.iScan(prefixInPlace.buffer, count, MPI.INT, MPI.SUM), prefixInPlace, upToOwn);
        Items before = its.items(blank(count));
        its.add(
                WORLD.iExScan(mine.buffer, before.buffer, count, MPI.INT, MPI.SUM),
                before,
                its.rank == 0 ? blank(count) : sums(its.rank, count));
        Items beforeInPlace = its.items(own);
        its.add(
                WORLD.iExScan(beforeInPlace.buffer, count, MPI.INT, MPI.SUM),
                beforeInPlace,
                its.rank == 0 ? own : sums(its.rank, count));
    }

    @Test
    void shouldNotEndABarrierBeforeAllHaveBegunIt() {
        survivorsSucceed(3, rank -> {
            Intracomm other = WORLD.dup();
            if (rank == 2) {
                other.recv(new int[1], 1, MPI.INT, 0, 0);
                other.recv(new int[1], 1, MPI.INT, 1, 0);
                WORLD.iBarrier().waitFor();
                return;
            }
            Request request = WORLD.iBarrier();
            for (int i = 0; i < 100; i++) {
                assertThat(request.test()).isFalse();
                assertThat(request.getStatus()).isNull();
            }
            other.send(new int[1], 1, MPI.INT, 2, 0);
            request.waitFor();
            assertThat(request.isNull()).isTrue();
        });
    }

    @Test
    void shouldSumTheSameBitsAsTheBlockingForm() {
        survivorsSucceed(7, rank -> {
            double[] data = new Random(rank).doubles(10_000, -1e9, 1e9).toArray();
            java.nio.DoubleBuffer started = MPI.newDoubleBuffer(data.length).put(0, data);
            Request request = WORLD.iAllReduce(started, data.length, MPI.DOUBLE, MPI.SUM);
            WORLD.allReduce(data, data.length, MPI.DOUBLE, MPI.SUM);
            request.waitFor();
            double[] result = new double[data.length];
            started.get(0, result);
            assertThat(result).isEqualTo(data);
        });
    }

    private static void fill(int[] data, int at, int count, int value) {
        Arrays.fill(data, at, at + count, value);
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
        Arrays.fill(data, BLANK);
        return data;
    }
}
