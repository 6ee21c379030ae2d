package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.nio.IntBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Request;
import mpi.Status;
import org.junit.jupiter.api.Test;

/**
 * Tests the reuse of the library's internal objects by later non-blocking calls of a rank: no call may see data of
 * another call because of that.
 */
class StartedAtOnceTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    /** More collectives than go by messages on a new communicator. */
    private static final int CALLS = 100;

    private static final int OPEN = 20;

    @Test
    void shouldGiveEachOfManyOpenCallsItsOwnResult() {
        survivorsSucceed(2, rank -> {
            for (int round = 0; round < CALLS / OPEN; round++) {
                IntBuffer[] results = new IntBuffer[OPEN];
                Request[] requests = new Request[OPEN];
                for (int i = 0; i < OPEN; i++) {
                    results[i] = MPI.newIntBuffer(1);
                    IntBuffer mine = MPI.newIntBuffer(1).put(0, round * OPEN + i + rank);
                    requests[i] = WORLD.iAllReduce(mine, results[i], 1, MPI.INT, MPI.SUM);
                }
                for (int i = OPEN - 1; i >= 0; i--) {
                    requests[i].waitFor();
                    assertThat(results[i].get(0)).isEqualTo(2 * (round * OPEN + i) + 1);
                }
            }
        });
    }

    /** The program may change the position and limit of a buffer while a collective uses it. */
    @Test
    void shouldNotCareForPositionAndLimitOfTheSameBuffer() {
        survivorsSucceed(2, rank -> {
            IntBuffer data = MPI.newIntBuffer(2);
            for (int i = 0; i < CALLS; i++) {
                data.clear().put(0, rank == 0 ? i : -1).put(1, rank == 0 ? -i : -1);
                Request request = WORLD.iBcast(data, 2, MPI.INT, 0);
                data.position(1).limit(1);
                request.waitFor();
                data.clear();
                assertThat(data.get(0)).isEqualTo(i);
                assertThat(data.get(1)).isEqualTo(-i);
            }
        });
    }

    /**
     * A bcast has ended at its root, and a send of a short message at its sender, when the call returns; their requests
     * must complete like any other.
     */
    @Test
    void shouldCompleteRequestsOfOperationsThatWereOverAtOnce() {
        survivorsSucceed(2, rank -> {
            IntBuffer data = MPI.newIntBuffer(1);
            for (int i = 0; i < CALLS; i++) {
                data.put(0, i);
                Request first = WORLD.iBcast(data, 1, MPI.INT, 0);
                Request second = rank == 0 ? WORLD.iSend(data, 1, MPI.INT, 1, 7) : WORLD.iRecv(data, 1, MPI.INT, 0, 7);
                assertThat(raises(MPI.ERR_REQUEST, first::cancel).getMessage()).contains("iBcast");
                Status status = second.waitStatus();
                assertThat(status.isCancelled()).isFalse();
                assertThat(status.getError()).isEqualTo(MPI.SUCCESS);
                assertThat(second.isNull()).isTrue();
                assertThat(first.waitStatus().getError()).isEqualTo(MPI.SUCCESS);
                assertThat(first.isNull()).isTrue();
                first.waitFor();
            }
            Request[] several = new Request[CALLS];
            for (int i = 0; i < CALLS; i++) {
                several[i] = rank == 0
                        ? WORLD.iSend(data, 1, MPI.INT, 1, i)
                        : WORLD.iRecv(MPI.newIntBuffer(1), 1, MPI.INT, 0, i);
            }
            Request.waitAll(several);
            assertThat(several).allMatch(Request::isNull);
        });
    }
}
