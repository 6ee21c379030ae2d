package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.awaitFailed;
import static org.ulfmj.testkit.Programs.awaitRevoked;
import static org.ulfmj.testkit.Programs.errorClass;
import static org.ulfmj.testkit.Programs.program;
import static org.ulfmj.testkit.Programs.raises;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ProcFailedPendingException;
import mpi.Request;
import mpi.RevokedException;
import mpi.Status;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests whose peers die and whose communicators are revoked. */
class RequestFailuresTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final int LONG = 1 << 20;

    private static IntBuffer ints(int... values) {
        return MPI.newIntBuffer(values.length).put(values).clear();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, LONG})
    void shouldRaiseADeathWhenASendIsCompletedAndNeverWhenItIsStarted(int count) {
        LocalWorld.run(2, program(rank -> {
                    if (rank == 1) {
                        Faults.die();
                    }
                    IntBuffer out = MPI.newIntBuffer(count);
                    for (int i = 0; i < 20; i++) {
                        // The death becomes known at some point of this loop.
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
                }))
                .requireSurvivorsSucceeded();
    }

    @Test
    void shouldFailAReceiveFromADeadRankWhetherPostedBeforeOrAfter() {
        Meeting posted = new Meeting(2);
        LocalWorld.run(2, program(rank -> {
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
                }))
                .requireSurvivorsSucceeded();
    }

    /** Of the ways to complete a request, each must say that it is held up and leave it active. */
    @Test
    void shouldHoldUpAReceiveFromAnySourceUntilTheFailureIsAcknowledged() {
        Meeting pended = new Meeting(2);
        LocalWorld.run(3, program(rank -> {
                    if (rank == 1) {
                        Faults.die();
                    }
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
                }))
                .requireSurvivorsSucceeded();
    }

    @Test
    void shouldCompleteAReceiveThatIsHeldUpWhenAMessageComesAllTheSame() {
        Meeting pended = new Meeting(2);
        LocalWorld.run(3, program(rank -> {
                    if (rank == 1) {
                        Faults.die();
                    }
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
                }))
                .requireSurvivorsSucceeded();
    }

    @Test
    void shouldWakeAWaitForSeveralWhenAFailureHoldsOneUp() {
        LocalWorld.run(3, program(rank -> {
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
                }))
                .requireSurvivorsSucceeded();
    }

    @Test
    void shouldNotDisturbRequestsAmongSurvivors() {
        LocalWorld.run(4, program(rank -> {
                    if (rank == 1) {
                        Faults.die();
                    }
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
                }))
                .requireSurvivorsSucceeded();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTellOfEachRequestHowItStandsWhenOneFailed(boolean waits) {
        Meeting ready = new Meeting(2);
        LocalWorld.run(3, program(rank -> {
                    if (rank == 1) {
                        Faults.die();
                    }
                    if (rank == 2) {
                        WORLD.send(new int[] {4}, 1, MPI.INT, 0, 0);
                        ready.attend();
                        WORLD.send(new int[] {6}, 1, MPI.INT, 0, 1);
                        return;
                    }
                    awaitFailed(WORLD, 1);
                    WORLD.probe(2, 0);
                    IntBuffer first = ints(0);
                    IntBuffer third = ints(0);
                    Request[] requests = {
                        WORLD.iRecv(first, 1, MPI.INT, 2, 0),
                        WORLD.iRecv(ints(0), 1, MPI.INT, 1, 0),
                        WORLD.iRecv(third, 1, MPI.INT, 2, 1),
                        WORLD.iSend(ints(0), 1, MPI.INT, 1, 0),
                        MPI.REQUEST_NULL
                    };
                    MPIException failed = raises(MPI.ERR_PROC_FAILED, () -> {
                        if (waits) {
                            Request.waitAll(requests);
                        } else {
                            Request.testAll(requests);
                        }
                    });
                    assertThat(failed.getMessage()).contains("2 of 5 requests have an error; requests[1], ");
                    Status[] statuses = failed.getStatuses();
                    assertThat(statuses)
                            .extracting(Status::getError)
                            .containsExactly(
                                    MPI.SUCCESS,
                                    MPI.ERR_PROC_FAILED,
                                    MPI.ERR_PENDING,
                                    MPI.ERR_PROC_FAILED,
                                    MPI.SUCCESS);
                    assertThat(statuses[1].getSource()).isEqualTo(1);
                    assertThat(first.get(0)).isEqualTo(4);
                    assertThat(requests).extracting(Request::isNull).containsExactly(true, true, false, true, true);
                    ready.attend();
                    Request.waitAll(requests);
                    assertThat(third.get(0)).isEqualTo(6);
                }))
                .requireSurvivorsSucceeded();
    }

    @Test
    void shouldNameTheOneThatFailedOfSeveralAndListSomeWithTheirErrors() {
        Meeting ready = new Meeting(2);
        LocalWorld.run(3, program(rank -> {
                    if (rank == 1) {
                        Faults.die();
                    }
                    if (rank == 2) {
                        ready.attend();
                        WORLD.send(new int[] {4}, 1, MPI.INT, 0, 0);
                        return;
                    }
                    awaitFailed(WORLD, 1);
                    Request[] requests = {
                        WORLD.iRecv(ints(0), 1, MPI.INT, 2, 0),
                        WORLD.iRecv(ints(0), 1, MPI.INT, MPI.ANY_SOURCE, 1),
                        WORLD.iRecv(ints(0), 1, MPI.INT, 1, 0),
                        WORLD.iRecv(ints(0), 1, MPI.INT, 1, 1)
                    };
                    MPIException any = raises(MPI.ERR_PROC_FAILED, () -> Request.waitAnyStatus(requests));
                    assertThat(any.getStatuses()[0].getIndex()).isEqualTo(2);
                    MPIException some = raises(MPI.ERR_IN_STATUS, () -> Request.waitSomeStatus(requests));
                    assertThat(some.getStatuses()).extracting(Status::getIndex).containsExactly(1, 3);
                    assertThat(some.getStatuses())
                            .extracting(Status::getError)
                            .containsExactly(MPI.ERR_PROC_FAILED_PENDING, MPI.ERR_PROC_FAILED);
                    assertThat(requests).extracting(Request::isNull).containsExactly(false, false, true, true);
                    raises(MPI.ERR_PROC_FAILED_PENDING, () -> Request.waitSome(requests));
                    requests[1].cancel();
                    assertThat(Request.waitSome(requests)).containsExactly(1);
                    ready.attend();
                    assertThat(Request.waitSome(requests)).containsExactly(0);
                }))
                .requireSurvivorsSucceeded();
    }

    @Test
    void shouldKeepTheResultOfACompleteRequestWhateverHappensLater() {
        LocalWorld.run(2, program(rank -> {
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
                }))
                .requireSurvivorsSucceeded();
    }

    @Test
    void shouldDeliverWhatHadArrivedWholeBeforeItsSenderDied() {
        LocalWorld.run(2, program(rank -> {
                    if (rank == 1) {
                        WORLD.send(new int[] {3}, 1, MPI.INT, 0, 0);
                        Faults.die();
                    }
                    awaitFailed(WORLD, 1);
                    IntBuffer in = ints(0);
                    WORLD.iRecv(in, 1, MPI.INT, MPI.ANY_SOURCE, 0).waitFor();
                    assertThat(in.get(0)).isEqualTo(3);
                }))
                .requireSurvivorsSucceeded();
    }

    /** What a request is for when the communicator is revoked. */
    private enum Open {
        NAMED_RECEIVE {
            @Override
            Request start(Intracomm comm) {
                return comm.iRecv(MPI.newIntBuffer(1), 1, MPI.INT, 1, 0);
            }
        },
        WILDCARD_RECEIVE {
            @Override
            Request start(Intracomm comm) {
                return comm.iRecv(MPI.newIntBuffer(1), 1, MPI.INT, MPI.ANY_SOURCE, 0);
            }
        },
        SYNCHRONOUS_SEND {
            @Override
            Request start(Intracomm comm) {
                return comm.isSend(MPI.newIntBuffer(1), 1, MPI.INT, 1, 0);
            }
        },
        LONG_SEND {
            @Override
            Request start(Intracomm comm) {
                return comm.iSend(MPI.newIntBuffer(LONG), LONG, MPI.INT, 1, 0);
            }
        };

        abstract Request start(Intracomm comm);
    }

    @ParameterizedTest
    @EnumSource(Open.class)
    void shouldEndRequestsWhenSomebodyRevokes(Open open) {
        Meeting started = new Meeting(3);
        LocalWorld.run(3, program(rank -> {
                    Intracomm comm = WORLD.dup();
                    if (rank == 2) {
                        started.attend();
                        comm.revoke();
                        return;
                    }
                    if (rank == 1) {
                        // Purges what rank 0 sent; neither end waits for the other.
                        started.attend();
                        awaitRevoked(comm);
                        raises(MPI.ERR_REVOKED, () -> comm.recv(new int[LONG], LONG, MPI.INT, 0, 0));
                        return;
                    }
                    Request request = open.start(comm);
                    Request other = comm.iRecv(ints(0), 1, MPI.INT, 2, 0);
                    started.attend();
                    Request[] both = {request, other};
                    MPIException revoked = raises(MPI.ERR_REVOKED, () -> Request.waitAll(both));
                    assertThat(revoked).isInstanceOf(RevokedException.class);
                    for (int i = 0; i < 2; i++) {
                        if (!both[i].isNull()) {
                            raises(MPI.ERR_REVOKED, both[i]::waitFor);
                        }
                        Status status = revoked.getStatuses()[i];
                        assertThat(status.getError()).isIn(MPI.ERR_REVOKED, MPI.ERR_PENDING);
                        assertThat(status.getSource()).isEqualTo(MPI.ANY_SOURCE);
                    }
                }))
                .requireSurvivorsSucceeded();
    }

    /** Its sender waits for a receiver that has thrown the offer away: it must be told. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTellTheSenderWhoseOfferWasThrownAwayByARevocation(boolean longMessage) {
        int count = longMessage ? LONG : 1;
        LocalWorld.run(2, program(rank -> {
                    Intracomm comm = WORLD.dup();
                    if (rank == 0) {
                        Request send = comm.isSend(MPI.newIntBuffer(count), count, MPI.INT, 1, 0);
                        raises(MPI.ERR_REVOKED, send::waitFor);
                    } else {
                        comm.probe(0, 0);
                        comm.revoke();
                    }
                }))
                .requireSurvivorsSucceeded();
    }

    @Test
    void shouldLetRequestsStartOnARevokedCommunicatorAndRaiseItAtTheirCompletion() {
        LocalWorld.run(2, program(rank -> {
                    Intracomm comm = WORLD.dup();
                    Request early = comm.iRecv(ints(0), 1, MPI.INT, MPI.PROC_NULL, 0);
                    // The other rank's revocation must not come before it.
                    WORLD.barrier();
                    comm.revoke();
                    early.waitFor();
                    Request[] requests = {
                        comm.iSend(ints(0), 1, MPI.INT, 1 - rank, 0),
                        comm.iRecv(ints(0), 1, MPI.INT, 1 - rank, 0),
                        comm.iRecv(ints(0), 1, MPI.INT, MPI.ANY_SOURCE, 0),
                        comm.iSend(ints(0), 1, MPI.INT, MPI.PROC_NULL, 0),
                        comm.iRecv(ints(0), 1, MPI.INT, MPI.PROC_NULL, 0)
                    };
                    for (Request request : requests) {
                        raises(MPI.ERR_REVOKED, request::waitFor);
                        assertThat(request.isNull()).isTrue();
                    }
                }))
                .requireSurvivorsSucceeded();
    }

    /** From the wait's return on the buffer is the program's, although the peer may still be sending. */
    @Test
    void shouldWriteNothingAfterAReceiveThatARevocationEnded() {
        int bytes = 8 << 20;
        for (int round = 0; round < 5; round++) {
            LocalWorld.run(2, program(rank -> {
                        Intracomm comm = WORLD.dup();
                        ByteBuffer buffer = MPI.newByteBuffer(bytes);
                        if (rank == 0) {
                            Request receive = comm.iRecv(buffer, bytes, MPI.BYTE, 1, 0);
                            while (buffer.get(0) == 0) {
                                receive.test();
                            }
                            comm.revoke();
                            int error = errorClass(receive::waitFor);
                            assertThat(error).isIn(MPI.ERR_REVOKED, MPI.SUCCESS);
                            if (error == MPI.ERR_REVOKED) {
                                buffer.put(0, new byte[bytes]);
                                for (int i = 0; i < 100; i++) {
                                    WORLD.iProbe(1, 1);
                                }
                                WORLD.barrier();
                                assertThat(buffer.mismatch(ByteBuffer.allocate(bytes)))
                                        .isEqualTo(-1);
                                return;
                            }
                        } else {
                            byte[] ones = new byte[bytes];
                            Arrays.fill(ones, (byte) 1);
                            buffer.put(0, ones);
                            Request send = comm.iSend(buffer, bytes, MPI.BYTE, 0, 0);
                            assertThat(errorClass(send::waitFor)).isIn(MPI.ERR_REVOKED, MPI.SUCCESS);
                        }
                        WORLD.barrier();
                    }))
                    .requireSurvivorsSucceeded();
        }
    }

    @Test
    void shouldCancelAndFreeRequestsToTheDead() {
        LocalWorld.run(2, program(rank -> {
                    if (rank == 1) {
                        Faults.die();
                    }
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
                }))
                .requireSurvivorsSucceeded();
    }

    /** A revocation looks at every request that is under way, and at none of them more than once. */
    @Test
    void shouldEndAHundredThousandRequestsAtOnce() {
        int count = 50_000;
        LocalWorld.run(2, program(rank -> {
                    Intracomm comm = WORLD.dup();
                    if (rank == 0) {
                        Request[] requests = new Request[2 * count];
                        IntBuffer data = ints(1);
                        for (int i = 0; i < count; i++) {
                            requests[i] = comm.isSend(data, 1, MPI.INT, 1, 0);
                            requests[count + i] = comm.iRecv(ints(0), 1, MPI.INT, 1, i);
                        }
                        comm.revoke();
                        MPIException revoked = raises(MPI.ERR_REVOKED, () -> Request.waitAll(requests));
                        assertThat(revoked.getStatuses()).allMatch(status -> status.getError() == MPI.ERR_REVOKED);
                    } else {
                        awaitRevoked(comm);
                    }
                    WORLD.barrier();
                }))
                .requireSurvivorsSucceeded();
    }
}
