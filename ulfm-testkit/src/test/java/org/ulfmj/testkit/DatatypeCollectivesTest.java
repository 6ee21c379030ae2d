package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import mpi.Comm;
import mpi.Datatype;
import mpi.DoubleComplex;
import mpi.DoubleInt;
import mpi.FloatInt;
import mpi.Int2;
import mpi.Intracomm;
import mpi.LongInt;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.ShortInt;
import mpi.UserFunction;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocking collectives on derived datatypes, pairs and complex numbers. */
class DatatypeCollectivesTest {
    private static final int GAP = -7;

    /** Two ints and a gap of one: an item of 12 bytes with 8 in a message. */
    private static Datatype gapped() {
        Datatype type = Datatype.createResized(Datatype.createContiguous(2, MPI.INT), 0, 12);
        type.commit();
        return type;
    }

    private static int[] items(int count, IntUnaryOperator value) {
        int[] items = new int[3 * count];
        Arrays.setAll(items, i -> i % 3 == 2 ? GAP : value.applyAsInt(i));
        return items;
    }

    @ParameterizedTest(name = "{0} ranks, {1} items")
    @CsvSource({"1,2", "2,1", "2,9000", "3,5", "5,700", "8,3"})
    void shouldMoveItemsAndLeaveGaps(int size, int count) {
        Worlds.run(size, (world, rank) -> {
            Datatype type = gapped();
            for (int round = 0; round < 3; round++) { // ranks of a host share memory after the first calls
                moveItems(world, rank, size, count, type);
            }
        });
    }

    private static void moveItems(Intracomm world, int rank, int size, int count, Datatype type) {
        int root = size - 1;
        int[] mine = items(count, i -> 1000 * rank + i);
        int[] all = items(size * count, i -> 1000 * (i / (3 * count)) + i % (3 * count));
        int[] blank = items(count, i -> 0);

        int[] data = rank == root ? mine.clone() : blank.clone();
        world.bcast(data, count, type, root);
        assertThat(data).isEqualTo(items(count, i -> 1000 * root + i));

        int[] gathered = items(size * count, i -> 0);
        world.gather(mine, count, type, gathered, count, type, root);
        assertThat(gathered).isEqualTo(rank == root ? all : items(size * count, i -> 0));

        int[] scattered = blank.clone();
        world.scatter(all, count, type, scattered, count, type, root);
        assertThat(scattered).isEqualTo(mine);

        int[] everywhere = items(size * count, i -> 0);
        world.allGather(mine, count, type, everywhere, count, type);
        assertThat(everywhere).isEqualTo(all);
        System.arraycopy(mine, 0, everywhere, 3 * count * rank, 3 * count);
        world.allGather(everywhere, count, type);
        assertThat(everywhere).isEqualTo(all);

        int[] toEach = items(size * count, i -> 1000 * rank + i);
        int[] fromEach = items(size * count, i -> 0);
        world.allToAll(toEach, count, type, fromEach, count, type);
        assertThat(fromEach)
                .isEqualTo(items(size * count, i -> 1000 * (i / (3 * count)) + 3 * count * rank + i % (3 * count)));

        int[] dense = new int[size * 2 * count];
        world.allGather(mine, count, type, dense, 2 * count, MPI.INT);
        for (int i = 0; i < dense.length; i++) {
            int within = i % (2 * count);
            assertThat(dense[i]).isEqualTo(1000 * (i / (2 * count)) + within / 2 * 3 + within % 2);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    void shouldPlacePartsByTheExtent(int size) {
        Worlds.run(size, (world, rank) -> {
            Datatype type = gapped();
            int[] counts = new int[size];
            int[] displs = new int[size];
            Arrays.setAll(counts, i -> i + 1);
            Arrays.setAll(displs, i -> (size - 1 - i) * (size + 1));
            int items = size * (size + 1);
            int[] mine = items(rank + 1, i -> 100 * rank + i);
            int[] expected = items(items, i -> 0);
            for (int from = 0; from < size; from++) {
                int[] part = items(from + 1, partOf(from));
                System.arraycopy(part, 0, expected, 3 * displs[from], part.length);
            }
            int[] gathered = items(items, i -> 0);
            world.gatherv(mine, rank + 1, type, gathered, counts, displs, type, 0);
            assertThat(gathered).isEqualTo(rank == 0 ? expected : items(items, i -> 0));
            ByteBuffer direct = MPI.newByteBuffer(12 * items);
            direct.asIntBuffer().put(items(items, i -> 0));
            world.allGatherv(mine, rank + 1, type, direct, counts, displs, type);
            int[] got = new int[3 * items];
            direct.asIntBuffer().get(got);
            assertThat(got).isEqualTo(expected);
            int[] scattered = items(rank + 1, i -> 0);
            world.scatterv(expected, counts, displs, type, scattered, rank + 1, type, 0);
            assertThat(scattered).isEqualTo(mine);
            int[] ones = new int[size];
            Arrays.fill(ones, 1);
            int[] backwards = new int[size];
            Arrays.setAll(backwards, i -> size - 1 - i);
            int[] forwards = new int[size];
            Arrays.setAll(forwards, i -> i);
            int[] sent = items(size, i -> 100 * rank + i);
            int[] received = items(size, i -> 0);
            world.allToAllv(sent, ones, forwards, type, received, ones, backwards, type);
            for (int from = 0; from < size; from++) {
                assertThat(received[3 * (size - 1 - from) + 1]).isEqualTo(100 * from + 3 * rank + 1);
                assertThat(received[3 * from + 2]).isEqualTo(GAP);
            }
        });
    }

    private static IntUnaryOperator partOf(int rank) {
        return i -> 100 * rank + i;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldExchangeATypeForEachRank(int size) {
        Worlds.run(size, (world, rank) -> {
            Datatype type = gapped();
            int[] counts = new int[size];
            Arrays.fill(counts, 2);
            int[] bytes = new int[size];
            Arrays.setAll(bytes, i -> 24 * i);
            Datatype[] sent = new Datatype[size];
            Datatype[] received = new Datatype[size];
            int[] receivedCounts = new int[size];
            for (int other = 0; other < size; other++) {
                sent[other] = type;
                boolean packed = (rank + other) % 2 == 0;
                received[other] = packed ? MPI.INT : type;
                receivedCounts[other] = packed ? 4 : 2;
            }
            int[] out = items(2 * size, i -> 100 * rank + i);
            int[] in = new int[6 * size];
            Arrays.fill(in, GAP);
            world.allToAllw(out, counts, bytes, sent, in, receivedCounts, bytes, received);
            for (int from = 0; from < size; from++) {
                int first = 100 * from + 6 * rank;
                int[] part = Arrays.copyOfRange(in, 6 * from, 6 * from + 6);
                if ((rank + from) % 2 == 0) {
                    assertThat(part).containsExactly(first, first + 1, first + 3, first + 4, GAP, GAP);
                } else {
                    assertThat(part).containsExactly(first, first + 1, GAP, first + 3, first + 4, GAP);
                }
            }
            ByteBuffer unaligned = MPI.newByteBuffer(24 * size + 1);
            int[] shifted = Arrays.stream(bytes).map(at -> at + 1).toArray();
            world.allToAllw(out, counts, bytes, sent, unaligned, counts, shifted, sent);
            assertThat(unaligned.getInt(1 + 24 * (size - 1) + 12)).isEqualTo(100 * (size - 1) + 6 * rank + 3);
        });
    }

    @Test
    void shouldRefuseBadPartsOfAllToAllW() {
        Worlds.run(1, (world, rank) -> {
            int[] one = {1};
            int[] zero = {0};
            int[] ints = new int[2];
            Datatype[] types = {MPI.INT};
            refused(
                    () -> world.allToAllw(ints, one, zero, null, ints, one, zero, types),
                    MPI.ERR_TYPE,
                    "allToAllw",
                    "sendtypes is null");
            refused(
                    () -> world.allToAllw(ints, one, zero, types, ints, one, zero, new Datatype[1]),
                    MPI.ERR_TYPE,
                    "the type of recvbuf for rank 0 is null");
            refused(
                    () -> world.allToAllw(ints, new int[] {-1}, zero, types, ints, one, zero, types),
                    MPI.ERR_COUNT,
                    "sendcount[0] is -1");
            refused(
                    () -> world.allToAllw(ints, one, null, types, ints, one, zero, types),
                    MPI.ERR_ARG,
                    "sdispls is null");
            refused(
                    () -> world.allToAllw(ints, one, new int[] {6}, types, ints, one, zero, types),
                    MPI.ERR_TYPE,
                    "sdispls[0] is 6 bytes but sendbuf has elements of 4 bytes");
            refused(
                    () -> world.allToAllw(ints, one, zero, types, ints, one, new int[] {8}, types),
                    MPI.ERR_BUFFER,
                    "recvbuf holds 8 bytes but rdispls[0] is 8");
            refused(
                    () -> world.allToAllw(ints, one, zero, types, ints, new int[] {2}, zero, types),
                    MPI.ERR_COUNT,
                    "sendcount[0]",
                    "recvcount[0]",
                    "differ");
            refused(
                    () -> world.allToAllw(new long[1], one, zero, types, ints, one, zero, types),
                    MPI.ERR_BUFFER,
                    "sendbuf is a long[]");
        });
    }

    @ParameterizedTest(name = "{0} ranks, {1} pairs")
    @CsvSource({"1,1", "2,1", "3,2000", "4,3", "5,1000", "8,2"})
    void shouldFindTheSmallestAndTheLargestWithTheirIndices(int size, int count) {
        Worlds.run(size, (world, rank) -> {
            for (int round = 0; round < 2; round++) {
                ByteBuffer mine = MPI.newByteBuffer(16 * count);
                ByteBuffer result = MPI.newByteBuffer(16 * count);
                for (int i = 0; i < count; i++) {
                    DoubleInt.Data pair = MPI.doubleInt.getData(mine, i);
                    pair.putValue(value(rank, i));
                    pair.putIndex(100 - rank);
                }
                mine.putInt(12, 42);
                result.putInt(12, 43);
                world.allReduce(mine, result, count, MPI.DOUBLE_INT, MPI.MINLOC);
                requireBest(result, size, count, -1);
                assertThat(result.getInt(12)).as("a gap").isEqualTo(43);
                world.reduce(mine, result, count, MPI.DOUBLE_INT, MPI.MAXLOC, 0);
                if (rank == 0) {
                    requireBest(result, size, count, 1);
                }
                world.allReduce(mine, count, MPI.DOUBLE_INT, MPI.MAXLOC);
                requireBest(mine, size, count, 1);
            }
        });
    }

    /** Returns one of four values. Ranks of which one is four higher than the other contribute equal ones. */
    private static double value(int rank, int item) {
        return (rank * 7 + item) % 4 - 1.5;
    }

    private static void requireBest(ByteBuffer result, int size, int count, int sign) {
        for (int i = 0; i < count; i++) {
            double best = value(0, i);
            for (int rank = 1; rank < size; rank++) {
                best = sign * value(rank, i) > sign * best ? value(rank, i) : best;
            }
            int index = 0;
            for (int rank = 0; rank < size; rank++) {
                index = value(rank, i) == best ? 100 - rank : index;
            }
            DoubleInt.Data pair = MPI.doubleInt.getData(result, i);
            assertThat(pair.getValue()).isEqualTo(best);
            assertThat(pair.getIndex())
                    .as("the smallest index of those with the value")
                    .isEqualTo(index);
        }
    }

    @Test
    void shouldCompareEachKindOfPair() {
        Worlds.run(2, (world, rank) -> {
            ByteBuffer buffer = MPI.newByteBuffer(16);
            Int2.Data ints = MPI.int2.getData(buffer);
            ints.putValue(rank == 0 ? -1 : 5);
            ints.putIndex(rank);
            world.allReduce(buffer, 1, MPI.INT2, MPI.MINLOC);
            assertThat(ints.getValue() + 10 * ints.getIndex()).isEqualTo(-1);
            ShortInt.Data shorts = MPI.shortInt.getData(buffer);
            shorts.putValue((short) (rank == 0 ? -300 : 300));
            shorts.putIndex(rank);
            world.allReduce(buffer, 1, MPI.SHORT_INT, MPI.MAXLOC);
            assertThat(shorts.getValue() + shorts.getIndex()).isEqualTo(301);
            LongInt.Data longs = MPI.longInt.getData(buffer);
            longs.putValue(rank == 0 ? 1L << 40 : 7);
            longs.putIndex(rank);
            world.allReduce(buffer, 1, MPI.LONG_INT, MPI.MAXLOC);
            assertThat(longs.getValue() + longs.getIndex()).isEqualTo(1L << 40);
            FloatInt.Data floats = MPI.floatInt.getData(buffer);
            floats.putValue(rank == 0 ? 1.5f : 1.25f);
            floats.putIndex(rank);
            world.allReduce(buffer, 1, MPI.FLOAT_INT, MPI.MINLOC);
            assertThat(floats.getValue() + floats.getIndex()).isEqualTo(2.25f);
            byte[] array = new byte[16];
            DoubleInt.Data doubles = MPI.doubleInt.getData(array);
            doubles.putValue(2.5);
            doubles.putIndex(rank + 3);
            byte[] prefix = new byte[16];
            world.scan(array, prefix, 1, MPI.DOUBLE_INT, MPI.MINLOC);
            assertThat(MPI.doubleInt.<DoubleInt.Data>getData(prefix).getIndex()).isEqualTo(3);
            doubles.putValue(rank == 0 ? Double.NaN : 1);
            Comm.reduceLocal(prefix, array, 1, MPI.DOUBLE_INT, MPI.MINLOC);
            assertThat(doubles.getIndex()).isEqualTo(rank + 3);
        });
    }

    @ParameterizedTest(name = "{0} ranks, {1} numbers")
    @CsvSource({"1,1", "2,3", "3,3000", "4,1"})
    void shouldAddAndMultiplyComplexNumbers(int size, int count) {
        Worlds.run(size, (world, rank) -> {
            double[] numbers = new double[2 * count];
            for (int i = 0; i < count; i++) {
                DoubleComplex number = DoubleComplex.get(numbers, i);
                number.putReal(rank);
                number.putImag(1 + i % 3);
            }
            double[] sum = new double[2 * count];
            world.allReduce(numbers, sum, count, MPI.DOUBLE_COMPLEX, MPI.SUM);
            DoubleBuffer product = MPI.newDoubleBuffer(2 * count).put(numbers).clear();
            world.allReduce(product, count, MPI.DOUBLE_COMPLEX, MPI.PROD);
            float[] floats = new float[2 * count];
            Arrays.fill(floats, rank + 1);
            world.allReduce(floats, count, MPI.FLOAT_COMPLEX, MPI.PROD);
            double fr = 1;
            double fi = 1;
            for (int other = 1; other < size; other++) {
                double real = (other + 1) * (fr - fi);
                fi = (other + 1) * (fr + fi);
                fr = real;
            }
            for (int i = 0; i < count; i++) {
                assertThat(DoubleComplex.get(sum, i).getReal()).isEqualTo(size * (size - 1) / 2.0);
                assertThat(DoubleComplex.get(sum, i).getImag()).isEqualTo(size * (1.0 + i % 3));
                double real = 0;
                double imag = 1 + i % 3;
                for (int other = 1; other < size; other++) {
                    double next = real * other - imag * (1 + i % 3);
                    imag = real * (1 + i % 3) + imag * other;
                    real = next;
                }
                assertThat(DoubleComplex.get(product, i).getReal()).isEqualTo(real);
                assertThat(DoubleComplex.get(product, i).getImag()).isEqualTo(imag);
                assertThat(floats[2 * i]).isEqualTo((float) fr);
                assertThat(floats[2 * i + 1]).isEqualTo((float) fi);
            }
        });
    }

    @Test
    void shouldRefuseOperatorsOnOtherTypes() {
        Worlds.run(1, (world, rank) -> {
            ByteBuffer buffer = MPI.newByteBuffer(48);
            Datatype pairOfInts = Datatype.createContiguous(2, MPI.INT);
            pairOfInts.commit();
            refused(() -> world.allReduce(buffer, 1, pairOfInts, MPI.SUM), MPI.ERR_OP, "MPI.SUM", "2 times MPI.INT");
            refused(() -> world.allReduce(buffer, 1, gapped(), MPI.SUM), MPI.ERR_OP, "MPI.SUM");
            refused(() -> world.allReduce(buffer, 1, MPI.INT2, MPI.SUM), MPI.ERR_OP, "MPI.INT2", "MINLOC");
            refused(() -> world.allReduce(buffer, 1, MPI.INT, MPI.MINLOC), MPI.ERR_OP, "MPI.MINLOC");
            refused(() -> world.allReduce(buffer, 1, MPI.DOUBLE_COMPLEX, MPI.MAX), MPI.ERR_OP, "SUM", "PROD");
            refused(() -> world.allReduce(buffer, 1, MPI.PACKED, MPI.BOR), MPI.ERR_OP, "MPI.PACKED");
            for (Op op : new Op[] {MPI.REPLACE, MPI.NO_OP}) {
                refused(() -> world.allReduce(buffer, 1, MPI.INT, op), MPI.ERR_OP, op.toString());
                assertThat(op.isNull()).isFalse();
            }
            assertThat(MPI.MINLOC.isCommutative() && MPI.MAXLOC.isCommutative()).isTrue();
        });
    }

    /** Adds the two ints of each item, found by the extent, and writes into the gaps between the items. */
    private static final class AddInBuffers extends UserFunction {
        @Override
        public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype type) {
            int extent = type.getExtent() * Integer.BYTES;
            assertThat(inOut.remaining()).isEqualTo((count - 1) * extent + type.getTrueExtent() * Integer.BYTES);
            for (int i = 0; i < count; i++) {
                for (int at = i * extent; at < i * extent + 8; at += 4) {
                    inOut.putInt(at, in.getInt(at) + inOut.getInt(at));
                }
                if (i < count - 1) {
                    inOut.putInt(i * extent + 8, 99);
                }
            }
        }
    }

    private static final class AddInArrays extends UserFunction {
        @Override
        public void call(Object inVec, Object inOutVec, int count, Datatype type) {
            int[] in = (int[]) inVec;
            int[] inOut = (int[]) inOutVec;
            int extent = type.getExtent();
            assertThat(inOut).hasSize((count - 1) * extent + type.getTrueExtent());
            for (int i = 0; i < count; i++) {
                inOut[i * extent] += in[i * extent];
                inOut[i * extent + 1] += in[i * extent + 1];
            }
        }
    }

    @ParameterizedTest(name = "{0} ranks, {1} items")
    @CsvSource({"1,1", "2,1", "3,30000", "4,3", "5,100"})
    void shouldShowFunctionsTheLayoutByTheExtent(int size, int count) {
        Worlds.run(size, (world, rank) -> {
            for (UserFunction function : new UserFunction[] {new AddInBuffers(), new AddInArrays()}) {
                Op op = new Op(function, true);
                Datatype type = gapped();
                int[] sums = items(count, i -> size * i + size * (size - 1) / 2);
                int[] mine = items(count, i -> i + rank);
                int[] result = items(count, i -> 0);
                world.allReduce(mine, result, count, type, op);
                assertThat(result).isEqualTo(sums);
                result = items(count, i -> 0);
                world.reduce(mine, result, count, type, op, size - 1);
                assertThat(result).isEqualTo(rank == size - 1 ? sums : items(count, i -> 0));
                result = items(count, i -> 0);
                world.scan(mine, result, count, type, op);
                assertThat(result).isEqualTo(items(count, i -> (rank + 1) * i + rank * (rank + 1) / 2));
                int[] each = items(size * count, i -> i);
                int[] part = items(count, i -> 0);
                world.reduceScatterBlock(each, part, count, type, op);
                assertThat(part).isEqualTo(items(count, i -> size * (i + 3 * count * rank)));
                // The type has a gap in front of its block. The buffer that the function gets must begin with the
                // block.
                Datatype late = Datatype.createIndexed(new int[] {2}, new int[] {1}, MPI.INT);
                Datatype moved = Datatype.createResized(late, 0, 12);
                moved.commit();
                int[] behind = {5, 1, 2, 5, 3, 4};
                Comm.reduceLocal(new int[] {0, 10, 20, 0, 30, 40}, behind, 2, moved, op);
                assertThat(behind).containsExactly(5, 11, 22, 5, 33, 44);
            }
        });
    }

    @Test
    void shouldGiveFunctionsItemsThatLieBeforeEachOther() {
        Worlds.run(1, (world, rank) -> {
            Datatype last = Datatype.createIndexed(new int[] {2}, new int[] {6}, MPI.INT);
            Datatype backwards = Datatype.createResized(last, 0, -12);
            backwards.commit();
            for (UserFunction function : new UserFunction[] {new AddInBuffers(), new AddInArrays()}) {
                int[] sums = {1, 2, GAP, 3, 4, GAP, 5, 6};
                Op op = new Op(function, true);
                Comm.reduceLocal(new int[] {10, 20, 0, 30, 40, 0, 50, 60}, sums, 3, backwards, op);
                assertThat(sums).containsExactly(11, 22, GAP, 33, 44, GAP, 55, 66);
            }
        });
    }

    private static void refused(ThrowingCallable call, int errorClass, String... texts) {
        MPIException thrown = catchThrowableOfType(MPIException.class, call);
        assertThat(thrown).as("%s", String.join(", ", texts)).isNotNull().hasMessageContainingAll(texts);
        assertThat(thrown.getErrorClass()).as(thrown.getMessage()).isEqualTo(errorClass);
    }
}
