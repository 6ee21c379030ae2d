package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ulfmj.testkit.Programs.awaitFailed;
import static org.ulfmj.testkit.Programs.dieIf;
import static org.ulfmj.testkit.Programs.ints;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.function.IntPredicate;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Message;
import mpi.Prequest;
import mpi.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.testkit.sim.SimWorld;

/** Tests buffered sends, which do not wait for the receiver, and the attached buffer, whose size limits them. */
class BufferedSendsTest {
    private static final int LONG = 1 << 18;
    private static final int LONG_BYTES = LONG * Integer.BYTES;
    private static final int TAG = 4;
    private static final int GO = 5;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5_000, LONG})
    void shouldBeOverBeforeTheReceiverCalls(int count) {
        Worlds.run(2, (world, rank) -> {
            if (rank == 0) {
                MPI.attachBuffer(new byte[3 * (count * Integer.BYTES + MPI.BSEND_OVERHEAD)]);
                int[] data = new int[count];
                Arrays.fill(data, 1);
                world.bSend(data, count, MPI.INT, 1, TAG);
                Arrays.fill(data, -1);
                IntBuffer direct = filled(count, 2);
                Request request = world.ibSend(direct, count, MPI.INT, 1, TAG);
                assertThat(request.test()).isTrue();
                fill(direct, -2);
                fill(direct, 3);
                Prequest again = world.bSendInit(direct, count, MPI.INT, 1, TAG);
                again.start();
                assertThat(again.test()).isTrue();
                fill(direct, -3);
                world.send(new int[0], 0, MPI.INT, 1, GO);
                MPI.detachBuffer();
            } else {
                world.recv(new int[0], 0, MPI.INT, 0, GO);
                for (int content = 1; content <= 3; content++) {
                    int[] got = new int[count];
                    assertThat(world.recv(got, count, MPI.INT, 0, TAG).getCount(MPI.INT))
                            .isEqualTo(count);
                    assertThat(Arrays.stream(got).allMatch(isEqualTo(content))).isTrue();
                }
            }
        });
    }

    private static IntPredicate isEqualTo(int content) {
        return each -> each == content;
    }

    @Test
    void shouldRefuseWhatHasNoBuffer() {
        Worlds.run(1, (world, rank) -> {
            assertThat(raises(MPI.ERR_BUFFER, () -> world.bSend(new int[1], 1, MPI.INT, 0, TAG)))
                    .hasMessageContaining("bSend on COMM_WORLD")
                    .hasMessageContaining("no buffer is attached");
            assertThat(raises(MPI.ERR_BUFFER, () -> world.ibSend(ints(1), 1, MPI.INT, 0, TAG)))
                    .hasMessageContaining("ibSend");
            Prequest request = world.bSendInit(ints(1), 1, MPI.INT, 0, TAG);
            assertThat(raises(MPI.ERR_BUFFER, request::start)).hasMessageContaining("no buffer is attached");
            MPI.attachBuffer(new byte[Integer.BYTES + MPI.BSEND_OVERHEAD]);
            request.start();
            request.waitFor();
            world.recv(new int[1], 1, MPI.INT, 0, TAG);
            assertThat(world.iProbe(0, TAG)).as("nothing else was sent").isNull();
        });
    }

    @Test
    void shouldCountBytesAndOverheadUntilAMessageHasLeft() {
        Worlds.run(2, (world, rank) -> {
            int room = 2 * (LONG_BYTES + MPI.BSEND_OVERHEAD);
            if (rank == 0) {
                MPI.attachBuffer(new byte[room - 1]);
                world.bSend(new int[LONG], LONG, MPI.INT, 1, TAG);
                assertThat(raises(MPI.ERR_BUFFER, () -> world.bSend(new int[LONG], LONG, MPI.INT, 1, TAG)))
                        .hasMessageContaining("needs " + (LONG_BYTES + 128) + " bytes")
                        .hasMessageContaining("of whose " + (room - 1) + " bytes " + (LONG_BYTES + 128));
                // A short message still finds room beside the long one.
                world.bSend(new int[1], 1, MPI.INT, 1, GO);
                world.recv(new int[0], 0, MPI.INT, 1, GO);
                // The long message has left the buffer, since rank 1 has received it.
                world.bSend(new int[LONG], LONG, MPI.INT, 1, TAG);
                MPI.detachBuffer();
                MPI.attachBuffer(new byte[room]);
                world.bSend(new int[LONG], LONG, MPI.INT, 1, TAG);
                world.bSend(new int[LONG], LONG, MPI.INT, 1, TAG);
                raises(MPI.ERR_BUFFER, () -> world.bSend(new int[LONG], LONG, MPI.INT, 1, TAG));
                world.send(new int[0], 0, MPI.INT, 1, GO);
            } else {
                world.recv(new int[1], 1, MPI.INT, 0, GO);
                world.recv(new int[LONG], LONG, MPI.INT, 0, TAG);
                world.send(new int[0], 0, MPI.INT, 0, GO);
                world.recv(new int[LONG], LONG, MPI.INT, 0, TAG);
                world.recv(new int[0], 0, MPI.INT, 0, GO);
                world.recv(new int[LONG], LONG, MPI.INT, 0, TAG);
                world.recv(new int[LONG], LONG, MPI.INT, 0, TAG);
            }
        });
    }

    @Test
    void shouldAttachOneBufferAtATime() {
        Worlds.run(2, (world, rank) -> {
            byte[] buffer = new byte[1000];
            assertThat(raises(MPI.ERR_BUFFER, MPI::detachBuffer))
                    .hasMessageContaining("detachBuffer: no buffer is attached");
            assertThat(raises(MPI.ERR_BUFFER, () -> MPI.attachBuffer(null)))
                    .hasMessageContaining("attachBuffer: buffer is null");
            MPI.attachBuffer(buffer);
            assertThat(raises(MPI.ERR_BUFFER, () -> MPI.attachBuffer(new byte[10])))
                    .hasMessageContaining("a buffer of 1000 bytes is attached already");
            assertThat(MPI.detachBuffer()).isSameAs(buffer);
            raises(MPI.ERR_BUFFER, MPI::detachBuffer);
            MPI.attachBuffer(new byte[0]);
            raises(MPI.ERR_BUFFER, () -> world.bSend(null, 0, MPI.INT, rank, TAG));
        });
    }

    @Test
    void shouldWaitInDetachUntilTheMessageWasReceived() {
        Meeting meeting = new Meeting(2);
        Worlds.run(2, (world, rank) -> {
            if (rank == 0) {
                MPI.attachBuffer(new byte[LONG_BYTES + MPI.BSEND_OVERHEAD]);
                world.bSend(new int[LONG], LONG, MPI.INT, 1, TAG);
                meeting.attend();
                MPI.detachBuffer();
                world.send(new int[0], 0, MPI.INT, 1, GO);
            } else {
                meeting.attend();
                for (double end = MPI.wtime() + 0.02; MPI.wtime() < end; ) {
                    assertThat(world.iProbe(0, GO)).as("rank 0 still waits").isNull();
                }
                world.recv(new int[LONG], LONG, MPI.INT, 0, TAG);
                world.recv(new int[0], 0, MPI.INT, 0, GO);
            }
        });
    }

    @Test
    void shouldWaitInFinalizeForWhatIsStillReceived() {
        LocalWorld.run(2, () -> {
                    MPI.Init(new String[0]);
                    Intracomm world = MPI.COMM_WORLD;
                    if (world.getRank() == 0) {
                        MPI.attachBuffer(new byte[LONG_BYTES + MPI.BSEND_OVERHEAD]);
                        int[] data = new int[LONG];
                        Arrays.fill(data, 7);
                        world.bSend(data, LONG, MPI.INT, 1, TAG);
                    } else {
                        int[] got = new int[LONG];
                        world.recv(got, LONG, MPI.INT, 0, TAG);
                        assertThat(Arrays.stream(got).allMatch(isEqualTo(7))).isTrue();
                    }
                    MPI.Finalize();
                })
                .requireSurvivorsSucceeded();
    }

    @Test
    void shouldNotFinalizeBeforeMessagesHaveLeft() {
        RankMain program = Programs.program(rank -> {
            if (rank == 0) {
                MPI.attachBuffer(new byte[LONG_BYTES + MPI.BSEND_OVERHEAD]);
                MPI.COMM_WORLD.bSend(new int[LONG], LONG, MPI.INT, 1, TAG);
            }
        });
        assertThatThrownBy(() -> SimWorld.of(2).run(program))
                .hasMessageContaining("in Finalize (send) on COMM_WORLD for rank 1, tag " + TAG + ", not received yet");
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 100_000})
    void shouldPackTypesWithGaps(int count) {
        Worlds.run(2, (world, rank) -> {
            Datatype every2nd = Datatype.createResized(MPI.INT, 0, 2 * Integer.BYTES);
            every2nd.commit();
            int[] data = new int[2 * count];
            if (rank == 0) {
                MPI.attachBuffer(new byte[2 * (count * Integer.BYTES + MPI.BSEND_OVERHEAD)]);
                Arrays.setAll(data, i -> i);
                world.bSend(data, count, every2nd, 1, TAG);
                world.ibSend(IntBuffer.wrap(data), count, every2nd, 1, TAG).waitFor();
                Arrays.fill(data, -1);
                world.send(new int[0], 0, MPI.INT, 1, GO);
                MPI.detachBuffer();
            } else {
                world.recv(new int[0], 0, MPI.INT, 0, GO);
                for (int i = 0; i < 2; i++) {
                    Message message = new Message();
                    assertThat(message.mProbe(0, TAG, world).getCount(every2nd)).isEqualTo(count);
                    Arrays.fill(data, -7);
                    if (i == 0) {
                        message.mRecv(data, count, every2nd);
                    } else {
                        message.imRecv(IntBuffer.wrap(data), count, every2nd).waitFor();
                    }
                    for (int j = 0; j < data.length; j++) {
                        assertThat(data[j]).isEqualTo(j % 2 == 0 ? j : -7);
                    }
                }
            }
        });
    }

    /**
     * Sends messages that are short enough to be sent eagerly, and more of them than the credit of a receiver that
     * takes none allows.
     */
    @Test
    void shouldKeepTheContentOfMessagesThatWaitForCredit() {
        int messages = 20;
        int count = 500;
        LocalWorld withLittleCredit = LocalWorld.of(2).settings(settings -> settings.withEager(4096, 16 * 1024));
        Worlds.run(withLittleCredit, (world, rank) -> {
            if (rank == 0) {
                MPI.attachBuffer(new byte[messages * (count * Integer.BYTES + MPI.BSEND_OVERHEAD)]);
                int[] data = new int[count];
                for (int i = 0; i < messages; i++) {
                    Arrays.fill(data, i);
                    world.bSend(data, count, MPI.INT, 1, TAG);
                }
                world.send(new int[0], 0, MPI.INT, 1, GO);
                MPI.detachBuffer();
            } else {
                world.recv(new int[0], 0, MPI.INT, 0, GO);
                int[] got = new int[count];
                for (int i = 0; i < messages; i++) {
                    world.recv(got, count, MPI.INT, 0, TAG);
                    assertThat(Arrays.stream(got).allMatch(isEqualTo(i))).isTrue();
                }
            }
        });
    }

    @Test
    void shouldNotWaitForTheDead() {
        survivorsSucceed(2, rank -> {
            Intracomm world = MPI.COMM_WORLD;
            if (rank == 1) {
                world.recv(new int[0], 0, MPI.INT, 0, GO);
            }
            dieIf(rank == 1);
            byte[] buffer = new byte[2 * (LONG_BYTES + MPI.BSEND_OVERHEAD)];
            MPI.attachBuffer(buffer);
            world.bSend(new int[LONG], LONG, MPI.INT, 1, TAG);
            world.send(new int[0], 0, MPI.INT, 1, GO);
            assertThat(MPI.detachBuffer()).isSameAs(buffer);
            awaitFailed(world, 1);
            raises(MPI.ERR_BUFFER, () -> world.bSend(new int[1], 1, MPI.INT, 1, TAG));
            MPI.attachBuffer(buffer);
            raises(MPI.ERR_PROC_FAILED, () -> world.bSend(new int[1], 1, MPI.INT, 1, TAG));
            raises(MPI.ERR_PROC_FAILED, world.ibSend(ints(1), 1, MPI.INT, 1, TAG)::waitFor);
        });
    }

    @Test
    void shouldNotWaitOnARevokedCommunicator() {
        Worlds.run(2, (world, rank) -> {
            Intracomm comm = world.dup();
            if (rank == 0) {
                MPI.attachBuffer(new byte[LONG_BYTES + MPI.BSEND_OVERHEAD]);
                comm.bSend(new int[LONG], LONG, MPI.INT, 1, TAG);
                comm.revoke();
                MPI.detachBuffer();
                MPI.attachBuffer(new byte[1000]);
                raises(MPI.ERR_REVOKED, () -> comm.bSend(new int[1], 1, MPI.INT, 1, TAG));
                raises(MPI.ERR_REVOKED, () -> comm.bSend(null, 0, MPI.INT, MPI.PROC_NULL, TAG));
            }
        });
    }

    @Test
    void shouldWaitForMessagesOfAFreedCommunicator() {
        Worlds.run(2, (world, rank) -> {
            Intracomm comm = world.dup();
            if (rank == 0) {
                MPI.attachBuffer(new byte[LONG_BYTES + MPI.BSEND_OVERHEAD]);
                comm.bSend(new int[LONG], LONG, MPI.INT, 1, TAG);
                comm.free();
                MPI.detachBuffer();
            } else {
                comm.recv(new int[LONG], LONG, MPI.INT, 0, TAG);
                comm.free();
            }
        });
    }

    @Test
    void shouldCheckArgumentsAndSendToNoRank() {
        Worlds.run(1, (world, rank) -> {
            world.bSend(new int[1], 1, MPI.INT, MPI.PROC_NULL, TAG);
            assertThat(world.ibSend(ints(1), 1, MPI.INT, MPI.PROC_NULL, TAG)
                            .waitStatus()
                            .getSource())
                    .isEqualTo(MPI.PROC_NULL);
            raises(MPI.ERR_RANK, () -> world.bSend(new int[1], 1, MPI.INT, 3, TAG));
            raises(MPI.ERR_TAG, () -> world.bSend(new int[1], 1, MPI.INT, 0, -1));
            raises(MPI.ERR_COUNT, () -> world.bSend(new int[1], -1, MPI.INT, 0, TAG));
            raises(MPI.ERR_TYPE, () -> world.bSend(new int[1], 1, null, 0, TAG));
            raises(MPI.ERR_BUFFER, () -> world.bSend(new int[1], 2, MPI.INT, 0, TAG));
            raises(MPI.ERR_RANK, () -> world.ibSend(ints(1), 1, MPI.INT, 3, TAG));
            assertThatThrownBy(() -> world.ibSend(null, 1, MPI.INT, 0, TAG))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("ibSend");
        });
    }

    private static IntBuffer filled(int count, int content) {
        return fill(MPI.newIntBuffer(count), content);
    }

    private static IntBuffer fill(IntBuffer buffer, int content) {
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, content);
        }
        return buffer;
    }
}
