package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ProcFailedException;
import mpi.ProcFailedPendingException;
import mpi.Request;
import mpi.Resilient;
import mpi.RevokedException;
import org.junit.jupiter.api.Test;

/** Tests which waits of its members the retry loop ends after a failure, and what it tells them of the recovery. */
class ResilientRecoveryTest {
    @Test
    void shouldTellEverySurvivorWhoWasLeftBehindAndWhatItTook() {
        Map<Integer, Resilient.Recovery> recoveries = new ConcurrentHashMap<>();
        Worlds.run(LocalWorld.of(4).killing(1, "barrier", 1), (world, rank) -> {
            long beforeNs = System.nanoTime();
            Resilient.run(world, new Resilient.Loop() {
                @Override
                public void work(Intracomm comm) {
                    comm.barrier();
                }

                @Override
                public void restore(Intracomm comm, Resilient.Recovery recovery) {
                    recoveries.put(rank, recovery);
                }
            });
            Resilient.Recovery recovery = recoveries.get(rank);
            assertThat(Programs.ranks(recovery.getFailed(), world)).containsExactly(1);
            assertThat(recovery.getCause()).isInstanceOfAny(ProcFailedException.class, RevokedException.class);
            assertThat(recovery.getNoticedNs() - beforeNs).isNotNegative();
            assertThat(recovery.getRevokedNs() - recovery.getNoticedNs()).isNotNegative();
            assertThat(recovery.getShrunkNs() - recovery.getRevokedNs()).isPositive();
            assertThat(System.nanoTime() - recovery.getShrunkNs()).isNotNegative();
        });
        assertThat(recoveries).containsOnlyKeys(0, 2, 3);
    }

    /**
     * Shows that a rank whose work had ended without an error does the work again when another rank has failed to
     * finish it.
     */
    @Test
    void shouldWorkAgainWhereTheWorkWasDoneWhenAnotherRankIsNot() {
        int[] worked = new int[3];
        Worlds.run(LocalWorld.of(3), (world, rank) -> {
            boolean[] recovered = new boolean[1];
            Resilient.run(world, new Resilient.Loop() {
                @Override
                public void work(Intracomm comm) {
                    worked[rank]++;
                    if (rank == 2 && !recovered[0]) {
                        comm.revoke();
                        comm.barrier();
                    }
                }

                @Override
                public void restore(Intracomm comm, Resilient.Recovery recovery) {
                    recovered[0] = true;
                    assertThat(recovery.getFailed().getSize()).isZero();
                    if (rank == 2) {
                        assertThat(recovery.getCause()).isInstanceOf(RevokedException.class);
                    } else {
                        assertThat(recovery.getCause()).isNull();
                    }
                }
            });
        });
        assertThat(worked).containsExactly(2, 2, 2);
    }

    /**
     * Shows that all survivors recover when a rank dies in a barrier on a communicator that was split from the loop's:
     * its other members wait there, and the other ranks on the loop's communicator.
     */
    @Test
    void shouldFreeThoseWhoWaitInACommunicatorMadeFromTheLoops() {
        LocalWorld world = LocalWorld.of(6).killing(3, "barrier", 2);
        LocalResult result = Worlds.run(
                world,
                (all, rank) -> Resilient.run(all, comm -> {
                    Intracomm row = comm.split(comm.getRank() % 2, 0);
                    row.barrier();
                    row.barrier();
                    comm.barrier();
                    row.free();
                }));
        assertThat(result.ranks(RankEnd.KILLED)).containsExactly(3);
    }

    /**
     * Shows that the retry loop frees ranks 0 and 1, which wait for each other on a communicator that they have made
     * from the loop's communicator. Rank 2 meets the failure, does not have that communicator, and so can revoke only
     * its parent.
     */
    @Test
    void shouldFreeThoseWhoWaitForARankThatFailedToMakeTheirCommunicator() {
        Meeting made = new Meeting(3);
        LocalResult result = Worlds.run(LocalWorld.of(4).killing(3, "send", 1), (all, rank) -> {
            boolean[] isFirst = {true};
            Resilient.run(all, comm -> {
                if (!isFirst[0]) {
                    comm.barrier();
                    return;
                }
                isFirst[0] = false;
                if (rank == 3) {
                    attend(made);
                    comm.send(new byte[0], 0, MPI.BYTE, 0, 0);
                }
                if (rank == 2) {
                    // Rank 2 stands for a rank whose split failed: here it meets the death of rank 3, and it does not
                    // have the communicator on which ranks 0 and 1 wait.
                    comm.recv(new byte[0], 0, MPI.BYTE, 3, 0);
                }
                Intracomm pair = comm.createGroup(comm.getGroup().incl(new int[] {0, 1}), 0);
                attend(made);
                pair.recv(new byte[0], 0, MPI.BYTE, 1 - rank, 0);
            });
        });
        assertThat(result.ranks(RankEnd.KILLED)).containsExactly(3);
    }

    private static void attend(Meeting meeting) {
        try {
            meeting.attend();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a rank", e);
        }
    }

    /**
     * Shows that the loop recovers when a failure holds up a wildcard receive, and gives PROC_FAILED_PENDING as the
     * cause.
     */
    @Test
    void shouldRecoverFromAReceiveThatAFailureHoldsUp() {
        MPIException[] cause = new MPIException[1];
        Worlds.run(LocalWorld.of(4).killing(3, "recv", 1), (world, rank) -> {
            Resilient.run(world, new Resilient.Loop() {
                @Override
                public void work(Intracomm comm) {
                    int[] token = new int[1];
                    if (comm.getRank() == 0) {
                        for (int sender = 1; sender < comm.getSize(); sender++) {
                            comm.iRecv(MPI.newIntBuffer(1), 1, MPI.INT, MPI.ANY_SOURCE, 0)
                                    .waitFor();
                        }
                    } else if (comm.getSize() == world.getSize()) {
                        comm.recv(token, 1, MPI.INT, 0, 0);
                    } else {
                        comm.send(token, 1, MPI.INT, 0, 0);
                    }
                }

                @Override
                public void restore(Intracomm comm, Resilient.Recovery recovery) {
                    if (rank == 0) {
                        cause[0] = recovery.getCause();
                    }
                }
            });
        });
        assertThat(cause[0]).isInstanceOf(ProcFailedPendingException.class);
    }

    @Test
    void shouldRecoverWhenRequestsThatWereWaitedForTogetherFailed() {
        MPIException[] cause = new MPIException[1];
        Worlds.run(LocalWorld.of(3).killing(2, "barrier", 1), (world, rank) -> {
            Resilient.run(world, new Resilient.Loop() {
                @Override
                public void work(Intracomm comm) {
                    if (rank == 0 && comm.getSize() == world.getSize()) {
                        Request.waitAllStatus(new Request[] {
                            comm.iRecv(MPI.newIntBuffer(1), 1, MPI.INT, 1, 0),
                            comm.iRecv(MPI.newIntBuffer(1), 1, MPI.INT, 2, 0)
                        });
                    }
                    comm.barrier();
                }

                @Override
                public void restore(Intracomm comm, Resilient.Recovery recovery) {
                    if (rank == 0) {
                        cause[0] = recovery.getCause();
                    }
                }
            });
        });
        assertThat(cause[0].getErrorClass()).isEqualTo(MPI.ERR_IN_STATUS);
    }
}
