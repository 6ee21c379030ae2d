package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ulfmj.testkit.Programs.raises;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;
import mpi.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests without failures: what each call waits for, completes and returns. */
class RequestCallsTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;

    private static IntBuffer ints(int... values) {
        return MPI.newIntBuffer(values.length).put(values).clear();
    }

    @Test
    void shouldExchangeInBothDirectionsAndSayWhoSentWhat() {
        Worlds.run(2, (world, rank) -> {
            int other = 1 - rank;
            IntBuffer in = MPI.newIntBuffer(4);
            Request receive = world.iRecv(in, 4, MPI.INT, other, MPI.ANY_TAG);
            Request send = world.iSend(ints(rank, 7), 2, MPI.INT, other, 3 + rank);
            Status status = receive.waitStatus();
            send.waitFor();
            assertThat(in.get(0)).isEqualTo(other);
            assertThat(in.get(1)).isEqualTo(7);
            assertThat(status.getSource()).isEqualTo(other);
            assertThat(status.getTag()).isEqualTo(3 + other);
            assertThat(status.getCount(MPI.INT)).isEqualTo(2);
            assertThat(status.getError()).isEqualTo(MPI.SUCCESS);
            assertThat(status.isCancelled()).isFalse();
            assertThat(receive.isNull() && send.isNull()).isTrue();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1000, 100_000, 1_000_000})
    void shouldSendAnyLengthInEveryMode(int count) {
        Worlds.run(2, (world, rank) -> {
            for (int mode = 0; mode < 3; mode++) {
                if (rank == 1) {
                    LongBuffer in = MPI.newLongBuffer(Math.max(1, count));
                    Request receive = world.iRecv(in, count, MPI.LONG, 0, mode);
                    world.send(new int[0], 0, MPI.INT, 0, 9);
                    assertThat(receive.waitStatus().getCount(MPI.LONG)).isEqualTo(count);
                    for (int i = 0; i < count; i++) {
                        assertThat(in.get(i)).isEqualTo(31L * i + 1);
                    }
                } else {
                    LongBuffer out = MPI.newLongBuffer(Math.max(1, count));
                    for (int i = 0; i < count; i++) {
                        out.put(i, 31L * i + 1);
                    }
                    world.recv(new int[0], 0, MPI.INT, 1, 9);
                    Request send =
                            switch (mode) {
                                case 0 -> world.iSend(out, count, MPI.LONG, 1, mode);
                                case 1 -> world.isSend(out, count, MPI.LONG, 1, mode);
                                default -> world.irSend(out, count, MPI.LONG, 1, mode);
                            };
                    send.waitFor();
                }
            }
        });
    }

    @Test
    void shouldTakeHeapBuffersSlicesAndBytesForEveryType() {
        Worlds.run(2, (world, rank) -> {
            if (rank == 0) {
                world.iSend(CharBuffer.wrap(new char[] {'a', 'b'}), 2, MPI.CHAR, 1, 0)
                        .waitFor();
                world.iSend(MPI.slice(new int[] {1, 2, 3}, 1), 2, MPI.INT, 1, 1).waitFor();
                world.iSend(CharBuffer.wrap("cd"), 2, MPI.CHAR, 1, 2).waitFor();
            } else {
                CharBuffer text = CharBuffer.wrap(new char[2]);
                world.iRecv(text, 2, MPI.CHAR, 0, 0).waitFor();
                assertThat(text.get(1)).isEqualTo('b');
                int[] array = new int[5];
                world.iRecv(MPI.slice(array, 3), 2, MPI.INT, 0, 1).waitFor();
                assertThat(array).containsExactly(0, 0, 0, 2, 3);
                ByteBuffer bytes = MPI.newByteBuffer(4);
                world.iRecv(bytes, 2, MPI.CHAR, 0, 2).waitFor();
                assertThat(bytes.asCharBuffer().toString()).isEqualTo("cd");
            }
        });
    }

    /** The view of an operation is its own: the program may look at other parts of the buffer meanwhile. */
    @Test
    void shouldReceiveWhateverTheProgramDoesToPositionAndLimitMeanwhile() {
        Worlds.run(2, (world, rank) -> {
            if (rank == 0) {
                ByteBuffer bytes = MPI.newByteBuffer(200_000);
                IntBuffer typed = MPI.newIntBuffer(50_000);
                Request first = world.iRecv(bytes, 200_000, MPI.BYTE, 1, 0);
                Request second = world.iRecv(typed, 50_000, MPI.INT, 1, 1);
                bytes.position(5).limit(6);
                typed.limit(0);
                world.send(new int[1], 1, MPI.INT, 1, 2);
                Request.waitAll(new Request[] {first, second});
                bytes.clear();
                typed.clear();
                assertThat(bytes.get(199_999)).isEqualTo((byte) 4);
                assertThat(typed.get(49_999)).isEqualTo(5);
                assertThat(bytes.limit()).isEqualTo(200_000);
            } else {
                world.recv(new int[1], 1, MPI.INT, 0, 2);
                byte[] bytes = new byte[200_000];
                bytes[199_999] = 4;
                int[] typed = new int[50_000];
                typed[49_999] = 5;
                world.send(bytes, bytes.length, MPI.BYTE, 0, 0);
                world.send(typed, typed.length, MPI.INT, 0, 1);
            }
        });
    }

    @Test
    void shouldGiveAnEmptyStatusForANullRequest() {
        Worlds.run(1, (world, rank) -> {
            Request null1 = MPI.REQUEST_NULL;
            assertThat(null1.isNull()).isTrue();
            null1.waitFor();
            assertThat(null1.test()).isTrue();
            Status empty = null1.waitStatus();
            assertThat(empty.getSource()).isEqualTo(MPI.ANY_SOURCE);
            assertThat(empty.getTag()).isEqualTo(MPI.ANY_TAG);
            assertThat(empty.getCount(MPI.INT)).isZero();
            assertThat(null1.testStatus()).isNotNull();
            assertThat(null1.getStatus()).isNotNull();
            null1.free();
            raises(MPI.ERR_REQUEST, null1::cancel);

            Request[] nulls = {null1, null1};
            Request.waitAll(nulls);
            assertThat(Request.testAll(nulls)).isTrue();
            assertThat(Request.waitAllStatus(nulls)).hasSize(2).doesNotContainNull();
            assertThat(Request.waitAny(nulls)).isEqualTo(MPI.UNDEFINED);
            assertThat(Request.testAny(nulls)).isEqualTo(MPI.UNDEFINED);
            assertThat(Request.waitAnyStatus(nulls).getIndex()).isEqualTo(MPI.UNDEFINED);
            assertThat(Request.testAnyStatus(nulls).getIndex()).isEqualTo(MPI.UNDEFINED);
            assertThat(Request.waitSome(nulls)).isNull();
            assertThat(Request.testSome(nulls)).isNull();
            assertThat(Request.waitSomeStatus(nulls)).isNull();
            assertThat(Request.testSomeStatus(nulls)).isNull();
            assertThat(Request.waitAny(new Request[0])).isEqualTo(MPI.UNDEFINED);
        });
    }

    @Test
    void shouldCompleteMessagesWithNobodyAtOnce() {
        Worlds.run(1, (world, rank) -> {
            Request send = world.iSend(ints(1), 1, MPI.INT, MPI.PROC_NULL, 0);
            Request receive = world.iRecv(ints(1), 1, MPI.INT, MPI.PROC_NULL, 0);
            assertThat(send.isNull() || receive.isNull()).isFalse();
            assertThat(send.test()).isTrue();
            Status status = receive.waitStatus();
            assertThat(status.getSource()).isEqualTo(MPI.PROC_NULL);
            assertThat(status.getTag()).isEqualTo(MPI.ANY_TAG);
            assertThat(status.getCount(MPI.INT)).isZero();
        });
    }

    @Test
    void shouldTestWithoutWaitingAndLeaveWhatIsUnderWay() {
        Worlds.run(2, (world, rank) -> {
            if (rank == 0) {
                IntBuffer in = MPI.newIntBuffer(1);
                Request receive = world.iRecv(in, 1, MPI.INT, 1, 0);
                Request[] both = {receive, MPI.REQUEST_NULL};
                assertThat(receive.test()).isFalse();
                assertThat(receive.testStatus()).isNull();
                assertThat(receive.getStatus()).isNull();
                assertThat(Request.testAny(both)).isEqualTo(MPI.UNDEFINED);
                assertThat(Request.testAnyStatus(both)).isNull();
                assertThat(Request.testAll(both)).isFalse();
                assertThat(Request.testAllStatus(both)).isNull();
                assertThat(Request.testSome(both)).isEmpty();
                assertThat(Request.testSomeStatus(both)).isEmpty();
                assertThat(receive.isNull()).isFalse();
                world.send(new int[0], 0, MPI.INT, 1, 1);
                while (receive.getStatus() == null) {
                    Thread.onSpinWait();
                }
                assertThat(receive.isNull()).isFalse();
                assertThat(receive.getStatus().getSource()).isEqualTo(1);
                assertThat(receive.test()).isTrue();
                assertThat(receive.isNull()).isTrue();
                assertThat(in.get(0)).isEqualTo(5);
            } else {
                world.recv(new int[0], 0, MPI.INT, 0, 1);
                world.send(new int[] {5}, 1, MPI.INT, 0, 0);
            }
        });
    }

    @Test
    void shouldCompleteOneSomeOrAllOfSeveral() {
        Worlds.run(2, (world, rank) -> {
            if (rank == 1) {
                for (int tag : new int[] {2, 0, 3, 1}) {
                    world.recv(new int[0], 0, MPI.INT, 0, 9);
                    world.send(new int[] {tag}, 1, MPI.INT, 0, tag);
                }
                world.recv(new int[0], 0, MPI.INT, 0, 9);
                for (int tag = 4; tag < 8; tag++) {
                    world.send(new int[] {tag}, 1, MPI.INT, 0, tag);
                }
                return;
            }
            IntBuffer[] in = new IntBuffer[8];
            Request[] requests = new Request[8];
            for (int tag = 0; tag < 8; tag++) {
                in[tag] = MPI.newIntBuffer(1);
                requests[tag] = world.iRecv(in[tag], 1, MPI.INT, 1, tag);
            }
            Runnable next = () -> world.send(new int[0], 0, MPI.INT, 1, 9);
            next.run();
            assertThat(Request.waitAny(requests)).isEqualTo(2);
            next.run();
            Status any = Request.waitAnyStatus(requests);
            assertThat(any.getIndex()).isZero();
            assertThat(any.getTag()).isZero();
            next.run();
            assertThat(Request.waitSome(requests)).containsExactly(3);
            next.run();
            Status[] some = Request.waitSomeStatus(requests);
            assertThat(some).hasSize(1);
            assertThat(some[0].getIndex()).isEqualTo(1);
            next.run();
            Status[] all = Request.waitAllStatus(requests);
            assertThat(all).hasSize(8);
            for (int tag = 0; tag < 8; tag++) {
                assertThat(in[tag].get(0)).isEqualTo(tag);
                assertThat(all[tag].getCount(MPI.INT)).isEqualTo(tag < 4 ? 0 : 1);
                assertThat(requests[tag].isNull()).isTrue();
            }
        });
    }

    @Test
    void shouldFindEachOfThousandsAsItEnds() {
        int count = 4_000;
        Worlds.run(2, (world, rank) -> {
            List<Integer> order = new ArrayList<>();
            for (int tag = 0; tag < count; tag++) {
                order.add(tag);
            }
            Collections.shuffle(order, new Random(7));
            if (rank == 1) {
                for (int tag : order) {
                    world.send(new int[0], 0, MPI.INT, 0, tag);
                }
                return;
            }
            Request[] requests = new Request[count];
            for (int tag = 0; tag < count; tag++) {
                requests[tag] = world.iRecv(ints(0), 1, MPI.INT, 1, tag);
            }
            boolean[] seen = new boolean[count];
            for (int i = 0; i < count / 2; i++) {
                Status status = Request.waitAnyStatus(requests);
                assertThat(status.getTag()).isEqualTo(status.getIndex());
                assertThat(seen[status.getIndex()]).isFalse();
                seen[status.getIndex()] = true;
            }
            for (int[] some = Request.waitSome(requests); some != null; some = Request.waitSome(requests)) {
                for (int index : some) {
                    assertThat(seen[index]).isFalse();
                    seen[index] = true;
                }
            }
            for (boolean each : seen) {
                assertThat(each).isTrue();
            }
        });
    }

    @Test
    void shouldWithdrawAReceiveThatNothingMatched() {
        Worlds.run(2, (world, rank) -> {
            if (rank == 0) {
                IntBuffer in = ints(1);
                Request receive = world.iRecv(in, 1, MPI.INT, 1, 0);
                receive.cancel();
                Status status = receive.waitStatus();
                assertThat(status.isCancelled()).isTrue();
                world.barrier();
                IntBuffer second = ints(0);
                Status received = world.iRecv(second, 1, MPI.INT, 1, 0).waitStatus();
                assertThat(received.isCancelled()).isFalse();
                assertThat(second.get(0)).isEqualTo(8);
                assertThat(in.get(0)).isEqualTo(1);
            } else {
                world.barrier();
                world.send(new int[] {8}, 1, MPI.INT, 0, 0);
            }
        });
    }

    @Test
    void shouldDeliverToARequestThatWasFreedAndLetItsCommunicatorGo() {
        Worlds.run(2, (world, rank) -> {
            Intracomm comm = world.dup();
            IntBuffer in = MPI.newIntBuffer(1);
            if (rank == 0) {
                Request receive = comm.iRecv(in, 1, MPI.INT, 1, 0);
                receive.free();
                assertThat(receive.isNull()).isTrue();
                comm.free();
                world.barrier();
                world.recv(new int[0], 0, MPI.INT, 1, 1);
                assertThat(in.get(0)).isEqualTo(6);
            } else {
                world.barrier();
                comm.iSend(ints(6), 1, MPI.INT, 0, 0).free();
                world.send(new int[0], 0, MPI.INT, 0, 1);
                comm.free();
            }
        });
    }

    @Test
    void shouldMatchReceivesInTheOrderInWhichTheyWerePosted() {
        Worlds.run(2, (world, rank) -> {
            if (rank == 0) {
                IntBuffer[] in = new IntBuffer[50];
                Request[] requests = new Request[50];
                for (int i = 0; i < 50; i++) {
                    in[i] = MPI.newIntBuffer(1);
                    requests[i] = world.iRecv(in[i], 1, MPI.INT, i % 3 == 0 ? MPI.ANY_SOURCE : 1, i % 2 == 0 ? 0 : -1);
                }
                world.barrier();
                Request.waitAll(requests);
                for (int i = 0; i < 50; i++) {
                    assertThat(in[i].get(0)).isEqualTo(i);
                }
            } else {
                world.barrier();
                Request[] requests = new Request[50];
                for (int i = 0; i < 50; i++) {
                    requests[i] = world.iSend(ints(i), 1, MPI.INT, 0, 0);
                }
                Request.waitAll(requests);
            }
        });
    }

    @Test
    void shouldRefuseBuffersOfNoUseWithAnIllegalArgumentAndEverythingElseByTheErrorHandler() {
        Worlds.run(1, (world, rank) -> {
            IntBuffer one = ints(1);
            refuses(null);
            refuses(MPI.newLongBuffer(1));
            assertThatThrownBy(() -> world.iRecv(one.asReadOnlyBuffer(), 1, MPI.INT, 0, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("iRecv: buf is a read-only buffer");
            assertThatThrownBy(() -> world.iAgree(null)).isInstanceOf(IllegalArgumentException.class);
            raises(MPI.ERR_BUFFER, () -> world.iSend(one, 2, MPI.INT, 0, 0));
            raises(MPI.ERR_RANK, () -> world.iSend(one, 1, MPI.INT, 1, 0));
            raises(MPI.ERR_TAG, () -> world.iSend(one, 1, MPI.INT, 0, -1));
            raises(MPI.ERR_RANK, () -> world.iRecv(one, 1, MPI.INT, 1, 0));
            raises(MPI.ERR_TAG, () -> world.iRecv(one, 1, MPI.INT, 0, -2));
            raises(MPI.ERR_COUNT, () -> world.iRecv(one, -1, MPI.INT, 0, 0));
            raises(MPI.ERR_TYPE, () -> world.iRecv(one, 1, MPI.DATATYPE_NULL, 0, 0));
            raises(MPI.ERR_REQUEST, () -> Request.waitAll(null));
            raises(MPI.ERR_REQUEST, () -> Request.waitAny(new Request[1]));
        });
    }

    private static void refuses(Buffer buffer) {
        assertThatThrownBy(() -> WORLD.iSend(buffer, 1, MPI.INT, 0, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("iSend: buf is ");
    }

    @Test
    void shouldRaiseTruncationAtTheWaitWithItsStatus() {
        Worlds.run(2, (world, rank) -> {
            if (rank == 0) {
                Request receive = world.iRecv(ints(0), 1, MPI.INT, 1, 0);
                Request[] both = {receive, world.iRecv(ints(0), 1, MPI.INT, 1, 1)};
                world.barrier();
                Status[] statuses =
                        raises(MPI.ERR_IN_STATUS, () -> Request.waitAll(both)).getStatuses();
                assertThat(statuses[0].getError()).isEqualTo(MPI.ERR_TRUNCATE);
                assertThat(statuses[0].getSource()).isEqualTo(1);
                assertThat(statuses[1].getError()).isIn(MPI.SUCCESS, MPI.ERR_PENDING);
                both[1].waitFor();
            } else {
                world.barrier();
                world.send(new int[2], 2, MPI.INT, 0, 0);
                world.send(new int[1], 1, MPI.INT, 0, 1);
            }
        });
    }
}
