package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ulfmj.testkit.Programs.awaitFailed;
import static org.ulfmj.testkit.Programs.awaitRevoked;
import static org.ulfmj.testkit.Programs.dieIf;
import static org.ulfmj.testkit.Programs.ints;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Message;
import mpi.Request;
import mpi.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests matched probes (MPI_Mprobe, MPI_Improbe): no other receive matches the message that such a probe has found. */
class MatchedProbesTest {
    private static final int LONG = 1 << 18;
    private static final int TAG = 4;
    private static final int GO = 5;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5_000, LONG})
    void shouldReceiveTheVeryMessageThatWasProbed(int count) {
        Worlds.run(2, (world, rank) -> {
            if (rank == 0) {
                Request[] requests = new Request[3];
                for (int i = 0; i < requests.length; i++) {
                    requests[i] = world.iSend(filled(count, i), count, MPI.INT, 1, TAG);
                }
                Request.waitAll(requests);
            } else {
                Message first = new Message();
                assertThat(first.isNull()).isTrue();
                Status status = first.mProbe(0, TAG, world);
                assertThat(status.getSource()).isZero();
                assertThat(status.getTag()).isEqualTo(TAG);
                assertThat(status.getCount(MPI.INT)).isEqualTo(count);
                assertThat(first.isNull()).isFalse();
                assertThat(first.isNoProc()).isFalse();
                Message second = new Message();
                second.mProbe(MPI.ANY_SOURCE, MPI.ANY_TAG, world);
                // The two messages that mProbe has taken are found by no other receive, and can be received in any
                // order.
                requireReceived(world.recv(new int[count], count, MPI.INT, 0, TAG), count);
                IntBuffer late = MPI.newIntBuffer(count);
                Request request = second.imRecv(late, count, MPI.INT);
                assertThat(second.isNull()).isTrue();
                requireReceived(request.waitStatus(), count);
                assertThat(IntStream.range(0, count).allMatch(i -> late.get(i) == 1))
                        .isTrue();
                int[] early = new int[count];
                requireReceived(first.mRecv(early, count, MPI.INT), count);
                assertThat(IntStream.of(early).allMatch(each -> each == 0)).isTrue();
                assertThat(first.isNull()).isTrue();
            }
        });
    }

    private static void requireReceived(Status status, int count) {
        assertThat(status.getSource()).isZero();
        assertThat(status.getTag()).isEqualTo(TAG);
        assertThat(status.getCount(MPI.INT)).isEqualTo(count);
    }

    @Test
    void shouldFindNothingOrTakeIt() {
        Worlds.run(2, (world, rank) -> {
            if (rank == 0) {
                world.recv(new int[0], 0, MPI.INT, 1, GO);
                world.sSend(new int[] {9}, 1, MPI.INT, 1, TAG);
            } else {
                Message message = new Message();
                assertThat(message.imProbe(0, TAG, world)).isNull();
                assertThat(message.isNull()).isTrue();
                world.send(new int[0], 0, MPI.INT, 0, GO);
                Status found = message.imProbe(0, TAG, world);
                while (found == null) {
                    found = message.imProbe(0, TAG, world);
                }
                assertThat(found.getCount(MPI.INT)).isEqualTo(1);
                assertThat(world.iProbe(0, TAG)).as("taken by the probe").isNull();
                int[] got = new int[1];
                message.mRecv(got, 1, MPI.INT);
                assertThat(got).containsExactly(9);
            }
        });
    }

    @Test
    void shouldHaveAMessageOfNoRank() {
        Worlds.run(1, (world, rank) -> {
            Message message = new Message();
            assertThat(message.isNoProc()).isFalse();
            Status status = message.mProbe(MPI.PROC_NULL, TAG, world);
            requireOfNoRank(status);
            assertThat(message.isNoProc()).isTrue();
            assertThat(message.isNull()).isFalse();
            requireOfNoRank(message.mRecv(new int[1], 1, MPI.INT));
            assertThat(message.isNull()).isTrue();
            assertThat(message.isNoProc()).isFalse();
            requireOfNoRank(message.imProbe(MPI.PROC_NULL, MPI.ANY_TAG, world));
            assertThat(message.imRecv(ints(1), 1, MPI.INT).waitStatus().getSource())
                    .isEqualTo(MPI.PROC_NULL);
            assertThat(message.isNull()).isTrue();
        });
    }

    private static void requireOfNoRank(Status status) {
        assertThat(status.getSource()).isEqualTo(MPI.PROC_NULL);
        assertThat(status.getTag()).isEqualTo(MPI.ANY_TAG);
        assertThat(status.getCount(MPI.INT)).isZero();
    }

    @Test
    void shouldRefuseBadArgumentsAndKeepTheMessage() {
        Worlds.run(1, (world, rank) -> {
            Message message = new Message();
            assertThat(raises(MPI.ERR_REQUEST, () -> message.mRecv(new int[1], 1, MPI.INT)))
                    .hasMessageContaining("mRecv: there is no message");
            assertThat(raises(MPI.ERR_REQUEST, () -> message.imRecv(ints(1), 1, MPI.INT)))
                    .hasMessageContaining("imRecv: there is no message");
            raises(MPI.ERR_RANK, () -> message.mProbe(7, TAG, world));
            raises(MPI.ERR_TAG, () -> message.imProbe(0, -7, world));
            assertThat(raises(MPI.ERR_COMM, () -> message.mProbe(0, TAG, null))).hasMessageContaining("comm is null");
            world.send(new int[] {3, 4}, 2, MPI.INT, 0, TAG);
            message.mProbe(0, TAG, world);
            assertThat(raises(MPI.ERR_REQUEST, () -> message.imProbe(0, TAG, world)))
                    .hasMessageContaining("this object has a message that is not received");
            raises(MPI.ERR_COUNT, () -> message.mRecv(new int[2], -1, MPI.INT));
            raises(MPI.ERR_TYPE, () -> message.mRecv(new int[2], 2, null));
            raises(MPI.ERR_BUFFER, () -> message.mRecv(new int[2], 3, MPI.INT));
            assertThatThrownBy(() -> message.imRecv(ints(1).asReadOnlyBuffer(), 1, MPI.INT))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("imRecv: buf is a read-only buffer");
            int[] got = new int[2];
            message.mRecv(got, 2, MPI.INT);
            assertThat(got).containsExactly(3, 4);
            world.send(new int[] {3, 4}, 2, MPI.INT, 0, TAG);
            message.mProbe(0, TAG, world);
            assertThat(raises(MPI.ERR_TRUNCATE, () -> message.mRecv(new int[1], 1, MPI.INT)))
                    .hasMessageContaining("8 bytes");
            assertThat(message.isNull()).isTrue();
        });
    }

    @Test
    void shouldGiveEachMessageToOneThread() {
        int messages = 400;
        Worlds.run(2, (world, rank) -> {
            if (rank == 0) {
                for (int i = 0; i < messages; i++) {
                    world.send(new int[] {i}, 1, MPI.INT, 1, TAG);
                }
                return;
            }
            ConcurrentLinkedQueue<Integer> got = new ConcurrentLinkedQueue<>();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                threads.add(new Thread(MPI.bindThread(() -> {
                    try {
                        for (int i = 0; i < messages / 4; i++) {
                            Message message = new Message();
                            message.mProbe(0, TAG, world);
                            int[] data = new int[1];
                            message.mRecv(data, 1, MPI.INT);
                            got.add(data[0]);
                        }
                    } catch (RuntimeException | Error e) {
                        failure.set(e);
                    }
                })));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failure.get()).isNull();
            assertThat(got).hasSize(messages).doesNotHaveDuplicates();
        });
    }

    @Test
    void shouldLetOneOfTwoThreadsReceiveAMessage() {
        Worlds.run(1, (world, rank) -> {
            for (int round = 0; round < 200; round++) {
                world.send(new int[] {round}, 1, MPI.INT, 0, TAG);
                Message message = new Message();
                message.mProbe(0, TAG, world);
                AtomicReference<Integer> other = new AtomicReference<>();
                int[] theirs = new int[1];
                Thread thread = new Thread(
                        MPI.bindThread(() -> other.set(Programs.errorClass(() -> message.mRecv(theirs, 1, MPI.INT)))));
                thread.start();
                int[] mine = new int[1];
                int error = Programs.errorClass(() -> message.mRecv(mine, 1, MPI.INT));
                thread.join();
                assertThat(List.of(error, other.get())).containsExactlyInAnyOrder(MPI.SUCCESS, MPI.ERR_REQUEST);
                assertThat(error == MPI.SUCCESS ? mine : theirs).containsExactly(round);
            }
        });
    }

    @Test
    void shouldReceiveWhatADeadSenderSentWhole() {
        survivorsSucceed(2, rank -> {
            Intracomm world = MPI.COMM_WORLD;
            if (rank == 1) {
                world.send(new int[] {8}, 1, MPI.INT, 0, TAG);
                world.send(new int[] {9}, 1, MPI.INT, 0, TAG);
                world.recv(new int[0], 0, MPI.INT, 0, GO);
            }
            dieIf(rank == 1);
            Message before = new Message();
            before.mProbe(1, TAG, world);
            world.send(new int[0], 0, MPI.INT, 1, GO);
            awaitFailed(world, 1);
            int[] got = new int[1];
            assertThat(before.mRecv(got, 1, MPI.INT).getSource()).isEqualTo(1);
            assertThat(got).containsExactly(8);
            Message after = new Message();
            after.mProbe(MPI.ANY_SOURCE, TAG, world);
            after.imRecv(IntBuffer.wrap(got), 1, MPI.INT).waitFor();
            assertThat(got).containsExactly(9);
            raises(MPI.ERR_PROC_FAILED, () -> after.mProbe(1, TAG, world));
            raises(MPI.ERR_PROC_FAILED, () -> after.imProbe(1, TAG, world));
            raises(MPI.ERR_PROC_FAILED, () -> after.mProbe(MPI.ANY_SOURCE, TAG, world));
            assertThat(after.isNull()).isTrue();
            world.ackFailed();
            assertThat(after.imProbe(MPI.ANY_SOURCE, TAG, world)).isNull();
        });
    }

    @Test
    void shouldFailToReceiveWhatADeadSenderOnlyAnnounced() {
        survivorsSucceed(2, rank -> {
            Intracomm world = MPI.COMM_WORLD;
            if (rank == 1) {
                world.iSend(MPI.newIntBuffer(LONG), LONG, MPI.INT, 0, TAG);
                world.iSend(MPI.newIntBuffer(LONG), LONG, MPI.INT, 0, TAG);
                world.recv(new int[0], 0, MPI.INT, 0, GO);
            }
            dieIf(rank == 1);
            Message one = new Message();
            Message two = new Message();
            assertThat(one.mProbe(1, TAG, world).getCount(MPI.INT)).isEqualTo(LONG);
            two.mProbe(1, TAG, world);
            world.send(new int[0], 0, MPI.INT, 1, GO);
            awaitFailed(world, 1);
            assertThat(raises(MPI.ERR_PROC_FAILED, () -> one.mRecv(new int[LONG], LONG, MPI.INT))
                            .getFailedRanks())
                    .containsExactly(1);
            raises(MPI.ERR_PROC_FAILED, two.imRecv(MPI.newIntBuffer(LONG), LONG, MPI.INT)::waitFor);
            assertThat(one.isNull()).isTrue();
            assertThat(two.isNull()).isTrue();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, LONG})
    void shouldNotReceiveOnARevokedCommunicator(int count) {
        Worlds.run(2, (world, rank) -> {
            Intracomm comm = world.dup();
            if (rank == 1) {
                Request[] requests = new Request[3];
                for (int i = 0; i < requests.length; i++) {
                    requests[i] = comm.isSend(filled(count, i), count, MPI.INT, 0, TAG);
                }
                awaitRevoked(comm);
                for (Request request : requests) {
                    raises(MPI.ERR_REVOKED, request::waitFor);
                }
                return;
            }
            Message one = new Message();
            Message two = new Message();
            one.mProbe(1, TAG, comm);
            two.mProbe(1, TAG, comm);
            comm.revoke();
            raises(MPI.ERR_REVOKED, () -> one.mRecv(new int[count], count, MPI.INT));
            // New messages on another communicator may take over the library's objects of the messages that the
            // revocation threw away; the matched {@code Message} objects must not point to the new messages.
            for (int i = 0; i < 3; i++) {
                world.send(new int[] {i}, 1, MPI.INT, 0, TAG);
            }
            Message other = new Message();
            other.mProbe(0, TAG, world);
            raises(MPI.ERR_REVOKED, two.imRecv(MPI.newIntBuffer(count), count, MPI.INT)::waitFor);
            int[] got = new int[1];
            other.mRecv(got, 1, MPI.INT);
            assertThat(got).containsExactly(0);
            raises(MPI.ERR_REVOKED, () -> one.mProbe(1, TAG, comm));
            raises(MPI.ERR_REVOKED, () -> one.imProbe(MPI.PROC_NULL, TAG, comm));
        });
    }

    @Test
    void shouldReceiveAMatchedMessageOfAFreedCommunicator() {
        Worlds.run(2, (world, rank) -> {
            Intracomm comm = world.dup();
            if (rank == 1) {
                comm.send(new int[] {6}, 1, MPI.INT, 0, TAG);
                comm.send(filled(LONG, 7).array(), LONG, MPI.INT, 0, TAG);
                comm.free();
                return;
            }
            Message one = new Message();
            Message two = new Message();
            one.mProbe(1, TAG, comm);
            two.mProbe(1, TAG, comm);
            comm.free();
            int[] got = new int[LONG];
            one.mRecv(got, 1, MPI.INT);
            assertThat(got[0]).isEqualTo(6);
            two.mRecv(got, LONG, MPI.INT);
            assertThat(IntStream.of(got).allMatch(each -> each == 7)).isTrue();
            raises(MPI.ERR_COMM, () -> one.mProbe(1, TAG, comm));
        });
    }

    private static IntBuffer filled(int count, int content) {
        int[] data = new int[count];
        Arrays.fill(data, content);
        return IntBuffer.wrap(data);
    }
}
