package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;
import mpi.Struct;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests derived datatypes in messages: blocks arrive in their places, and gaps stay as they were. Also tests packing,
 * and the errors for types that do not fit.
 */
class DatatypeMessagesTest {
    private static final int GAP = -7;

    /** Every other int. */
    private static Datatype everyOther(int count) {
        Datatype type = Datatype.createVector(count, 1, 2, MPI.INT);
        type.commit();
        return type;
    }

    private static int[] numbered(int length) {
        int[] numbers = new int[length];
        Arrays.setAll(numbers, i -> i);
        return numbers;
    }

    private static int[] gaps(int length) {
        int[] gaps = new int[length];
        Arrays.fill(gaps, GAP);
        return gaps;
    }

    /** Returns {@link #gaps} with elements 0, 2, 4 and so on replaced by those of {@link #numbered}. */
    private static int[] everyOtherOf(int length) {
        int[] expected = gaps(length);
        for (int i = 0; i < length; i += 2) {
            expected[i] = i;
        }
        return expected;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 100, 20_001, 300_000})
    void shouldArriveInPlaceByEveryBlockingMode(int count) {
        Worlds.run(2, (world, rank) -> {
            Datatype type = everyOther(count);
            int length = 2 * count - 1;
            if (rank == 0) {
                int[] numbers = numbered(length);
                world.send(numbers, 1, type, 1, 1);
                world.sSend(IntBuffer.wrap(numbers), 1, type, 1, 2);
                ByteBuffer bytes = MPI.newByteBuffer(length * Integer.BYTES);
                bytes.asIntBuffer().put(numbers);
                world.send(bytes, 1, type, 1, 3);
                world.recv(new int[0], 0, MPI.INT, 1, 9);
                world.rSend(bytes, 1, type, 1, 4);
            } else {
                int[] into = gaps(length);
                Status status = world.recv(into, 1, type, 0, 1);
                assertThat(into).isEqualTo(everyOtherOf(length));
                assertThat(status.getCount(type)).isEqualTo(1);
                assertThat(status.getCount(MPI.INT)).isEqualTo(count);
                assertThat(status.getElements(type)).isEqualTo(count);
                IntBuffer direct = MPI.newIntBuffer(length).put(gaps(length)).clear();
                world.recv(direct, 1, type, 0, 2);
                int[] got = new int[length];
                direct.get(0, got);
                assertThat(got).isEqualTo(everyOtherOf(length));
                ByteBuffer bytes = MPI.newByteBuffer(length * Integer.BYTES);
                bytes.asIntBuffer().put(gaps(length));
                assertThat(world.probe(0, 3).getCount(type)).isEqualTo(1);
                world.recv(bytes, 1, type, 0, 3);
                bytes.asIntBuffer().get(got);
                assertThat(got).isEqualTo(everyOtherOf(length));
                int[] dense = new int[count];
                Request dense4 = world.iRecv(IntBuffer.wrap(dense), count, MPI.INT, 0, 4);
                world.send(new int[0], 0, MPI.INT, 0, 9);
                dense4.waitFor();
                assertThat(dense)
                        .isEqualTo(
                                Arrays.stream(numbered(count)).map(i -> 2 * i).toArray());
            }
            type.free();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 700, 150_000})
    void shouldArriveInPlaceByRequests(int count) {
        Worlds.run(2, (world, rank) -> {
            Datatype type = everyOther(count);
            int length = 2 * count - 1;
            Request[] requests = new Request[4];
            IntBuffer[] buffers = new IntBuffer[4];
            for (int i = 0; i < 4; i++) {
                int[] content = rank == 0 ? numbered(length) : gaps(length);
                buffers[i] = i % 2 == 0
                        ? IntBuffer.wrap(content)
                        : MPI.newIntBuffer(length).put(content).clear();
                if (rank == 1) {
                    requests[i] = world.iRecv(buffers[i], 1, type, 0, i);
                }
            }
            world.barrier();
            if (rank == 0) {
                requests[0] = world.iSend(buffers[0], 1, type, 1, 0);
                requests[1] = world.isSend(buffers[1], 1, type, 1, 1);
                requests[2] = world.irSend(buffers[2], 1, type, 1, 2);
                requests[3] = world.iSend(buffers[3], 1, type, 1, 3);
            }
            type.free(); // the operations keep it
            Arrays.stream(buffers).forEach(buffer -> buffer.position(1)); // the program may
            Status[] statuses = Request.waitAllStatus(requests);
            Datatype again = everyOther(count);
            for (int i = 0; i < 4 && rank == 1; i++) {
                int[] got = new int[length];
                buffers[i].get(0, got);
                assertThat(got).isEqualTo(everyOtherOf(length));
                assertThat(statuses[i].getCount(again)).isEqualTo(1);
            }
        });
    }

    @Test
    void shouldBeSentAgainAndAgain() {
        Worlds.run(2, (world, rank) -> {
            int count = 40;
            int length = 2 * count - 1;
            Datatype type = everyOther(count);
            IntBuffer buffer = MPI.newIntBuffer(length).put(gaps(length)).clear();
            Prequest request =
                    rank == 0 ? world.sendInit(buffer, 1, type, 1, 0) : world.recvInit(buffer, 1, type, 0, 0);
            type.free();
            for (int round = 0; round < 5; round++) {
                for (int i = 0; rank == 0 && i < length; i++) {
                    buffer.put(i, round + i);
                }
                request.start();
                request.waitFor();
                for (int i = 0; rank == 1 && i < length; i++) {
                    assertThat(buffer.get(i)).isEqualTo(i % 2 == 0 ? round + i : GAP);
                }
            }
            request.free();
        });
    }

    @Test
    void shouldExchangeInBothDirections() {
        Worlds.run(2, (world, rank) -> {
            Datatype type = everyOther(1000);
            int[] numbers = numbered(1999);
            int[] into = gaps(1999);
            world.sendRecv(numbers, 1, type, 1 - rank, 1, into, 1, type, 1 - rank, 1);
            assertThat(into).isEqualTo(everyOtherOf(1999));
            int[] both = new int[1999];
            Arrays.setAll(both, i -> i % 2 == 0 ? 100 * rank : GAP);
            world.sendRecvReplace(both, 1, type, 1 - rank, 2, 1 - rank, 2);
            for (int i = 0; i < both.length; i++) {
                assertThat(both[i]).isEqualTo(i % 2 == 0 ? 100 * (1 - rank) : GAP);
            }
            int[] own = gaps(1999);
            Request toMyself = world.iSend(IntBuffer.wrap(numbers), 1, type, rank, 3);
            world.recv(own, 1, type, rank, 3);
            toMyself.waitFor();
            assertThat(own).isEqualTo(everyOtherOf(1999));
        });
    }

    @Test
    void shouldTakeTheWayOfTheirBaseWhereThereIsNoGap() {
        Worlds.run(2, (world, rank) -> {
            Datatype triple = Datatype.createContiguous(3, MPI.INT);
            triple.commit();
            if (rank == 0) {
                world.send(numbered(30), 10, triple, 1, 0);
                world.iSend(MPI.newIntBuffer(30).put(numbered(30)).clear(), 10, triple, 1, 1)
                        .waitFor();
            } else {
                int[] got = new int[31];
                assertThat(world.recv(got, 10, triple, 0, 0).getCount(triple)).isEqualTo(10);
                assertThat(got).startsWith(numbered(30)).endsWith(0);
                ByteBuffer bytes = MPI.newByteBuffer(120);
                world.recv(bytes, 10, triple, 0, 1);
                assertThat(bytes.getInt(116)).isEqualTo(29);
            }
            int[] two = {rank, rank, rank, 7, 7, 7};
            int[] all = new int[2 * 6];
            world.allGather(two, 2, triple, all, 2, triple);
            assertThat(all).containsExactly(0, 0, 0, 7, 7, 7, 1, 1, 1, 7, 7, 7);
            int[] row = {5 + rank, 6, 7};
            int[] placed = new int[12];
            world.allGatherv(row, 1, triple, placed, new int[] {1, 1}, new int[] {3, 1}, triple);
            assertThat(placed).containsExactly(0, 0, 0, 6, 6, 7, 0, 0, 0, 5, 6, 7);
        });
    }

    /** Two fields and a gap between them. */
    private static final class Particle extends Struct {
        private final int charge = addInt();
        private final int place = setOffset(6).addDouble(2);

        @Override
        protected Data newData() {
            return new Data();
        }

        private final class Data extends Struct.Data {
            void put(int newCharge, double x, double y) {
                putInt(charge, newCharge);
                putDouble(place, 0, x);
                putDouble(place, 1, y);
            }

            String text() {
                return getInt(charge) + " at " + getDouble(place, 0) + ", " + getDouble(place, 1);
            }
        }
    }

    @Test
    void shouldMoveStructsWithUnalignedFields() {
        Worlds.run(2, (world, rank) -> {
            Particle particle = new Particle();
            int extent = particle.getExtent();
            assertThat(extent).isEqualTo(24);
            ByteBuffer buffer = MPI.newByteBuffer(5 * extent);
            byte[] array = new byte[5 * extent];
            if (rank == 0) {
                for (int i = 0; i < 5; i++) {
                    particle.<Particle.Data>getData(buffer, i).put(i, i + 0.5, -i);
                    particle.<Particle.Data>getData(array, i).put(10 + i, i + 0.25, i);
                }
                world.send(buffer, 5, particle.getType(), 1, 0);
                world.send(array, 5, particle.getType(), 1, 1);
            } else {
                buffer.put(4, (byte) 99);
                Status status = world.recv(buffer, 5, particle.getType(), 0, 0);
                world.recv(array, 5, particle.getType(), 0, 1);
                assertThat(status.getCount(particle.getType())).isEqualTo(5);
                assertThat(status.getElements(particle.getType())).isEqualTo(15);
                assertThat(buffer.get(4)).as("a byte of a gap").isEqualTo((byte) 99);
                assertThat(particle.<Particle.Data>getData(buffer, 3).text()).isEqualTo("3 at 3.5, -3.0");
                assertThat(particle.<Particle.Data>getData(array, 4).text()).isEqualTo("14 at 4.25, 4.0");
            }
        });
    }

    @Test
    void shouldSendRowsOfOneRankAsColumnsOfAnother() {
        Worlds.run(2, (world, rank) -> {
            int n = 60;
            Datatype column = Datatype.createResized(Datatype.createVector(n, 1, n, MPI.DOUBLE), 0, Double.BYTES);
            column.commit();
            DoubleBuffer matrix = MPI.newDoubleBuffer(n * n);
            if (rank == 0) {
                for (int i = 0; i < n * n; i++) {
                    matrix.put(i, i);
                }
                world.send(matrix, n * n, MPI.DOUBLE, 1, 0);
            } else {
                world.recv(matrix, n, column, 0, 0);
                for (int i = 0; i < n * n; i++) {
                    assertThat(matrix.get(i % n * n + i / n)).isEqualTo(i);
                }
            }
        });
    }

    @Test
    void shouldPackAndUnpack() {
        Worlds.run(2, (world, rank) -> {
            Datatype type = everyOther(3);
            byte[] packed = new byte[40];
            int bytes = world.packSize(2, type) + world.packSize(1, MPI.DOUBLE);
            assertThat(bytes).isEqualTo(2 * 12 + 8);
            if (rank == 0) {
                int position = world.pack(numbered(11), 2, type, packed, 4);
                assertThat(position).isEqualTo(28);
                position = world.pack(new double[] {2.5}, 1, MPI.DOUBLE, packed, position);
                assertThat(position).isEqualTo(36);
                world.send(MPI.slice(packed, 4), position - 4, MPI.PACKED, 1, 0);
                world.send(numbered(11), 2, type, 1, 1);
            } else {
                Status status = world.recv(packed, 40, MPI.PACKED, 0, 0);
                assertThat(status.getCount(MPI.PACKED)).isEqualTo(32);
                int[] into = gaps(11);
                double[] number = new double[1];
                int position = world.unpack(packed, 0, into, 2, type);
                assertThat(position).isEqualTo(24);
                assertThat(world.unpack(packed, position, number, 1, MPI.DOUBLE))
                        .isEqualTo(32);
                int[] expected = gaps(11);
                for (int i : new int[] {0, 2, 4, 5, 7, 9}) {
                    expected[i] = i;
                }
                assertThat(into).isEqualTo(expected);
                assertThat(number[0]).isEqualTo(2.5);
                Arrays.fill(packed, (byte) 0);
                world.recv(packed, 40, MPI.PACKED, 0, 1);
                into = gaps(11);
                world.unpack(packed, 0, into, 2, type);
                assertThat(into).as("a message of the type, received as packed").isEqualTo(expected);
            }
        });
    }

    @Test
    void shouldRefuseBadPacking() {
        Worlds.run(1, (world, rank) -> {
            int[] three = new int[3];
            byte[] packed = new byte[10];
            refused(() -> world.pack(three, 3, MPI.INT, packed, 0), MPI.ERR_TRUNCATE, "pack", "incount", "10 bytes");
            refused(() -> world.pack(three, 1, MPI.INT, packed, 11), MPI.ERR_ARG, "position is 11; allowed: 0 to 10");
            refused(() -> world.pack(three, 1, MPI.INT, null, 0), MPI.ERR_BUFFER, "outbuf is null");
            refused(() -> world.pack(three, 4, MPI.INT, packed, 0), MPI.ERR_BUFFER, "inbuf holds 3 items");
            refused(() -> world.pack(three, -1, MPI.INT, packed, 0), MPI.ERR_COUNT, "incount is -1");
            refused(() -> world.unpack(packed, 8, three, 1, MPI.INT), MPI.ERR_TRUNCATE, "unpack", "2 bytes");
            refused(() -> world.unpack(packed, -1, three, 1, MPI.INT), MPI.ERR_ARG, "position is -1");
            refused(() -> world.unpack(null, 0, three, 1, MPI.INT), MPI.ERR_BUFFER, "inbuf is null");
            refused(() -> world.unpack(packed, 0, three, 4, MPI.INT), MPI.ERR_BUFFER, "outbuf holds 3");
            refused(() -> world.packSize(-1, MPI.INT), MPI.ERR_COUNT, "packSize", "incount is -1");
            refused(() -> world.packSize(1, null), MPI.ERR_TYPE, "packSize");
            refused(() -> world.packSize(1 << 28, MPI.DOUBLE), MPI.ERR_COUNT, "2147483648 bytes");
            assertThat(world.packSize(0, Datatype.createContiguous(3, MPI.INT))).isZero();
            Intracomm revoked = world.dup();
            revoked.revoke();
            assertThat(revoked.pack(new int[] {7, 8, 9}, 1, MPI.INT, packed, 3)).isEqualTo(7);
            assertThat(revoked.unpack(packed, 3, three, revoked.packSize(1, MPI.INT) / 4, MPI.INT))
                    .isEqualTo(7);
            assertThat(three[0]).isEqualTo(7);
            revoked.free();
        });
    }

    @Test
    void shouldRefuseTypesThatDoNotFit() {
        Worlds.run(1, (world, rank) -> {
            int[] ints = new int[10];
            Datatype open = Datatype.createVector(2, 1, 2, MPI.INT);
            refused(() -> world.send(ints, 1, open, 0, 0), MPI.ERR_TYPE, "send", "not committed", "commit()");
            refused(() -> world.iSend(IntBuffer.wrap(ints), 1, open, 0, 0), MPI.ERR_TYPE, "not committed");
            open.commit();
            refused(
                    () -> world.send(ints, 5, open, 0, 0),
                    MPI.ERR_BUFFER,
                    "buf holds 3 items of vector of 2 times 1 MPI.INT, stride 2 but count is 5");
            refused(() -> world.send(new long[9], 1, open, 0, 0), MPI.ERR_BUFFER, "buf is a long[]", "int[]");
            Throwable wrongKind =
                    catchThrowableOfType(IllegalArgumentException.class, () -> world.iSend(longs(), 1, open, 0, 0));
            assertThat(wrongKind).hasMessageContaining("iSend");
            Datatype odd = Datatype.createHVector(2, 1, 5, MPI.INT);
            odd.commit();
            refused(() -> world.send(ints, 1, odd, 0, 0), MPI.ERR_TYPE, "buf is an int[]", "ByteBuffer");
            refused(() -> world.iRecv(IntBuffer.wrap(ints), 1, odd, 0, 0), MPI.ERR_TYPE, "iRecv");
            Datatype oddExtent = Datatype.createResized(MPI.INT, 0, 6);
            oddExtent.commit();
            refused(() -> world.bcast(ints, 1, oddExtent, 0), MPI.ERR_TYPE, "bcast");
            Datatype oddBound = Datatype.createResized(MPI.INT, 2, 8);
            oddBound.commit();
            refused(() -> world.recv(ints, 1, oddBound, 0, 0), MPI.ERR_TYPE, "recv");
            ByteBuffer bytes = MPI.newByteBuffer(18).putInt(0, 5).putInt(6, 6).putInt(12, 7);
            ByteBuffer into = MPI.newByteBuffer(18);
            world.sendRecv(bytes, 3, oddExtent, 0, 0, into, 3, oddExtent, 0, 0);
            assertThat(into).isEqualTo(bytes);
            Datatype before = Datatype.createHIndexed(new int[] {1}, new int[] {-4}, MPI.INT);
            before.commit();
            refused(() -> world.send(ints, 1, before, 0, 0), MPI.ERR_BUFFER, "buf holds 0 items");
            Datatype gigabyte = Datatype.createContiguous(1 << 28, MPI.INT);
            Datatype large = Datatype.createHVector(2, 1, 0, gigabyte);
            large.commit();
            refused(
                    () -> world.send(ints, 1, large, 0, 0),
                    MPI.ERR_COUNT,
                    "2147483648 bytes",
                    "allowed: up to 2147483647");
            Datatype empty = Datatype.createContiguous(0, MPI.INT);
            empty.commit();
            Status status = world.sendRecv(null, 3, empty, 0, 0, null, 5, empty, 0, 0);
            assertThat(status.getCount(empty)).isZero();
            open.free();
            refused(() -> world.send(ints, 1, open, 0, 0), MPI.ERR_TYPE, "was freed");
        });
    }

    private static Buffer longs() {
        return MPI.newLongBuffer(9);
    }

    private static void refused(ThrowingCallable call, int errorClass, String... texts) {
        MPIException thrown = catchThrowableOfType(MPIException.class, call);
        assertThat(thrown).as("%s", String.join(", ", texts)).isNotNull().hasMessageContainingAll(texts);
        assertThat(thrown.getErrorClass()).as(thrown.getMessage()).isEqualTo(errorClass);
    }
}
