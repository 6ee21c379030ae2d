package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ulfmj.testkit.Programs.awaitFailed;
import static org.ulfmj.testkit.Programs.dieIf;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.nio.IntBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests persistent requests, which are started again and again. */
class PersistentRequestsTest {
    private static final int ROUNDS = 5;
    private static final int LONG = 1 << 18;

    private static void fill(IntBuffer buffer, int seed) {
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, seed + i);
        }
    }

    private static void requireFilled(IntBuffer buffer, int seed) {
        for (int i = 0; i < buffer.capacity(); i++) {
            assertThat(buffer.get(i)).isEqualTo(seed + i);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1000, LONG})
    void shouldSendWhatTheBufferHoldsAtEachStartWhenInAnyMode(int count) {
        Worlds.run(2, (world, rank) -> {
            MPI.attachBuffer(new byte[ROUNDS * (count * Integer.BYTES + MPI.BSEND_OVERHEAD)]);
            IntBuffer[] buffers = new IntBuffer[4];
            Prequest[] requests = new Prequest[buffers.length];
            for (int mode = 0; mode < buffers.length; mode++) {
                buffers[mode] = MPI.newIntBuffer(count);
                requests[mode] = rank == 1
                        ? world.recvInit(buffers[mode], count, MPI.INT, 0, mode)
                        : sendInit(world, mode, buffers[mode]);
            }
            for (int round = 0; round < ROUNDS; round++) {
                if (rank == 0) {
                    for (int mode = 0; mode < buffers.length; mode++) {
                        fill(buffers[mode], 100 * round + mode);
                    }
                    // A sender in ready mode must know that the receive is posted: rank 0 waits for a message of rank 1
                    // that says so.
                    world.recv(new int[0], 0, MPI.INT, 1, 9);
                }
                Prequest.startAll(requests);
                if (rank == 1) {
                    world.send(new int[0], 0, MPI.INT, 0, 9);
                }
                Status[] statuses = Request.waitAllStatus(requests);
                for (int mode = 0; rank == 1 && mode < buffers.length; mode++) {
                    assertThat(statuses[mode].getSource()).isZero();
                    assertThat(statuses[mode].getTag()).isEqualTo(mode);
                    assertThat(statuses[mode].getCount(MPI.INT)).isEqualTo(count);
                    requireFilled(buffers[mode], 100 * round + mode);
                }
            }
        });
    }

    private static Prequest sendInit(Intracomm world, int mode, IntBuffer buffer) {
        int count = buffer.capacity();
        return switch (mode) {
            case 0 -> world.sendInit(buffer, count, MPI.INT, 1, mode);
            case 1 -> world.sSendInit(buffer, count, MPI.INT, 1, mode);
            case 2 -> world.rSendInit(buffer, count, MPI.INT, 1, mode);
            default -> world.bSendInit(buffer, count, MPI.INT, 1, mode);
        };
    }

    @Test
    void shouldBeInactiveBetweenStartsAndNullOnlyWhenFreed() {
        Worlds.run(1, (world, rank) -> {
            IntBuffer in = MPI.newIntBuffer(1);
            Prequest receive = world.recvInit(in, 1, MPI.INT, 0, 3);
            for (int round = 0; round < ROUNDS; round++) {
                assertThat(receive.isNull()).isFalse();
                receive.waitFor();
                assertThat(receive.test()).isTrue();
                assertThat(receive.waitStatus().getSource()).isEqualTo(MPI.ANY_SOURCE);
                assertThat(Request.waitAny(new Request[] {receive})).isEqualTo(MPI.UNDEFINED);
                receive.start();
                assertThat(receive.test()).isFalse();
                world.send(new int[] {round}, 1, MPI.INT, 0, 3);
                assertThat(receive.waitStatus().getTag()).isEqualTo(3);
                assertThat(in.get(0)).isEqualTo(round);
            }
            receive.free();
            assertThat(receive.isNull()).isTrue();
            assertThat(raises(MPI.ERR_REQUEST, receive::start)).hasMessageContaining("the request was freed");
        });
    }

    @Test
    void shouldStartNoneWhenOneIsUnderWay() {
        Worlds.run(1, (world, rank) -> {
            IntBuffer in = MPI.newIntBuffer(1);
            Prequest idle = world.recvInit(in, 1, MPI.INT, 0, 1);
            Prequest busy = world.recvInit(in, 1, MPI.INT, 0, 2);
            busy.start();
            assertThat(raises(MPI.ERR_REQUEST, busy::start)).hasMessageContaining("the request is under way");
            Prequest[] both = {idle, busy};
            assertThat(raises(MPI.ERR_REQUEST, () -> Prequest.startAll(both)))
                    .hasMessageContaining("requests[1] is under way");
            raises(MPI.ERR_REQUEST, () -> Prequest.startAll(null));
            raises(MPI.ERR_REQUEST, () -> Prequest.startAll(new Prequest[] {null}));
            idle.waitFor();
            busy.cancel();
            assertThat(busy.waitStatus().isCancelled()).isTrue();
            busy.start();
            busy.cancel();
            busy.waitFor();
        });
    }

    @Test
    void shouldStartNoneWhenOneIsGivenTwice() {
        Worlds.run(1, (world, rank) -> {
            IntBuffer in = MPI.newIntBuffer(1);
            Prequest one = world.recvInit(in, 1, MPI.INT, 0, 1);
            Prequest other = world.recvInit(in, 1, MPI.INT, 0, 2);
            Prequest[] twice = {one, other, one};
            assertThat(raises(MPI.ERR_REQUEST, () -> Prequest.startAll(twice)))
                    .hasMessageContaining("requests[2] is given twice; allowed: each request once");
            Prequest[] once = {one, other};
            Request.waitAll(once);
            Prequest.startAll(once);
            one.cancel();
            other.cancel();
            Request.waitAll(once);
        });
    }

    @Test
    void shouldStayUsableWhenFreeIsRefused() {
        Worlds.run(1, (world, rank) -> {
            Prequest receive = world.recvInit(MPI.newIntBuffer(1), 1, MPI.INT, 0, 3);
            receive.start();
            Thread other = new Thread(MPI.bindThread(receive::waitFor));
            other.start();
            ThreadsInMpi.await(other);
            assertThat(raises(MPI.ERR_REQUEST, receive::free))
                    .hasMessageContaining("is being completed by another call");
            world.send(new int[1], 1, MPI.INT, 0, 3);
            other.join();
            assertThat(receive.isNull()).isFalse();
            receive.start();
            receive.cancel();
            receive.waitFor();
            receive.free();
            assertThat(receive.isNull()).isTrue();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5_000, LONG})
    void shouldBeOverAtOnceWhenTheSendIsBuffered(int count) {
        Worlds.run(2, (world, rank) -> {
            IntBuffer buffer = MPI.newIntBuffer(count);
            if (rank == 0) {
                MPI.attachBuffer(new byte[ROUNDS * (count * Integer.BYTES + MPI.BSEND_OVERHEAD)]);
                Prequest send = world.bSendInit(buffer, count, MPI.INT, 1, 0);
                for (int round = 0; round < ROUNDS; round++) {
                    fill(buffer, round);
                    send.start();
                    assertThat(send.test()).isTrue();
                }
                world.send(new int[0], 0, MPI.INT, 1, 1);
            } else {
                world.recv(new int[0], 0, MPI.INT, 0, 1);
                for (int round = 0; round < ROUNDS; round++) {
                    world.recv(buffer, count, MPI.INT, 0, 0);
                    requireFilled(buffer, round);
                }
            }
        });
    }

    @Test
    void shouldRaiseADeathAtEachCompletionAndNeverAtAStart() {
        survivorsSucceed(2, rank -> {
            dieIf(rank == 1);
            Intracomm world = MPI.COMM_WORLD;
            IntBuffer buffer = MPI.newIntBuffer(1);
            awaitFailed(world, 1);
            MPI.attachBuffer(new byte[1000]);
            Prequest[] requests = {
                world.sendInit(buffer, 1, MPI.INT, 1, 0),
                world.bSendInit(buffer, 1, MPI.INT, 1, 0),
                world.recvInit(buffer, 1, MPI.INT, 1, 0)
            };
            for (int round = 0; round < ROUNDS; round++) {
                for (Prequest request : requests) {
                    request.start();
                    assertThat(raises(MPI.ERR_PROC_FAILED, request::waitFor).getFailedRanks())
                            .containsExactly(1);
                    assertThat(request.isNull()).isFalse();
                }
            }
            world.revoke();
            requests[2].start();
            raises(MPI.ERR_REVOKED, requests[2]::waitFor);
        });
    }

    @Test
    void shouldSendToNoRankAndRefuseBuffersThatDoNotFit() {
        Worlds.run(1, (world, rank) -> {
            Prequest nobody = world.sendInit(null, 0, MPI.INT, MPI.PROC_NULL, 0);
            nobody.start();
            assertThat(nobody.waitStatus().getSource()).isEqualTo(MPI.PROC_NULL);
            IntBuffer one = MPI.newIntBuffer(1);
            assertThat(raises(MPI.ERR_BUFFER, () -> world.sendInit(one, 2, MPI.INT, 0, 0)))
                    .hasMessageContaining("sendInit")
                    .hasMessageContaining("count is 2");
            assertThatThrownBy(() -> world.recvInit(one.asReadOnlyBuffer(), 1, MPI.INT, 0, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("recvInit: buf is a read-only buffer");
        });
    }
}
