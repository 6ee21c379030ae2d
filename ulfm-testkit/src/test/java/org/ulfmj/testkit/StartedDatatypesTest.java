package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ulfmj.testkit.Programs.ints;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests non-blocking collectives with datatypes that have gaps, with pairs (value and index), and with a list of
 * datatypes, one per partner; and that iAllToAllw refuses bad arguments.
 */
class StartedDatatypesTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final int GAP = -3;

    /** Returns a datatype of two ints whose extent is three ints, so that each item is followed by a gap. */
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

    private static void requireItems(IntBuffer actual, int... expected) {
        int[] found = new int[expected.length];
        actual.get(0, found);
        assertThat(found).isEqualTo(expected);
    }

    /** The longest vectors are unpacked in several pieces. */
    @ParameterizedTest
    @CsvSource({"1, 2", "2, 1", "3, 5", "2, 50000"})
    void shouldMoveItemsAndLeaveTheGapsAlone(int size, int count) {
        survivorsSucceed(size, rank -> {
            Datatype type = gapped();
            int[] mine = items(count, i -> 1000 * rank + i);
            int[] all = items(size * count, i -> 1000 * (i / (3 * count)) + i % (3 * count));
            int root = size - 1;
            IntBuffer data = ints(rank == root ? mine : items(count, i -> 0));
            IntBuffer gathered = ints(items(size * count, i -> 0));
            IntBuffer scattered = ints(items(count, i -> 0));
            IntBuffer packed = MPI.newIntBuffer(size * 2 * count);
            int[] counts = new int[size];
            int[] displs = new int[size];
            Arrays.fill(counts, count);
            Arrays.setAll(displs, i -> (size - 1 - i) * (count + 1));
            int[] backwards = items(size * (count + 1), i -> 0);
            IntBuffer parts = ints(backwards);
            for (int from = 0; from < size; from++) {
                System.arraycopy(all, 3 * count * from, backwards, 3 * displs[from], 3 * count);
            }
            Request[] requests = {
                WORLD.iBcast(data, count, type, root),
                WORLD.iAllGather(ints(mine), count, type, gathered, count, type),
                WORLD.iScatter(ints(all), count, type, scattered, count, type, root),
                WORLD.iAllGather(ints(mine), count, type, packed, 2 * count, MPI.INT),
                WORLD.iAllGatherv(ints(mine), count, type, parts, counts, displs, type)
            };
            type.free();
            Request.waitAll(requests);
            requireItems(data, items(count, i -> 1000 * root + i));
            requireItems(gathered, all);
            requireItems(scattered, mine);
            requireItems(parts, backwards);
            for (int i = 0; i < packed.capacity(); i++) {
                int within = i % (2 * count);
                assertThat(packed.get(i)).isEqualTo(1000 * (i / (2 * count)) + within / 2 * 3 + within % 2);
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"1, 3", "3, 2", "2, 40000"})
    void shouldCombinePairs(int size, int count) {
        survivorsSucceed(size, rank -> {
            ByteBuffer data = MPI.newByteBuffer(8 * count);
            ByteBuffer scanned = ByteBuffer.allocate(8 * count).order(ByteOrder.nativeOrder());
            for (int i = 0; i < count; i++) {
                data.putInt(8 * i, rank + i).putInt(8 * i + 4, rank);
            }
            Request scan = WORLD.iScan(data, scanned, count, MPI.INT2, MPI.MINLOC);
            scan.waitFor();
            WORLD.iAllReduce(data, count, MPI.INT2, MPI.MAXLOC).waitFor();
            for (int i = 0; i < count; i++) {
                assertThat(data.getInt(8 * i)).isEqualTo(size - 1 + i);
                assertThat(data.getInt(8 * i + 4)).isEqualTo(size - 1);
                assertThat(scanned.getInt(8 * i)).isEqualTo(i);
                assertThat(scanned.getInt(8 * i + 4)).isZero();
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "2, 2", "4, 2", "2, 60000"})
    void shouldExchangeATypeForEachRank(int size, int count) {
        survivorsSucceed(size, rank -> {
            Datatype type = gapped();
            int[] counts = new int[size];
            Arrays.fill(counts, count);
            int[] bytes = new int[size];
            Arrays.setAll(bytes, i -> 12 * count * i);
            Datatype[] sent = new Datatype[size];
            Datatype[] received = new Datatype[size];
            int[] receivedCounts = new int[size];
            for (int other = 0; other < size; other++) {
                sent[other] = type;
                boolean isPacked = (rank + other) % 2 == 0;
                received[other] = isPacked ? MPI.INT : type;
                receivedCounts[other] = isPacked ? 2 * count : count;
            }
            int[] blank = new int[3 * count * size];
            Arrays.fill(blank, GAP);
            IntBuffer in = ints(blank);
            IntBuffer out = ints(items(count * size, i -> 100 * rank + i));
            Request request = WORLD.iAllToAllw(out, counts, bytes, sent, in, receivedCounts, bytes.clone(), received);
            Arrays.fill(received, null);
            Arrays.fill(counts, -1);
            request.waitFor();
            for (int from = 0; from < size; from++) {
                for (int i = 0; i < 3 * count; i++) {
                    boolean isPacked = (rank + from) % 2 == 0;
                    int item = isPacked ? i / 2 : i / 3;
                    boolean isGap = isPacked ? i >= 2 * count : i % 3 == 2;
                    int at = 3 * count * rank + 3 * item + (isPacked ? i % 2 : i % 3);
                    assertThat(in.get(3 * count * from + i)).isEqualTo(isGap ? GAP : 100 * from + at);
                }
            }
        });
    }

    @Test
    void shouldRefuseBadPartsAtOnce() {
        survivorsSucceed(1, rank -> {
            IntBuffer data = ints(1, 2);
            int[] one = {1};
            int[] zero = {0};
            Datatype[] types = {MPI.INT};
            assertThat(raises(MPI.ERR_TYPE, () -> WORLD.iAllToAllw(data, one, zero, null, data, one, zero, types))
                            .getMessage())
                    .contains("iAllToAllw on COMM_WORLD", "sendtypes is null");
            assertThat(raises(MPI.ERR_COUNT, () -> WORLD.iAllToAllw(data, null, zero, types, data, one, zero, types))
                            .getMessage())
                    .contains("sendcount is null");
            assertThat(raises(
                                    MPI.ERR_BUFFER,
                                    () -> WORLD.iAllToAllw(data, one, zero, types, data, one, new int[] {8}, types))
                            .getMessage())
                    .contains("recvbuf holds 8 bytes but rdispls[0] is 8");
            assertThatThrownBy(() -> WORLD.iAllToAllw(MPI.newLongBuffer(1), one, zero, types, data, one, zero, types))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("iAllToAllw: sendbuf is a ");
            assertThatThrownBy(
                            () -> WORLD.iAllToAllw(data, one, zero, types, data.asReadOnlyBuffer(), one, zero, types))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("iAllToAllw: recvbuf is a read-only buffer; allowed: a writable one");
        });
    }
}
