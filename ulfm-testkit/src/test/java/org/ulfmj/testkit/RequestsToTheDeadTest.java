package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.awaitFailed;
import static org.ulfmj.testkit.Programs.dieIf;
import static org.ulfmj.testkit.Programs.errorClass;
import static org.ulfmj.testkit.Programs.ints;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.nio.IntBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shows how requests end whose peer dies, and that requests with other peers are not affected. */
class RequestsToTheDeadTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final int LONG = 1 << 20;

    @ParameterizedTest
    @ValueSource(ints = {1, LONG})
    void shouldRaiseADeathWhenASendIsCompletedAndNeverWhenItIsStarted(int count) {
        survivorsSucceed(2, rank -> {
            dieIf(rank == 1);
            IntBuffer out = MPI.newIntBuffer(count);
            for (int i = 0; i < 20; i++) {
                // The death of rank 1 may become known before, in or after this loop.
                Request early = WORLD.iSend(out, count, MPI.INT, 1, 0);
                assertThat(errorClass(early::waitFor)).isIn(MPI.SUCCESS, MPI.ERR_PROC_FAILED);
            }
            awaitFailed(WORLD, 1);
            Request[] sends = {
                WORLD.iSend(out, count, MPI.INT, 1, 0),
                WORLD.isSend(out, count, MPI.INT, 1, 0),
                WORLD.irSend(out, count, MPI.INT, 1, 0)
            };
            for (Request send : sends) {
                assertThat(send.isNull()).isFalse();
                MPIException failed = raises(MPI.ERR_PROC_FAILED, send::waitStatus);
                assertThat(failed.getFailedRanks()).containsExactly(1);
                assertThat(failed.getComm()).isSameAs(WORLD);
                assertThat(failed.getStatuses()[0].getError()).isEqualTo(MPI.ERR_PROC_FAILED);
                assertThat(failed.getStatuses()[0].getSource()).isEqualTo(1);
                assertThat(send.isNull()).isTrue();
                send.waitFor();
            }
        });
    }

    @Test
    void shouldFailAReceiveFromADeadRankWhetherPostedBeforeOrAfter() {
        Meeting posted = new Meeting(2);
        survivorsSucceed(2, rank -> {
            if (rank == 1) {
                posted.attend();
                Faults.die();
            }
            Request before = WORLD.iRecv(ints(0), 1, MPI.INT, 1, 0);
            posted.attend();
            MPIException failed = raises(MPI.ERR_PROC_FAILED, before::waitFor);
            assertThat(failed.getStatuses()[0].getSource()).isEqualTo(1);
            Request after = WORLD.iRecv(ints(0), 1, MPI.INT, 1, 0);
            assertThat(after.getStatus().getError()).isEqualTo(MPI.ERR_PROC_FAILED);
            assertThat(after.isNull()).isFalse();
            raises(MPI.ERR_PROC_FAILED, after::test);
            assertThat(after.test()).isTrue();
        });
    }

    @Test
    void shouldNotDisturbRequestsAmongSurvivors() {
        survivorsSucceed(4, rank -> {
            dieIf(rank == 1);
            int[] alive = {0, 2, 3};
            for (int round = 0; round < 30; round++) {
                Request[] requests = new Request[4];
                IntBuffer[] in = new IntBuffer[2];
                int count = 0;
                for (int other : alive) {
                    if (other != rank) {
                        in[count / 2] = ints(-1);
                        requests[count++] = WORLD.iRecv(in[count / 2], 1, MPI.INT, other, round);
                        requests[count++] = WORLD.iSend(ints(10 * rank + round), 1, MPI.INT, other, round);
                    }
                }
                Status[] statuses = Request.waitAllStatus(requests);
                for (int i = 0; i < 2; i++) {
                    assertThat(in[i].get(0)).isEqualTo(10 * statuses[2 * i].getSource() + round);
                }
            }
        });
    }

    @Test
    void shouldKeepTheResultOfACompleteRequestWhateverHappensLater() {
        survivorsSucceed(2, rank -> {
            Intracomm comm = WORLD.dup();
            if (rank == 1) {
                comm.send(new int[] {3}, 1, MPI.INT, 0, 0);
                comm.recv(new int[1], 1, MPI.INT, 0, 1);
                Faults.die();
            }
            IntBuffer in = ints(0);
            Request receive = comm.iRecv(in, 1, MPI.INT, 1, 0);
            Request send = comm.iSend(ints(1), 1, MPI.INT, 1, 1);
            while (receive.getStatus() == null || send.getStatus() == null) {
                Thread.onSpinWait();
            }
            awaitFailed(comm, 1);
            comm.revoke();
            Request.waitAll(new Request[] {receive, send});
            assertThat(in.get(0)).isEqualTo(3);
        });
    }

    @Test
    void shouldDeliverWhatHadArrivedWholeBeforeItsSenderDied() {
        survivorsSucceed(2, rank -> {
            if (rank == 1) {
                WORLD.send(new int[] {3}, 1, MPI.INT, 0, 0);
                Faults.die();
            }
            awaitFailed(WORLD, 1);
            IntBuffer in = ints(0);
            WORLD.iRecv(in, 1, MPI.INT, MPI.ANY_SOURCE, 0).waitFor();
            assertThat(in.get(0)).isEqualTo(3);
        });
    }

    @Test
    void shouldCancelAndFreeRequestsToTheDead() {
        survivorsSucceed(2, rank -> {
            dieIf(rank == 1);
            Request heldUp = WORLD.iRecv(ints(0), 1, MPI.INT, MPI.ANY_SOURCE, 0);
            Request freed = WORLD.iRecv(ints(0), 1, MPI.INT, MPI.ANY_SOURCE, 0);
            raises(MPI.ERR_PROC_FAILED_PENDING, heldUp::waitFor);
            heldUp.cancel();
            assertThat(heldUp.waitStatus().isCancelled()).isTrue();
            freed.free();
            Request failed = WORLD.iRecv(ints(0), 1, MPI.INT, 1, 0);
            failed.cancel();
            raises(MPI.ERR_PROC_FAILED, failed::waitFor);
            WORLD.iSend(ints(0), 1, MPI.INT, 1, 0).free();
        });
    }
}
