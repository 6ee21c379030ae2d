package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.awaitRevoked;
import static org.ulfmj.testkit.Programs.errorClass;
import static org.ulfmj.testkit.Programs.ints;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.RevokedException;
import mpi.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests on a communicator that is revoked. */
class RevokedRequestsTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final int LONG = 1 << 20;

    /** The operation that a request has under way when the communicator is revoked. */
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
    void shouldEndRequestsWhenARankRevokes(Open open) {
        Meeting started = new Meeting(3);
        survivorsSucceed(3, rank -> {
            Intracomm comm = WORLD.dup();
            if (rank == 2) {
                started.attend();
                comm.revoke();
                return;
            }
            if (rank == 1) {
                // Rank 1 receives only after it has learned of the revocation: the receive raises ERR_REVOKED, also
                // where rank 0 has begun to send a message to it.
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
        });
    }

    /**
     * Shows that a synchronous send ends with ERR_REVOKED when its receiver, which has only probed the message, revokes
     * the communicator.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTellTheSenderWhoseOfferWasThrownAwayByARevocation(boolean longMessage) {
        int count = longMessage ? LONG : 1;
        survivorsSucceed(2, rank -> {
            Intracomm comm = WORLD.dup();
            if (rank == 0) {
                Request send = comm.isSend(MPI.newIntBuffer(count), count, MPI.INT, 1, 0);
                raises(MPI.ERR_REVOKED, send::waitFor);
            } else {
                comm.probe(0, 0);
                comm.revoke();
            }
        });
    }

    @Test
    void shouldLetRequestsStartOnARevokedCommunicatorAndRaiseItAtTheirCompletion() {
        survivorsSucceed(2, rank -> {
            Intracomm comm = WORLD.dup();
            Request early = comm.iRecv(ints(0), 1, MPI.INT, MPI.PROC_NULL, 0);
            // Without this barrier the other rank's revocation could arrive before {@code early} was started.
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
        });
    }

    /**
     * When the wait for a receive has ended with ERR_REVOKED, nothing is written to its buffer any more, although the
     * sender may still be sending.
     */
    @Test
    void shouldWriteNothingAfterAReceiveThatARevocationEnded() {
        int bytes = 8 << 20;
        for (int round = 0; round < 5; round++) {
            survivorsSucceed(2, rank -> {
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
                        assertThat(buffer.mismatch(ByteBuffer.allocate(bytes))).isEqualTo(-1);
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
            });
        }
    }

    /** Shows that one revocation ends 100,000 requests under way, all with ERR_REVOKED. */
    @Test
    void shouldEndAHundredThousandRequestsAtOnce() {
        int count = 50_000;
        survivorsSucceed(2, rank -> {
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
        });
    }
}
