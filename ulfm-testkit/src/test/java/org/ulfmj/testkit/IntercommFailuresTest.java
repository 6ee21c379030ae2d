package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Groups.evenAndOdd;
import static org.ulfmj.testkit.Groups.half;
import static org.ulfmj.testkit.Programs.awaitFailed;
import static org.ulfmj.testkit.Programs.awaitRevoked;
import static org.ulfmj.testkit.Programs.ints;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.ranks;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.util.concurrent.CountDownLatch;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Prequest;
import mpi.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests deaths and revocations on an inter-communicator, in either group. */
class IntercommFailuresTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;

    @Test
    void shouldRaiseTheFailureOfANamedRemoteRank() {
        CountDownLatch ready = new CountDownLatch(5);
        survivorsSucceed(5, rank -> {
            Intercomm inter = evenAndOdd();
            dieAfterAll(ready, rank == 3);
            awaitFailed(WORLD, 3);
            if (rank % 2 == 0) {
                MPIException failure = raises(MPI.ERR_PROC_FAILED, () -> inter.recv(new int[1], 1, MPI.INT, 1, 0));
                assertThat(failure)
                        .hasMessageContaining("receive from rank 1, tag 0 on inter-communicator")
                        .hasMessageContaining("rank 1 of the remote group (process 3) has failed");
                assertThat(failure.getFailedRanks()).containsExactly(1);
                assertThat(failure.getFailedLocalRanks()).isEmpty();
                raises(MPI.ERR_PROC_FAILED, () -> inter.send(new int[1], 1, MPI.INT, 1, 0));
                raises(MPI.ERR_PROC_FAILED, () -> inter.probe(1, 0));
                raises(MPI.ERR_PROC_FAILED, () -> inter.iProbe(1, 0));
                Request request = inter.iRecv(ints(0), 1, MPI.INT, 1, 0);
                assertThat(raises(MPI.ERR_PROC_FAILED, request::waitFor)
                                .getStatuses()[0]
                                .getSource())
                        .isEqualTo(1);
                Prequest persistent = inter.sendInit(ints(0), 1, MPI.INT, 1, 0);
                persistent.start();
                raises(MPI.ERR_PROC_FAILED, persistent::waitFor);
            }
            exchangeWithRank0(inter, rank);
        });
    }

    /**
     * Waits until all ranks have called this method, and then kills the calling rank if {@code isMeant}; another rank
     * goes on at once.
     */
    private static void dieAfterAll(CountDownLatch ready, boolean isMeant) throws InterruptedException {
        ready.countDown();
        if (isMeant) {
            ready.await();
            Faults.die();
        }
    }

    /** Requires that the ranks 0 of the two groups can still exchange messages, each addressed by its rank. */
    private static void exchangeWithRank0(Intercomm inter, int rank) {
        if (inter.getRank() == 0) {
            int[] got = new int[1];
            inter.sendRecv(new int[] {rank}, 1, MPI.INT, 0, 1, got, 1, MPI.INT, 0, 1);
            assertThat(got).containsExactly(1 - rank);
        }
    }

    @Test
    void shouldHoldUpWildcardsByDeathsOfTheRemoteGroupOnly() {
        CountDownLatch ready = new CountDownLatch(6);
        survivorsSucceed(6, rank -> {
            Intercomm inter = evenAndOdd();
            dieAfterAll(ready, rank == 3);
            awaitFailed(WORLD, 3);
            int[] got = new int[1];
            if (rank % 2 == 0) {
                MPIException failure =
                        raises(MPI.ERR_PROC_FAILED, () -> inter.recv(got, 1, MPI.INT, MPI.ANY_SOURCE, 0));
                assertThat(failure).hasMessageContaining("rank 1 of the remote group (process 3)");
                Request request = inter.iRecv(ints(0), 1, MPI.INT, MPI.ANY_SOURCE, 0);
                raises(MPI.ERR_PROC_FAILED_PENDING, request::waitFor);
                raises(MPI.ERR_PROC_FAILED, () -> inter.probe(MPI.ANY_SOURCE, 0));
                assertThat(inter.ackFailed()).isEqualTo(1);
                inter.send(new int[] {rank}, 1, MPI.INT, rank == 0 ? 0 : 2, 0);
                assertThat(request.waitStatus().getSource()).isIn(0, 2);
            } else {
                // The dead rank is in the receiver's own group: a wildcard receive takes messages of the remote group
                // only, so the death does not hold it up.
                int others = rank == 1 ? 1 : 2; // rank 1 hears of rank 0, rank 5 of ranks 2 and 4
                for (int i = 0; i < others; i++) {
                    int from = inter.recv(got, 1, MPI.INT, MPI.ANY_SOURCE, 0).getSource();
                    assertThat(got).containsExactly(2 * from);
                    inter.send(got, 1, MPI.INT, from, 0);
                }
            }
        });
    }

    @Test
    void shouldKnowAndAcknowledgeFailuresOfBothGroups() {
        CountDownLatch ready = new CountDownLatch(6);
        survivorsSucceed(6, rank -> {
            Intercomm inter = evenAndOdd();
            dieAfterAll(ready, rank == 3 || rank == 4);
            awaitFailed(WORLD, 3, 4);
            int[] failed = ranks(inter.getFailed(), WORLD);
            assertThat(failed).containsExactlyInAnyOrder(3, 4);
            assertThat(inter.ackFailed(0)).isZero();
            assertThat(inter.ackFailed(1)).isEqualTo(1);
            assertThat(inter.ackFailed(6)).isEqualTo(2);
            assertThat(ranks(inter.agreeFailed(), WORLD)).containsExactlyInAnyOrder(3, 4);
            boolean isEven = rank % 2 == 0;
            MPIException failure = raises(MPI.ERR_PROC_FAILED, inter::dup);
            assertThat(failure.getFailedRanks()).containsExactly(isEven ? 1 : 2);
            assertThat(failure.getFailedLocalRanks()).containsExactly(isEven ? 2 : 1);
            assertThat(failure.getComm()).isSameAs(inter);
        });
    }

    @Test
    void shouldEndWhatWaitsWhenAMemberOfEitherGroupRevokes() {
        for (int revoker : new int[] {0, 3}) {
            survivorsSucceed(4, rank -> {
                Intercomm inter = evenAndOdd();
                assertThat(inter.isRevoked()).isFalse();
                Request request = inter.iRecv(ints(0), 1, MPI.INT, MPI.ANY_SOURCE, 0);
                WORLD.barrier(); // a revocation before all have come out of the creation ends that, too
                if (rank == revoker) {
                    inter.revoke();
                    assertThat(inter.isRevoked()).isTrue();
                }
                raises(MPI.ERR_REVOKED, () -> inter.recv(new int[1], 1, MPI.INT, 1, 0));
                raises(MPI.ERR_REVOKED, request::waitFor);
                raises(MPI.ERR_REVOKED, () -> inter.send(new int[1], 1, MPI.INT, MPI.PROC_NULL, 0));
                raises(MPI.ERR_REVOKED, inter::dup);
                assertThat(WORLD.agree(1)).isEqualTo(1);
                inter.free();
            });
        }
    }

    @Test
    void shouldRaiseAtBothGroupsWhenOneOfThemHasAKnownFailure() {
        CountDownLatch ready = new CountDownLatch(6);
        survivorsSucceed(6, rank -> {
            Intracomm half = half();
            dieAfterAll(ready, rank == 5);
            awaitFailed(WORLD, 5);
            int error = rank % 2 == 0 ? MPI.ERR_REVOKED : MPI.ERR_PROC_FAILED;
            MPIException failure = raises(error, () -> evenAndOdd(half));
            assertThat(failure).hasMessageContaining("createIntercomm on split of COMM_WORLD");
            assertThat(failure.getFailedRanks()).containsExactly(rank % 2 == 0 ? new int[0] : new int[] {2});
            assertThat(failure.getComm()).isSameAs(half);
        });
    }

    /**
     * When the leader of one group is dead, createIntercomm raises PROC_FAILED at the live members of both groups, and
     * no member waits for ever.
     */
    @Test
    void shouldRaiseAtBothGroupsWhenTheRemoteLeaderIsDead() {
        CountDownLatch ready = new CountDownLatch(4);
        survivorsSucceed(4, rank -> {
            Intracomm half = half();
            dieAfterAll(ready, rank == 1);
            awaitFailed(WORLD, 1);
            MPIException failure = raises(MPI.ERR_PROC_FAILED, () -> evenAndOdd(half));
            if (rank == 0) {
                assertThat(failure).hasMessageContaining("rank 1 (process 1) has failed");
            }
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRaiseAtBothGroupsWhenACommunicatorOfALeaderIsRevoked(boolean isPeer) {
        survivorsSucceed(4, rank -> {
            Intracomm half = half();
            Intracomm peer = WORLD.dup();
            if (rank == 0) {
                (isPeer ? peer : half).revoke();
            } else if (isPeer) {
                awaitRevoked(peer);
            }
            raises(MPI.ERR_REVOKED, () -> peer.createIntercomm(half, 0, rank % 2 == 0 ? 1 : 0, 0));
        });
    }

    /**
     * The leader of a group calls createIntercomm with a remote leader that never calls it. The other member revokes
     * the group's communicator, and both get ERR_REVOKED from createIntercomm.
     */
    @Test
    void shouldEndTheWaitForALeaderThatDoesNotCome() {
        survivorsSucceed(3, rank -> {
            Intracomm pair = WORLD.split(rank / 2, rank);
            if (rank == 0) {
                raises(MPI.ERR_REVOKED, () -> WORLD.createIntercomm(pair, 0, 2, 0));
                assertThat(pair.shrink().getSize()).isEqualTo(2);
            } else if (rank == 1) {
                pair.revoke();
                raises(MPI.ERR_REVOKED, () -> WORLD.createIntercomm(pair, 0, 2, 0));
                assertThat(pair.shrink().getSize()).isEqualTo(2);
            }
        });
    }

    /**
     * The death of a rank that is in neither group does not make createIntercomm fail, though the rank is a member of
     * the peer communicator.
     */
    @Test
    void shouldNotMindTheDeathOfAnotherMemberOfThePeerCommunicator() {
        CountDownLatch ready = new CountDownLatch(5);
        survivorsSucceed(5, rank -> {
            Intracomm mine = WORLD.split(rank % 2, rank);
            Intracomm small = rank == 4
                    ? null
                    : mine.createGroup(rank % 2 == 0 ? mine.getGroup().incl(new int[] {0, 1}) : mine.getGroup(), 0);
            dieAfterAll(ready, rank == 4);
            awaitFailed(WORLD, 4);
            Intercomm inter = evenAndOdd(small);
            assertThat(inter.getFailed().getSize()).isZero();
            exchangeWithRank0(inter, rank);
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotMergeWithADeadMember(boolean high) {
        CountDownLatch ready = new CountDownLatch(4);
        survivorsSucceed(4, rank -> {
            Intercomm inter = evenAndOdd();
            dieAfterAll(ready, rank == 3);
            MPIException failure = raises(MPI.ERR_PROC_FAILED, () -> inter.merge(rank % 2 == 0 == high));
            assertThat(failure.getFailedRanks()).containsExactly(rank % 2 == 0 ? new int[] {1} : new int[0]);
            assertThat(failure.getFailedLocalRanks()).containsExactly(rank % 2 == 0 ? new int[0] : new int[] {1});
        });
    }

    @Test
    void shouldRaiseTheRevocationInMerge() {
        survivorsSucceed(4, rank -> {
            Intercomm inter = evenAndOdd();
            WORLD.barrier();
            if (rank == 2) {
                inter.revoke();
            }
            raises(MPI.ERR_REVOKED, () -> inter.merge(rank % 2 == 0));
        });
    }
}
