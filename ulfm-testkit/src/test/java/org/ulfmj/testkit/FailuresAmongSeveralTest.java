package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.awaitFailed;
import static org.ulfmj.testkit.Programs.dieIf;
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

/** Tests calls that complete several requests of which some have failed: what the calls report of each request. */
class FailuresAmongSeveralTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTellOfEachRequestHowItStandsWhenOneFailed(boolean waits) {
        Meeting ready = new Meeting(2);
        survivorsSucceed(3, rank -> {
            dieIf(rank == 1);
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
                            MPI.SUCCESS, MPI.ERR_PROC_FAILED, MPI.ERR_PENDING, MPI.ERR_PROC_FAILED, MPI.SUCCESS);
            assertThat(statuses[1].getSource()).isEqualTo(1);
            assertThat(first.get(0)).isEqualTo(4);
            assertThat(requests).extracting(Request::isNull).containsExactly(true, true, false, true, true);
            ready.attend();
            Request.waitAll(requests);
            assertThat(third.get(0)).isEqualTo(6);
        });
    }

    @Test
    void shouldNameTheOneThatFailedOfSeveralAndListSomeWithTheirErrors() {
        Meeting ready = new Meeting(2);
        survivorsSucceed(3, rank -> {
            dieIf(rank == 1);
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
        });
    }
}
