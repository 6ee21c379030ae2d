package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.awaitFailed;
import static org.ulfmj.testkit.Programs.dieIf;
import static org.ulfmj.testkit.Programs.errorClass;
import static org.ulfmj.testkit.Programs.failedRanks;
import static org.ulfmj.testkit.Programs.program;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests properties of messages between ranks when a rank fails: waits for that rank end, and messages keep their order
 * and content.
 */
class PointToPointPropertiesTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;

    /** Ways to wait for rank 1; the death of rank 1 must end each. */
    private enum Wait {
        RECV,
        RECV_ANY,
        PROBE,
        PROBE_ANY,
        SYNCHRONOUS_SEND,
        LONG_SEND,
        SEND_RECV,
        BARRIER,
        REDUCE
    }

    @Test
    void shouldEndEveryWaitForARankThatDies() {
        for (Wait wait : Wait.values()) {
            LocalResult result = LocalWorld.run(2, program(rank -> {
                if (rank == 0) {
                    MPIException exception = raises(MPI.ERR_PROC_FAILED, () -> await(wait));
                    assertThat(exception.getFailedRanks()).as("%s", wait).containsExactly(1);
                } else {
                    Faults.die();
                }
            }));
            result.requireSurvivorsSucceeded();
        }
    }

    private static void await(Wait wait) {
        int[] data = new int[1 << 18];
        switch (wait) {
            case RECV -> WORLD.recv(data, 1, MPI.INT, 1, 1);
            case RECV_ANY -> WORLD.recv(data, 1, MPI.INT, MPI.ANY_SOURCE, 1);
            case PROBE -> WORLD.probe(1, 1);
            case PROBE_ANY -> WORLD.probe(MPI.ANY_SOURCE, 1);
            case SYNCHRONOUS_SEND -> WORLD.sSend(data, 1, MPI.INT, 1, 1);
            case LONG_SEND -> WORLD.send(data, data.length, MPI.INT, 1, 1);
            case SEND_RECV -> WORLD.sendRecv(data, 1, MPI.INT, 1, 1, new int[1], 1, MPI.INT, 1, 1);
            case BARRIER -> WORLD.barrier();
            default -> WORLD.reduce(data, 1, MPI.INT, MPI.SUM, 0);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1000, 16_000})
    void shouldDeliverAMessageThatHadArrivedWholeFromADeadRank(int count) {
        survivorsSucceed(3, rank -> {
            if (rank == 1) {
                int[] data = new int[count];
                for (int i = 0; i < 3; i++) {
                    Arrays.fill(data, i + 1);
                    WORLD.send(data, count, MPI.INT, 0, i);
                }
                Faults.die();
            }
            if (rank == 0) {
                awaitFailed(WORLD, 1);
                Status probed = WORLD.probe(1, 2);
                assertThat(probed.getCount(MPI.INT)).isEqualTo(count);
                for (int i : new int[] {2, 0, 1}) {
                    int[] data = new int[count];
                    Status status = WORLD.recv(data, count, MPI.INT, i == 1 ? MPI.ANY_SOURCE : 1, i);
                    assertThat(data).containsOnly(count == 0 ? new int[0] : new int[] {i + 1});
                    assertThat(status.getSource()).isEqualTo(1);
                    assertThat(status.getTag()).isEqualTo(i);
                    assertThat(status.getCount(MPI.INT)).isEqualTo(count);
                }
                raises(MPI.ERR_PROC_FAILED, () -> WORLD.recv(new int[count], count, MPI.INT, 1, 0));
            }
        });
    }

    @Test
    void shouldNotDeliverALongMessageThatItsDeadSenderStillHas() {
        survivorsSucceed(LocalWorld.of(2), rank -> {
            int count = 1 << 20;
            if (rank == 1) {
                Thread sender = new Thread(MPI.bindThread(() -> {
                    try {
                        WORLD.send(new int[count], count, MPI.INT, 0, 1);
                    } catch (RankKilledError expected) {
                        Thread.yield();
                    }
                }));
                sender.start();
                WORLD.recv(new int[1], 1, MPI.INT, 0, 2);
                Faults.die();
            }
            // The receiver has got the announcement (RTS) of the long message and not its payload: the message can be
            // probed, but not received.
            assertThat(WORLD.probe(1, 1).getCount(MPI.INT)).isEqualTo(count);
            WORLD.send(new int[1], 1, MPI.INT, 1, 2);
            awaitFailed(WORLD, 1);
            raises(MPI.ERR_PROC_FAILED, () -> WORLD.recv(new int[count], count, MPI.INT, 1, 1));
        });
    }

    @Test
    void shouldRaiseNothingForTheDeathOfARankOutsideTheCommunicator() {
        Meeting made = new Meeting(4);
        survivorsSucceed(4, rank -> {
            Intracomm pair = WORLD.split(rank / 2, rank);
            made.attend();
            dieIf(rank == 3);
            if (rank < 2) {
                awaitFailed(WORLD, 3);
                int[] data = {rank};
                if (rank == 0) {
                    pair.recv(data, 1, MPI.INT, MPI.ANY_SOURCE, 0);
                    assertThat(data[0]).isEqualTo(1);
                } else {
                    pair.send(data, 1, MPI.INT, 0, 0);
                }
                pair.barrier();
                assertThat(pair.agree(rank + 2)).isEqualTo(2);
                assertThat(failedRanks(pair)).isEmpty();
            }
        });
    }

    @Test
    void shouldKeepTheOrderOfMessagesOfSurvivorsWhenOthersFail() {
        int messages = 400;
        survivorsSucceed(5, rank -> {
            if (rank == 0) {
                int[] next = new int[5];
                int[] data = new int[1];
                while (next[1] + next[2] < 2 * messages) {
                    int error = errorClass(() -> {
                        Status status = WORLD.recv(data, 1, MPI.INT, MPI.ANY_SOURCE, 1);
                        assertThat(data[0]).isEqualTo(next[status.getSource()]++);
                    });
                    if (error != MPI.SUCCESS) {
                        assertThat(error).isEqualTo(MPI.ERR_PROC_FAILED);
                        WORLD.ackFailed();
                    }
                }
                assertThat(next[1]).isEqualTo(messages);
                assertThat(next[2]).isEqualTo(messages);
            } else {
                for (int i = 0; i < messages; i++) {
                    dieIf(i == 20 * rank && rank > 2);
                    WORLD.send(new int[] {i}, 1, MPI.INT, 0, 1);
                }
            }
        });
    }
}
