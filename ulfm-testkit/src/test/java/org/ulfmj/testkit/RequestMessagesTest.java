package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.ints;
import static org.ulfmj.testkit.Programs.raises;

import java.nio.IntBuffer;
import java.nio.LongBuffer;
import mpi.MPI;
import mpi.Request;
import mpi.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests messages of non-blocking sends and receives: their content and status in standard, synchronous and ready mode,
 * the order in which they are matched, and the error of one that is too long.
 */
class RequestMessagesTest {
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
