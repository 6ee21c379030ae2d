package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.awaitFailed;
import static org.ulfmj.testkit.Programs.program;
import static org.ulfmj.testkit.Programs.raises;

import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Status;
import org.junit.jupiter.api.Test;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * Shows that a sendRecv whose send half fails raises PROC_FAILED once its receive half has ended, too, and does not
 * write to its receive buffer afterwards.
 */
class FailedExchangeTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final int DEAD = 1;
    private static final int LIVE = 2;
    private static final int TAG = 5;
    private static final int GO = 6;

    @Test
    void shouldFinishTheReceiveHalfAndLeaveTheNextMessageAloneWhenTheSendHalfHasFailed() {
        SimWorld.of(3)
                .run(program(rank -> {
                    if (rank == DEAD) {
                        Faults.die();
                    } else if (rank == LIVE) {
                        WORLD.send(new int[] {11}, 1, MPI.INT, 0, TAG);
                        WORLD.recv(new int[1], 1, MPI.INT, 0, GO);
                        WORLD.send(new int[] {12}, 1, MPI.INT, 0, TAG);
                        WORLD.send(new int[1], 1, MPI.INT, 0, GO);
                    } else {
                        awaitFailed(WORLD, DEAD);
                        int[] data = {7};
                        MPIException failure = raises(
                                MPI.ERR_PROC_FAILED,
                                () -> WORLD.sendRecv(
                                        new int[1 << 18], 1 << 18, MPI.INT, DEAD, TAG, data, 1, MPI.INT, LIVE, TAG));
                        assertThat(failure.getFailedRanks()).containsExactly(DEAD);
                        WORLD.send(new int[1], 1, MPI.INT, LIVE, GO);
                        WORLD.recv(new int[1], 1, MPI.INT, LIVE, GO);
                        assertThat(data).containsExactly(11);
                        int[] later = new int[1];
                        Status status = WORLD.recv(later, 1, MPI.INT, LIVE, TAG);
                        assertThat(later).containsExactly(12);
                        assertThat(status.getSource()).isEqualTo(LIVE);
                    }
                }))
                .ends()
                .requireSurvivorsSucceeded();
    }
}
