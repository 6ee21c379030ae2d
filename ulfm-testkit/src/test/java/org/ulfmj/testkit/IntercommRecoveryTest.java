package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Groups.evenAndOdd;
import static org.ulfmj.testkit.Programs.awaitFailed;
import static org.ulfmj.testkit.Programs.ints;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.ranks;
import static org.ulfmj.testkit.Programs.slots;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.nio.IntBuffer;
import java.util.concurrent.CountDownLatch;
import mpi.AgreeMode;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.testkit.junit.SimulatedMpi;
import org.ulfmj.testkit.junit.SimulatedRank;

/** Tests what both groups of an inter-communicator decide together: agree, iAgree, agreeFailed, shrink and iShrink. */
class IntercommRecoveryTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    /** The flags of ranks 0 to 5. */
    private static final int[] FLAGS = {0b111_0111, 0b011_1111, 0b111_1101, 0b111_1110, 0b101_1111, 0b110_1111};

    private static final int OF_EVEN = FLAGS[0] & FLAGS[2] & FLAGS[4];
    private static final int OF_ODD = FLAGS[1] & FLAGS[3] & FLAGS[5];

    private static void die(CountDownLatch ready, boolean isMeant) throws InterruptedException {
        ready.countDown();
        if (isMeant) {
            ready.await();
            Faults.die();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldGiveEachGroupTheFlagsOfTheOther(boolean faultTolerance) {
        LocalWorld world = LocalWorld.of(6);
        if (!faultTolerance) {
            world = world.settings(settings -> settings.withFaultTolerance(false));
        }
        survivorsSucceed(world, rank -> {
            Intercomm inter = evenAndOdd();
            int expected = rank % 2 == 0 ? OF_ODD : OF_EVEN;
            assertThat(inter.agree(FLAGS[rank])).isEqualTo(expected);
            assertThat(inter.agree(FLAGS[rank], AgreeMode.UNIFORM)).isEqualTo(expected);
            int[] flag = {FLAGS[rank]};
            inter.agree(flag);
            assertThat(flag).containsExactly(expected);
            IntBuffer first = ints(FLAGS[rank]);
            IntBuffer second = ints(rank);
            Request[] requests = {inter.iAgree(first), inter.iAgree(second)};
            Request.waitAll(requests);
            assertThat(first.get(0)).isEqualTo(expected);
            assertThat(second.get(0)).isEqualTo(rank % 2 == 0 ? 1 & 3 & 5 : 0);
            assertThat(inter.agreeFailed().getSize()).isZero();
        });
    }

    @Test
    void shouldRaiseTheFailureAtBothGroupsUntilAllHaveAcknowledgedIt() {
        CountDownLatch ready = new CountDownLatch(6);
        survivorsSucceed(6, rank -> {
            Intercomm inter = evenAndOdd();
            die(ready, rank == 3);
            awaitFailed(WORLD, 3);
            int expected = rank % 2 == 0 ? FLAGS[1] & FLAGS[5] : OF_EVEN;
            if (rank != 4) {
                inter.ackFailed();
            }
            MPIException failure = raises(MPI.ERR_PROC_FAILED, () -> inter.agree(FLAGS[rank]));
            assertThat(failure.getAgreedValue()).isEqualTo(expected);
            assertThat(failure)
                    .hasMessageContaining("not every member has acknowledged the failure of rank 1 of the "
                            + (rank % 2 == 0 ? "remote" : "local") + " group");
            IntBuffer flag = ints(FLAGS[rank]);
            raises(MPI.ERR_PROC_FAILED, inter.iAgree(flag)::waitFor);
            assertThat(flag.get(0)).isEqualTo(expected);
            inter.ackFailed();
            assertThat(inter.agree(FLAGS[rank])).isEqualTo(expected);
            assertThat(ranks(inter.agreeFailed(), WORLD)).containsExactly(3);
        });
    }

    @Test
    void shouldShrinkBothGroups() {
        CountDownLatch ready = new CountDownLatch(7);
        survivorsSucceed(7, rank -> {
            Intercomm inter = evenAndOdd();
            die(ready, rank == 0 || rank == 3);
            if (rank == 1) {
                ready.await(); // a revocation before all have come out of the creation ends that, too
                inter.revoke();
            }
            awaitFailed(WORLD, 0, 3);
            boolean isEven = rank % 2 == 0;
            Intercomm shrunk = inter.shrink();
            Intercomm later = shrunk.iShrink();
            assertThat(later).isNotSameAs(shrunk);
            later.getRequest().waitFor();
            for (Intercomm made : new Intercomm[] {shrunk, later}) {
                assertThat(slots(made)).containsExactly(isEven ? new int[] {2, 4, 6} : new int[] {1, 5});
                assertThat(ranks(made.getRemoteGroup(), WORLD))
                        .containsExactly(isEven ? new int[] {1, 5} : new int[] {2, 4, 6});
                assertThat(made.getFailed().getSize()).isZero();
                // After shrink the even ranks still come first in merge, though odd rank 1 is now the lowest member.
                assertThat(slots(made.merge(true))).containsExactly(2, 4, 6, 1, 5);
                int expected = isEven ? FLAGS[1] & FLAGS[5] : FLAGS[2] & FLAGS[4];
                assertThat(made.agree(rank == 6 ? -1 : FLAGS[rank])).isEqualTo(expected);
            }
            assertThat(later.isInter()).isTrue();
        });
    }

    @Test
    void shouldShrinkAGroupToNothing() {
        CountDownLatch ready = new CountDownLatch(3);
        survivorsSucceed(3, rank -> {
            Intercomm inter = evenAndOdd();
            die(ready, rank == 1);
            awaitFailed(WORLD, 1);
            Intercomm shrunk = inter.shrink();
            assertThat(shrunk.getSize()).isEqualTo(2);
            assertThat(shrunk.getRemoteSize()).isZero();
            assertThat(shrunk.agree(5)).isEqualTo(-1);
            assertThat(slots(shrunk.merge(true))).containsExactly(0, 2);
        });
    }

    /**
     * Requires that agree gives all members of both groups the same error, and a value with the flags of all live
     * remote members.
     */
    @SimulatedMpi(ranks = 5, seeds = 60, faults = "kill:rank=any(2)@op=*")
    void shouldAgreeOnValueAndErrorAlike(SimulatedRank test) {
        MPI.Init(new String[0]);
        Intercomm inter;
        Intracomm half = Survival.madeByAll(WORLD, comm -> comm.split(WORLD.getRank() % 2, 0));
        try {
            inter = evenAndOdd(half);
        } catch (MPIException error) {
            inter = null;
            WORLD.revoke(); // another rank may be in createIntercomm already, and wait for this one
        }
        StringBuilder errors = new StringBuilder();
        int[] all = {inter == null ? 0 : 1};
        Programs.errorClass(() -> WORLD.agree(all));
        for (int round = 0; round < 4 && all[0] == 1; round++) {
            int[] flag = {~(1 << WORLD.getRank() + 8 * round)};
            Intercomm comm = inter;
            int error = Programs.errorClass(() -> comm.agree(flag));
            assertThat(error).isIn(MPI.SUCCESS, MPI.ERR_PROC_FAILED);
            // The value of agree combines flags of the remote group only. The flags of all live remote members are in
            // it; those of failed ones may be.
            int mask = WORLD.getRank() % 2 == 0 ? 0b01010 : 0b10101;
            assertThat(~flag[0] & ~(mask << 8 * round)).isZero();
            for (int rank : ranks(comm.getRemoteGroup(), WORLD)) {
                boolean isIn = (flag[0] & 1 << rank + 8 * round) == 0;
                assertThat(isIn || contains(Programs.failedRanks(WORLD), rank)).isTrue();
            }
            errors.append(error).append(' ');
            if (error != MPI.SUCCESS) {
                comm.ackFailed();
            }
        }
        if (all[0] == 1) {
            Intercomm shrunk = inter.shrink();
            int[] first = WORLD.getRank() % 2 == 0 ? slots(shrunk) : ranks(shrunk.getRemoteGroup(), WORLD);
            errors.append(java.util.Arrays.toString(first));
        }
        test.result(errors.toString());
        MPI.Finalize();
    }

    private static boolean contains(int[] ranks, int rank) {
        return java.util.Arrays.stream(ranks).anyMatch(one -> one == rank);
    }
}
