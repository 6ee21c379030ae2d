package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.dieIf;
import static org.ulfmj.testkit.Programs.errorClass;
import static org.ulfmj.testkit.Programs.ints;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.nio.IntBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ProcFailedPendingException;
import mpi.Request;
import mpi.Status;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * Tests receives from any source that a failure holds up: waits and tests report ERR_PROC_FAILED_PENDING, the request
 * stays active, and it completes with a message that comes later.
 */
class HeldUpRequestsTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;

    /**
     * Shows that, while a failure is not acknowledged, calls that wait for or test a receive from any source report
     * PROC_FAILED_PENDING (waitAllStatus in the status) and leave the request active.
     */
    @Test
    void shouldHoldUpAReceiveFromAnySourceUntilTheFailureIsAcknowledged() {
        Meeting pended = new Meeting(2);
        survivorsSucceed(3, rank -> {
            dieIf(rank == 1);
            if (rank == 2) {
                pended.attend();
                WORLD.send(new int[] {5}, 1, MPI.INT, 0, 3);
                return;
            }
            IntBuffer in = ints(0);
            Request receive = WORLD.iRecv(in, 1, MPI.INT, MPI.ANY_SOURCE, 3);
            Request[] one = {MPI.REQUEST_NULL, receive};
            ThrowingCallable[] calls = {
                receive::waitFor,
                receive::waitStatus,
                receive::test,
                receive::testStatus,
                receive::getStatus,
                () -> Request.waitAny(one),
                () -> Request.testAny(one),
                () -> Request.waitAll(one),
                () -> Request.testAll(one),
                () -> Request.waitSome(one),
                () -> Request.testSome(one)
            };
            for (ThrowingCallable call : calls) {
                MPIException pending = raises(MPI.ERR_PROC_FAILED_PENDING, call);
                assertThat(pending).isInstanceOf(ProcFailedPendingException.class);
                Status[] statuses = pending.getStatuses();
                Status status = statuses[statuses.length - 1];
                assertThat(status.getError()).isEqualTo(MPI.ERR_PROC_FAILED_PENDING);
                assertThat(status.getSource()).isEqualTo(MPI.ANY_SOURCE);
                assertThat(receive.isNull()).isFalse();
            }
            MPIException inStatus = raises(MPI.ERR_IN_STATUS, () -> Request.waitAllStatus(one));
            assertThat(inStatus.getStatuses()[1].getError()).isEqualTo(MPI.ERR_PROC_FAILED_PENDING);
            assertThat(inStatus.getStatuses()[1].getIndex()).isEqualTo(1);

            assertThat(WORLD.ackFailed()).isEqualTo(1);
            assertThat(receive.test()).isFalse();
            pended.attend();
            Status received = receive.waitStatus();
            assertThat(received.getSource()).isEqualTo(2);
            assertThat(in.get(0)).isEqualTo(5);
        });
    }

    @Test
    void shouldCompleteAReceiveThatIsHeldUpWhenAMessageComesAllTheSame() {
        Meeting pended = new Meeting(2);
        survivorsSucceed(3, rank -> {
            dieIf(rank == 1);
            if (rank == 2) {
                pended.attend();
                WORLD.send(new int[] {5}, 1, MPI.INT, 0, 3);
                return;
            }
            IntBuffer in = ints(0);
            Request receive = WORLD.iRecv(in, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
            raises(MPI.ERR_PROC_FAILED_PENDING, receive::waitFor);
            pended.attend();
            while (errorClass(receive::waitFor) == MPI.ERR_PROC_FAILED_PENDING) {
                Thread.yield();
            }
            assertThat(in.get(0)).isEqualTo(5);
            assertThat(WORLD.ackFailed(0)).isZero();
        });
    }

    @Test
    void shouldWakeAWaitForSeveralWhenAFailureHoldsOneUp() {
        survivorsSucceed(3, rank -> {
            if (rank == 2) {
                WORLD.recv(new int[1], 1, MPI.INT, 0, 0);
                Faults.die();
            }
            if (rank == 1) {
                WORLD.recv(new int[1], 1, MPI.INT, 0, 1);
                WORLD.send(new int[1], 1, MPI.INT, 0, 1);
                WORLD.send(new int[1], 1, MPI.INT, 0, 2);
                return;
            }
            Request[] requests = {
                WORLD.iRecv(ints(0), 1, MPI.INT, 1, 1), WORLD.iRecv(ints(0), 1, MPI.INT, MPI.ANY_SOURCE, 2)
            };
            WORLD.send(new int[1], 1, MPI.INT, 2, 0);
            MPIException pending = raises(MPI.ERR_PROC_FAILED_PENDING, () -> Request.waitAny(requests));
            assertThat(pending.getStatuses()[0].getIndex()).isEqualTo(1);
            pending = raises(MPI.ERR_PROC_FAILED_PENDING, () -> Request.waitAll(requests));
            assertThat(pending.getStatuses()[0].getError()).isEqualTo(MPI.ERR_PENDING);
            WORLD.ackFailed();
            WORLD.send(new int[1], 1, MPI.INT, 1, 1);
            Request.waitAll(requests);
        });
    }
}
