package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.IntBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ProcFailedException;
import mpi.Request;
import mpi.Status;
import org.junit.jupiter.api.Test;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * Tests the recovery loop that docs/use/fault-tolerance.md writes out, without its call of restore, and with work that
 * completes requests by waitAllStatus and waitSomeStatus.
 */
class WrittenOutLoopTest {
    private static final int RANKS = 4;
    private static final int ROUNDS = 6;

    private static void main() {
        MPI.Init(new String[0]);
        Intracomm comm = MPI.COMM_WORLD;
        boolean everywhere;
        do {
            boolean here = false;
            try {
                work(comm);
                here = true;
            } catch (MPIException e) {
                if (!isFailure(e)) {
                    throw e;
                }
                comm.revoke();
            }
            everywhere = agreed(comm, here);
            if (!everywhere) {
                comm = comm.shrink();
            }
        } while (!everywhere);
        assertThat(comm.getSize()).isEqualTo(RANKS - 1);
        MPI.Finalize();
    }

    private static boolean isFailure(MPIException e) {
        if (e.getErrorClass() != MPI.ERR_IN_STATUS) {
            return isFailure(e.getErrorClass());
        }
        for (Status status : e.getStatuses()) {
            int error = status.getError();
            if (error != MPI.SUCCESS && error != MPI.ERR_PENDING && !isFailure(error)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isFailure(int error) {
        return error == MPI.ERR_PROC_FAILED || error == MPI.ERR_PROC_FAILED_PENDING || error == MPI.ERR_REVOKED;
    }

    private static boolean agreed(Intracomm comm, boolean here) {
        try {
            return comm.agree(here ? 1 : 0) == 1;
        } catch (ProcFailedException e) {
            return false;
        }
    }

    /**
     * Passes values around a ring: to the right with receives from a named rank and waitAllStatus, and to the left with
     * receives from any source and waitSomeStatus.
     */
    private static void work(Intracomm comm) {
        int rank = comm.getRank();
        int size = comm.getSize();
        int right = (rank + 1) % size;
        int left = (rank + size - 1) % size;
        IntBuffer mine = MPI.newIntBuffer(1).put(0, rank);
        IntBuffer theirs = MPI.newIntBuffer(1);
        for (int round = 0; round < ROUNDS; round++) {
            Request[] halo = {comm.iRecv(theirs, 1, MPI.INT, left, round), comm.iSend(mine, 1, MPI.INT, right, round)};
            Request.waitAllStatus(halo);
            assertThat(theirs.get(0)).isEqualTo(left);
            Request[] any = {
                comm.iRecv(theirs, 1, MPI.INT, MPI.ANY_SOURCE, ROUNDS + round),
                comm.iSend(mine, 1, MPI.INT, left, ROUNDS + round)
            };
            while (Request.waitSomeStatus(any) != null) {
                assertThat(any).hasSize(2);
            }
            assertThat(theirs.get(0)).isEqualTo(right);
        }
    }

    @Test
    void shouldEndAtAllSurvivorsWhereverARankDies() {
        for (int seed = 1; seed <= 100; seed++) {
            SimWorld.of(RANKS)
                    .seed(seed)
                    .killing(seed % RANKS, seed % 2 == 0 ? "waitAllStatus" : "waitSomeStatus", 1 + seed % ROUNDS)
                    .run(WrittenOutLoopTest::main)
                    .ends()
                    .requireSurvivorsSucceeded();
        }
    }
}
