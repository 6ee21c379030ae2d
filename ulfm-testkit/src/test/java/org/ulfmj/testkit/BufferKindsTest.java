package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import mpi.Datatype;
import mpi.MPI;
import mpi.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the sends, receives and probes that give no request, on several kinds of buffers, and with PROC_NULL or the
 * caller as the peer.
 */
class BufferKindsTest {
    private static final int LONG = 100_000;

    @ParameterizedTest
    @EnumSource(Ints.class)
    void shouldSendAndReceiveInEveryMode(Ints kind) {
        for (int count : new int[] {1, 17, LONG}) {
            int[] values = new int[count];
            Arrays.setAll(values, i -> 31 * i);
            Worlds.run(2, (world, rank) -> {
                if (rank == 0) {
                    world.send(kind.of(values), count, MPI.INT, 1, 1);
                    world.sSend(kind.of(values), count, MPI.INT, 1, 2);
                    world.recv(null, 0, MPI.INT, 1, 9);
                    world.rSend(kind.of(values), count, MPI.INT, 1, 3);
                } else {
                    for (int tag = 1; tag <= 3; tag++) {
                        Object buf = kind.of(new int[count + 2]);
                        Status status = world.recv(buf, count + 1, MPI.INT, 0, tag);
                        assertThat(status.getCount(MPI.INT)).isEqualTo(count);
                        assertThat(status.getSource()).isZero();
                        assertThat(status.getTag()).isEqualTo(tag);
                        assertThat(Ints.in(buf)).startsWith(values).endsWith(0, 0);
                        if (tag == 2) {
                            world.send(null, 0, MPI.INT, 0, 9);
                        }
                    }
                }
            });
        }
    }

    @ParameterizedTest
    @EnumSource(Ints.class)
    void shouldExchangeAroundARing(Ints kind) {
        for (int count : new int[] {3, LONG}) {
            Worlds.run(4, (world, rank) -> {
                int right = (rank + 1) % 4;
                int left = (rank + 3) % 4;
                int[] mine = new int[count];
                int[] expected = new int[count];
                Arrays.fill(mine, rank);
                Arrays.fill(expected, left);

                Object arrived = kind.of(new int[count]);
                Status status =
                        world.sendRecv(kind.of(mine), count, MPI.INT, right, 5, arrived, count, MPI.INT, left, 5);
                assertThat(Ints.in(arrived)).isEqualTo(expected);
                assertThat(status.getSource()).isEqualTo(left);

                Object both = kind.of(mine);
                world.sendRecvReplace(both, count, MPI.INT, right, 6, MPI.ANY_SOURCE, 6);
                assertThat(Ints.in(both)).isEqualTo(expected);
            });
        }
    }

    @Test
    void shouldSendWhatOneArrayHeldThoughTheOtherHalfIsThereFirst() {
        Worlds.run(2, (world, rank) -> {
            int other = 1 - rank;
            int[] both = {10 * rank, 10 * rank + 1};
            if (rank == 0) {
                world.probe(other, 4);
            }
            world.sendRecv(both, 2, MPI.INT, other, 4, both, 2, MPI.INT, other, 4);
            assertThat(both).containsExactly(10 * other, 10 * other + 1);

            Datatype fromSecond = Datatype.createHIndexed(new int[] {3}, new int[] {4}, MPI.INT);
            fromSecond.commit();
            int[] shifted = {1, 2, 3, 0};
            world.sendRecv(shifted, 3, MPI.INT, rank, 5, shifted, 1, fromSecond, rank, 5);
            assertThat(shifted).containsExactly(1, 1, 2, 3);
        });
    }

    @Test
    void shouldTalkToNoRank() {
        Worlds.run(1, (world, rank) -> {
            int[] buf = {7};
            world.send(buf, 1, MPI.INT, MPI.PROC_NULL, 0);
            world.sSend(buf, 1, MPI.INT, MPI.PROC_NULL, 0);
            for (Status status : new Status[] {
                world.recv(buf, 1, MPI.INT, MPI.PROC_NULL, 3),
                world.probe(MPI.PROC_NULL, 3),
                world.iProbe(MPI.PROC_NULL, 3),
                world.sendRecv(buf, 1, MPI.INT, MPI.PROC_NULL, 0, buf, 1, MPI.INT, MPI.PROC_NULL, 0),
                world.sendRecvReplace(buf, 1, MPI.INT, MPI.PROC_NULL, 0, MPI.PROC_NULL, 0)
            }) {
                assertThat(status.getSource()).isEqualTo(MPI.PROC_NULL);
                assertThat(status.getTag()).isEqualTo(MPI.ANY_TAG);
                assertThat(status.getCount(MPI.INT)).isZero();
            }
            assertThat(buf).containsExactly(7);
        });
    }

    @Test
    void shouldTalkToItself() {
        Worlds.run(1, (world, rank) -> {
            int[] in = new int[2];
            world.sendRecv(new int[] {1, 2}, 2, MPI.INT, 0, 4, in, 2, MPI.INT, 0, 4);
            assertThat(in).containsExactly(1, 2);
            world.sendRecvReplace(in, 2, MPI.INT, 0, 4, 0, 4);
            assertThat(in).containsExactly(1, 2);
        });
    }

    @Test
    void shouldProbeWithoutTakingTheMessage() {
        Worlds.run(2, (world, rank) -> {
            if (rank == 0) {
                assertThat(world.iProbe(1, 8)).isNull();
                world.send(null, 0, MPI.INT, 1, 1);
                Status seen = world.probe(MPI.ANY_SOURCE, MPI.ANY_TAG);
                assertThat(seen.getSource()).isEqualTo(1);
                assertThat(seen.getTag()).isEqualTo(8);
                assertThat(seen.getCount(MPI.CHAR)).isEqualTo(3);
                assertThat(world.iProbe(1, 8).getCount(MPI.CHAR)).isEqualTo(3);
                char[] text = new char[3];
                world.recv(text, 3, MPI.CHAR, 1, 8);
                assertThat(text).containsExactly('a', 'b', 'c');
            } else {
                world.recv(null, 0, MPI.INT, 0, 1);
                world.send("abc".toCharArray(), 3, MPI.CHAR, 0, 8);
            }
        });
    }

    @Test
    void shouldCarryEveryTypeBetweenDifferentKindsOfBuffers() {
        Worlds.run(2, (world, rank) -> {
            if (rank == 0) {
                world.send(new double[] {1.5, -2.5}, 2, MPI.DOUBLE, 1, 0);
                world.send(new boolean[] {true, false, true}, 3, MPI.BOOLEAN, 1, 0);
                world.send(new byte[] {1, 0, 2}, 3, MPI.BYTE, 1, 0);
                world.send(MPI.slice(new long[] {0, 0, 9}, 2), 1, MPI.LONG, 1, 0);
                world.send(new float[] {0.25f}, 1, MPI.FLOAT, 1, 0);
                world.send(new short[] {-3}, 1, MPI.SHORT, 1, 0);
            } else {
                ByteBuffer bytes = MPI.newByteBuffer(16);
                world.recv(bytes, 2, MPI.DOUBLE, 0, 0);
                assertThat(bytes.getDouble(0)).isEqualTo(1.5);
                assertThat(bytes.getDouble(8)).isEqualTo(-2.5);
                byte[] truths = new byte[3];
                world.recv(truths, 3, MPI.BYTE, 0, 0);
                assertThat(truths).containsExactly(1, 0, 1);
                boolean[] booleans = new boolean[3];
                world.recv(booleans, 3, MPI.BOOLEAN, 0, 0);
                assertThat(booleans).containsExactly(true, false, true);
                ByteBuffer heap = ByteBuffer.allocate(8);
                world.recv(heap, 1, MPI.LONG, 0, 0);
                assertThat(heap.order(ByteOrder.nativeOrder()).getLong(0)).isEqualTo(9);
                float[] floats = new float[1];
                world.recv(floats, 1, MPI.FLOAT, 0, 0);
                assertThat(floats).containsExactly(0.25f);
                short[] shorts = new short[1];
                world.recv(MPI.slice(shorts, 0), 1, MPI.SHORT, 0, 0);
                assertThat(shorts).containsExactly((short) -3);
            }
        });
    }
}
