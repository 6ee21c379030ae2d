package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.program;
import static org.ulfmj.testkit.Programs.raises;

import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Resilient;
import mpi.RevokedException;
import mpi.Status;
import org.junit.jupiter.api.Test;

/**
 * Shows that the retry loop {@code Resilient} does not retry after errors that are not failures of ranks, and passes
 * them on to its caller; and that it gives up when the work keeps to the broken communicator.
 */
class ResilientMistakesTest {
    @Test
    void shouldLetTheProgramsOwnExceptionThroughAndGoOnWithTheOthers() {
        LocalResult result = LocalWorld.of(4).killing(0, "barrier", 1).run(program(rank -> {
            Resilient.run(MPI.COMM_WORLD, new Resilient.Loop() {
                @Override
                public void work(Intracomm comm) {
                    if (rank == 1) {
                        throw new IllegalStateException("disk full");
                    }
                    comm.barrier();
                }

                @Override
                public void restore(Intracomm comm, Resilient.Recovery recovery) {
                    if (rank == 2) {
                        throw new IllegalStateException("no copy");
                    }
                }
            });
        }));
        assertThat(result.ranks(RankEnd.FINALIZED)).containsExactly(3);
        assertThat(result.outcome(1).thrown())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("disk full");
        assertThat(result.outcome(2).thrown())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no copy");
    }

    @Test
    void shouldLetAMistakeThroughThatShowsAmongRequests() {
        LocalResult result = LocalWorld.of(2).run(program(rank -> {
            Resilient.run(MPI.COMM_WORLD, comm -> {
                if (comm.getSize() == 2 && rank == 0) {
                    Request.waitAllStatus(new Request[] {comm.iRecv(MPI.newIntBuffer(1), 1, MPI.INT, 1, 0)});
                } else if (comm.getSize() == 2) {
                    comm.send(new int[2], 2, MPI.INT, 0, 0);
                }
            });
        }));
        assertThat(result.end(1)).isEqualTo(RankEnd.FINALIZED);
        assertThat(result.outcome(0).thrown())
                .isInstanceOfSatisfying(MPIException.class, thrown -> assertThat(thrown.getStatuses())
                        .extracting(Status::getError)
                        .containsExactly(MPI.ERR_TRUNCATE));
    }

    @Test
    void shouldLetBadArgumentsThrough() {
        Worlds.run(2, (world, rank) -> {
            MPIException thrown =
                    raises(MPI.ERR_RANK, () -> Resilient.run(world, comm -> comm.send(new int[1], 1, MPI.INT, 2, 0)));
            assertThat(thrown).hasMessageContaining("send");
            raises(MPI.ERR_COMM, () -> Resilient.run(null, comm -> {}));
            raises(MPI.ERR_ARG, () -> Resilient.run(world, null));
        });
    }

    /**
     * Shows that it is an error if a rank calls another recovery operation while the other ranks call the agree at the
     * end of the retry loop: all ranks get the error, and none retries.
     */
    @Test
    void shouldLetTheDiagnosisOfMixedRecoveryCallsThrough() {
        Worlds.run(3, (world, rank) -> {
            MPIException thrown = raises(
                    MPI.ERR_ARG,
                    () -> Resilient.run(world, comm -> {
                        if (comm.getRank() == 0) {
                            comm.shrink();
                        }
                    }));
            assertThat(thrown).hasMessageContaining("agree").hasMessageContaining("shrink");
        });
    }

    @Test
    void shouldRefuseToTryForEverWhenTheLoopKeepsToTheBrokenWorld() {
        LocalResult result = Worlds.run(LocalWorld.of(3).killing(2, "barrier", 1), (world, rank) -> {
            MPIException thrown = raises(MPI.ERR_COMM, () -> Resilient.run(world, comm -> world.barrier()));
            assertThat(thrown).hasMessageContaining("given up").hasMessageContaining("called with");
            assertThat(thrown.getCause()).isInstanceOf(RevokedException.class);
        });
        assertThat(result.ranks(RankEnd.FINALIZED)).containsExactly(0, 1);
    }
}
