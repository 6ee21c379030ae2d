package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.ulfmj.testkit.Programs.dieIf;

import mpi.Comm;
import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ProcFailedException;
import mpi.RevokedException;
import org.junit.jupiter.api.Test;

/** Tests what the recovery calls return and what their exceptions tell the program. */
class RecoveryCallsTest {
    private static final int DEAD = 1;

    /** Runs 3 ranks of which rank 1 dies; the others run the body once they know of the death. */
    private static void afterADeath(Worlds.Body survivor) {
        LocalResult result = Worlds.run(3, (world, rank) -> {
            dieIf(rank == DEAD);
            while (world.getFailed().getSize() == 0) {
                Thread.onSpinWait();
            }
            survivor.run(world, rank);
        });
        assertThat(result.ranks(RankEnd.FINALIZED)).containsExactly(0, 2);
    }

    @Test
    void shouldTellWhoFailedWhereAndWhy() {
        afterADeath((world, rank) -> {
            ProcFailedException failed =
                    catchThrowableOfType(ProcFailedException.class, () -> world.recv(new int[1], 1, MPI.INT, DEAD, 0));

            assertThat(failed.getErrorClass()).isEqualTo(MPI.ERR_PROC_FAILED);
            assertThat(failed.getErrorCode()).isEqualTo(MPI.ERR_PROC_FAILED);
            assertThat(failed.getComm()).isSameAs(world);
            assertThat(failed.getFailedRanks()).containsExactly(DEAD);
            assertThat(failed.getStatuses()).isEmpty();
            assertThat(failed).hasMessageContaining("rank 1").hasMessageContaining("declared by");
        });
    }

    @Test
    void shouldNeverLetABlockingCallBePending() {
        afterADeath((world, rank) -> {
            int[] buf = new int[1];
            for (MPIException held : new MPIException[] {
                catchThrowableOfType(MPIException.class, () -> world.recv(buf, 1, MPI.INT, MPI.ANY_SOURCE, 0)),
                catchThrowableOfType(MPIException.class, () -> world.probe(MPI.ANY_SOURCE, 0)),
                catchThrowableOfType(MPIException.class, () -> world.iProbe(MPI.ANY_SOURCE, 0)),
                catchThrowableOfType(
                        MPIException.class,
                        () -> world.sendRecv(new int[1], 1, MPI.INT, rank, 9, buf, 1, MPI.INT, MPI.ANY_SOURCE, 0)),
            }) {
                assertThat(held).isInstanceOf(ProcFailedException.class);
            }
        });
    }

    @Test
    void shouldGoOnReceivingFromAnyoneOnceFailuresAreAcknowledged() {
        afterADeath((world, rank) -> {
            assertThat(world.ackFailed(0)).isZero();
            assertThat(world.ackFailed()).isEqualTo(1);
            int[] buf = {rank};
            world.sendRecvReplace(buf, 1, MPI.INT, 2 - rank, 3, MPI.ANY_SOURCE, 3);
            assertThat(buf).containsExactly(2 - rank);
        });
    }

    @Test
    @SuppressWarnings("deprecation")
    void shouldKnowTheOlderNames() {
        afterADeath((world, rank) -> {
            assertThat(world.failureGetAcked().getSize()).isZero();
            world.failureAck();
            Group acked = world.failureGetAcked();
            assertThat(Group.compare(acked, world.getGroup().incl(new int[] {DEAD})))
                    .isEqualTo(MPI.IDENT);
        });
    }

    @Test
    void shouldDeliverTheAgreedValueAlsoWithAFailure() {
        afterADeath((world, rank) -> {
            int[] flag = {rank == 0 ? 0b1011 : 0b1101};
            ProcFailedException failed = catchThrowableOfType(ProcFailedException.class, () -> world.agree(flag));
            assertThat(flag).containsExactly(0b1001);
            assertThat(failed.getAgreedValue()).isEqualTo(0b1001);

            world.ackFailed();
            assertThat(world.agree(rank == 0 ? 6 : 3)).isEqualTo(2);
            flag[0] = -1;
            world.agree(flag);
            assertThat(flag).containsExactly(-1);
        });
    }

    @Test
    void shouldAgreeOnTheFailedAndShrinkToTheOthers() {
        afterADeath((world, rank) -> {
            assertThat(Group.translateRanks(world.agreeFailed(), new int[] {0}, world.getGroup()))
                    .containsExactly(DEAD);
            Intracomm survivors = world.shrink();
            assertThat(survivors.getSize()).isEqualTo(2);
            assertThat(survivors.getRank()).isEqualTo(rank / 2);
            assertThat(survivors.getErrhandler()).isSameAs(MPI.ERRORS_RETURN);
            int[] sum = {1};
            survivors.allReduce(sum, 1, MPI.INT, MPI.SUM);
            assertThat(sum).containsExactly(2);
            assertThat(Comm.compare(survivors, world)).isEqualTo(MPI.UNEQUAL);
        });
    }

    @Test
    void shouldLetAHandlerOfTheProgramRecover() {
        Worlds.run(3, (world, rank) -> {
            Intracomm[] at = {world};
            int[] errors = new int[2];
            world.setErrhandler(Comm.createErrhandler((comm, error) -> {
                errors[0]++;
                errors[1] = error;
                comm.revoke();
                at[0] = ((Intracomm) comm).shrink();
            }));
            dieIf(rank == DEAD);
            int[] sum = {1};
            assertThatThrownBy(() -> world.allReduce(sum, 1, MPI.INT, MPI.SUM)).isInstanceOf(MPIException.class);
            assertThat(errors[0]).isOne();
            assertThat(errors[1]).isIn(MPI.ERR_PROC_FAILED, MPI.ERR_REVOKED);
            assertThat(at[0].getErrhandler()).isSameAs(world.getErrhandler());
            sum[0] = 1;
            at[0].allReduce(sum, 1, MPI.INT, MPI.SUM);
            assertThat(sum).containsExactly(2);
        });
    }

    @Test
    void shouldRaiseARevocationEvenWithNoPeer() {
        Worlds.run(2, (world, rank) -> {
            Intracomm dup = world.dup();
            dup.revoke();
            dup.revoke();
            assertThat(dup.isRevoked()).isTrue();
            int[] buf = new int[1];
            for (MPIException revoked : new MPIException[] {
                catchThrowableOfType(MPIException.class, () -> dup.send(buf, 1, MPI.INT, MPI.PROC_NULL, 0)),
                catchThrowableOfType(MPIException.class, () -> dup.recv(buf, 1, MPI.INT, MPI.PROC_NULL, 0)),
                catchThrowableOfType(MPIException.class, () -> dup.probe(MPI.PROC_NULL, 0)),
                catchThrowableOfType(MPIException.class, () -> dup.iProbe(MPI.PROC_NULL, 0)),
                catchThrowableOfType(
                        MPIException.class,
                        () -> dup.sendRecvReplace(buf, 1, MPI.INT, MPI.PROC_NULL, 0, MPI.PROC_NULL, 0)),
                catchThrowableOfType(MPIException.class, dup::barrier),
                catchThrowableOfType(MPIException.class, dup::dup),
            }) {
                assertThat(revoked).isInstanceOf(RevokedException.class);
                assertThat(revoked.getErrorClass()).isEqualTo(MPI.ERR_REVOKED);
                assertThat(revoked.getComm()).isSameAs(dup);
            }
            assertThat(dup.getRank()).isEqualTo(rank);
            assertThat(dup.agree(7)).isEqualTo(7);
            Intracomm again = dup.shrink();
            again.barrier();
            dup.free();
            world.barrier();
        });
    }
}
