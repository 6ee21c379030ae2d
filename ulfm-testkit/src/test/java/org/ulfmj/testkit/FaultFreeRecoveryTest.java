package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.util.function.Consumer;
import java.util.function.Supplier;
import mpi.Intracomm;
import mpi.MPI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the fault-tolerance calls (revoke, getFailed, ackFailed, agree, agreeFailed, shrink) when no rank has failed.
 */
class FaultFreeRecoveryTest {
    /** Which communicator is tried. */
    private enum Kind {
        SELF(MPI.COMM_SELF::dup),
        WORLD(MPI.COMM_WORLD::dup),
        HALF(() -> MPI.COMM_WORLD.split(MPI.COMM_WORLD.getRank() % 2, 0));

        private final Supplier<Intracomm> maker;

        Kind(Supplier<Intracomm> maker) {
            this.maker = maker;
        }
    }

    private static void with(Kind kind, Consumer<Intracomm> part) {
        survivorsSucceed(5, rank -> part.accept(kind.maker.get()));
    }

    @ParameterizedTest
    @EnumSource
    void shouldRevokeForAllRanksAndForSendsToNoRankToo(Kind kind) {
        with(kind, comm -> {
            // The ranks meet in an agreement and not in a barrier: the first rank that left a barrier could revoke the
            // communicator while others are still in the barrier.
            assertThat(comm.agree(1)).isEqualTo(1);
            comm.revoke();
            assertThat(comm.isRevoked()).isTrue();
            raises(MPI.ERR_REVOKED, comm::barrier);
            raises(MPI.ERR_REVOKED, () -> comm.send(new int[1], 1, MPI.INT, MPI.PROC_NULL, 0));
            raises(MPI.ERR_REVOKED, () -> comm.recv(new int[1], 1, MPI.INT, MPI.PROC_NULL, 0));
            comm.free();
            assertThat(comm.isNull()).isTrue();
        });
    }

    @ParameterizedTest
    @EnumSource
    void shouldKnowOfNoFailures(Kind kind) {
        with(kind, comm -> {
            assertThat(comm.getFailed().getSize()).isZero();
            assertThat(comm.ackFailed(0)).isZero();
            assertThat(comm.ackFailed(comm.getSize())).isZero();
            assertThat(comm.agreeFailed().getSize()).isZero();
        });
    }

    @ParameterizedTest
    @EnumSource
    void shouldAgreeOnTheBitsThatAllHave(Kind kind) {
        with(kind, comm -> {
            assertThat(comm.agree(-1)).isEqualTo(-1);
            assertThat(comm.agree(comm.getRank())).isZero();
            assertThat(comm.agree(comm.getRank() % 2 == 0 ? 0b1011 : 0b1101))
                    .isEqualTo(comm.getSize() == 1 ? 0b1011 : 0b1001);
            int[] flag = {comm.getRank() + 8};
            comm.agree(flag);
            assertThat(flag[0]).isEqualTo(8);
        });
    }

    @ParameterizedTest
    @EnumSource
    void shouldKeepRanksAndSizeWhenShrinking(Kind kind) {
        with(kind, comm -> {
            Intracomm shrunk = comm.shrink();
            assertThat(shrunk.getRank()).isEqualTo(comm.getRank());
            assertThat(shrunk.getSize()).isEqualTo(comm.getSize());
            assertThat(Intracomm.compare(comm, shrunk)).isEqualTo(MPI.CONGRUENT);
            assertThat(shrunk.agree(1)).isEqualTo(1);
            shrunk.revoke();
            assertThat(comm.isRevoked()).isFalse();
            comm.barrier();
        });
    }
}
