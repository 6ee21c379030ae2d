package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Groups.evenAndOdd;
import static org.ulfmj.testkit.Groups.half;
import static org.ulfmj.testkit.Programs.errorClass;
import static org.ulfmj.testkit.Programs.ints;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.ranks;
import static org.ulfmj.testkit.Programs.slots;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.nio.IntBuffer;
import mpi.Comm;
import mpi.Errhandler;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Message;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests inter-communicators among threads, without failures: their groups, their messages, and which arguments a call
 * refuses.
 */
class IntercommTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;

    @Test
    void shouldHaveALocalAndARemoteGroup() {
        survivorsSucceed(5, rank -> {
            Intercomm inter = evenAndOdd();
            boolean isEven = rank % 2 == 0;
            assertThat(inter.isInter()).isTrue();
            assertThat(WORLD.isInter()).isFalse();
            assertThat(inter.getSize()).isEqualTo(isEven ? 3 : 2);
            assertThat(inter.getRemoteSize()).isEqualTo(isEven ? 2 : 3);
            assertThat(inter.getRank()).isEqualTo(rank / 2);
            assertThat(slots(inter)).containsExactly(isEven ? new int[] {0, 2, 4} : new int[] {1, 3});
            assertThat(ranks(inter.getRemoteGroup(), WORLD))
                    .containsExactly(isEven ? new int[] {1, 3} : new int[] {0, 2, 4});
            assertThat(inter)
                    .hasToString("inter-communicator of split of COMM_WORLD, rank " + rank / 2 + " of "
                            + (isEven ? "3, with 2 remote ranks" : "2, with 3 remote ranks"));
            assertThat(inter.getFailed().getSize()).isZero();
            inter.free();
            assertThat(inter.isNull()).isTrue();
            raises(MPI.ERR_COMM, inter::getRemoteSize);
        });
    }

    /**
     * Tests createIntercomm with a leader that is not rank 0 of its group, with groups in the opposite order of the
     * world, and with a peer communicator other than COMM_WORLD.
     */
    @Test
    void shouldFindLeadersByTheirRankInThePeerCommunicator() {
        survivorsSucceed(6, rank -> {
            Intracomm peer = WORLD.split(0, -rank); // rank r of the world is 5 − r here
            Intracomm half = WORLD.split(rank < 2 ? 0 : 1, -rank);
            Intercomm inter = peer.createIntercomm(half, 1, rank < 2 ? 5 - 4 : 5 - 0, 0);
            assertThat(slots(inter)).containsExactly(rank < 2 ? new int[] {1, 0} : new int[] {5, 4, 3, 2});
            assertThat(ranks(inter.getRemoteGroup(), WORLD))
                    .containsExactly(rank < 2 ? new int[] {5, 4, 3, 2} : new int[] {1, 0});
            int[] heard = new int[1];
            Status status = inter.sendRecv(
                    new int[] {rank},
                    1,
                    MPI.INT,
                    0,
                    1,
                    heard,
                    1,
                    MPI.INT,
                    rank == 1 || rank == 5 ? 0 : MPI.PROC_NULL,
                    1);
            if (rank == 1 || rank == 5) {
                assertThat(heard[0]).isIn(0, 1, 2, 3, 4, 5);
                assertThat(status.getSource()).isZero();
                for (int more = 1; more < inter.getRemoteSize(); more++) {
                    int from = inter.recv(heard, 1, MPI.INT, MPI.ANY_SOURCE, 1).getSource();
                    assertThat(heard[0]).isEqualTo(ranks(inter.getRemoteGroup(), WORLD)[from]);
                }
            }
        });
    }

    /**
     * Tests sends, matched probes and receives in both groups: the source of a matched probe is a rank of the remote
     * group.
     */
    @Test
    void shouldMatchMessagesByTheRanksOfTheRemoteGroup() {
        survivorsSucceed(5, rank -> {
            Intercomm inter = evenAndOdd();
            int remote = inter.getRemoteSize();
            for (int to = 0; to < remote; to++) {
                inter.send(new int[] {rank, rank}, 2, MPI.INT, to, 7);
                inter.send(new int[] {10 + rank}, 1, MPI.INT, to, 8);
            }
            for (int from = 0; from < remote; from++) {
                int sender = ranks(inter.getRemoteGroup(), WORLD)[from];
                Message message = new Message();
                Status matched = message.mProbe(from, 7, inter);
                assertThat(matched.getSource()).isEqualTo(from);
                assertThat(matched.getTag()).isEqualTo(7);
                assertThat(matched.getCount(MPI.INT)).isEqualTo(2);
                int[] got = new int[2];
                assertThat(message.mRecv(got, 2, MPI.INT).getSource()).isEqualTo(from);
                assertThat(got).containsExactly(sender, sender);
            }
            for (int i = 0; i < remote; i++) {
                Message message = new Message();
                Status matched = null;
                while (matched == null) {
                    matched = message.imProbe(MPI.ANY_SOURCE, 8, inter);
                }
                int sender = ranks(inter.getRemoteGroup(), WORLD)[matched.getSource()];
                int[] got = new int[1];
                message.mRecv(got, 1, MPI.INT);
                assertThat(got).containsExactly(10 + sender);
            }
        });
    }

    @Test
    void shouldSendEachKindOfMessageToTheRemoteGroup() {
        survivorsSucceed(4, rank -> {
            Intercomm inter = evenAndOdd();
            int mine = inter.getRank();
            int there = 1 - mine;
            if (rank % 2 == 0) {
                inter.send(new int[] {rank}, 1, MPI.INT, there, 1);
                inter.sSend(new int[] {10 + rank}, 1, MPI.INT, there, 2);
                inter.iSend(ints(20 + rank), 1, MPI.INT, there, 3).waitFor();
                Prequest send = inter.sendInit(ints(30 + rank), 1, MPI.INT, there, 4);
                send.start();
                send.waitFor();
                send.free();
                MPI.attachBuffer(new byte[1000]);
                Prequest copied = inter.bSendInit(ints(40 + rank), 1, MPI.INT, there, 5);
                copied.start();
                copied.waitFor();
                MPI.detachBuffer();
                inter.rSend(new int[] {50 + rank}, 1, MPI.INT, there, 6);
                inter.send(new int[100_000], 100_000, MPI.INT, there, 7);
            } else {
                int peer = 2 * there;
                int[] got = new int[1];
                assertThat(inter.recv(got, 1, MPI.INT, there, 1).getSource()).isEqualTo(there);
                assertThat(got).containsExactly(peer);
                Status probed = inter.probe(MPI.ANY_SOURCE, 2);
                assertThat(probed.getSource()).isEqualTo(there);
                assertThat(probed.getCount(MPI.INT)).isEqualTo(1);
                Status seen = null;
                while (seen == null) {
                    seen = inter.iProbe(there, 2);
                }
                assertThat(seen.getSource()).isEqualTo(there);
                assertThat(inter.recv(got, 1, MPI.INT, MPI.ANY_SOURCE, 2).getSource())
                        .isEqualTo(there);
                assertThat(got).containsExactly(10 + peer);
                IntBuffer later = MPI.newIntBuffer(1);
                Status received =
                        inter.iRecv(later, 1, MPI.INT, MPI.ANY_SOURCE, 3).waitStatus();
                assertThat(received.getSource()).isEqualTo(there);
                assertThat(later.get(0)).isEqualTo(20 + peer);
                Prequest receive = inter.recvInit(later, 1, MPI.INT, there, 4);
                receive.start();
                assertThat(receive.waitStatus().getSource()).isEqualTo(there);
                receive.free();
                assertThat(later.get(0)).isEqualTo(30 + peer);
                inter.recv(got, 1, MPI.INT, there, 5);
                assertThat(got).containsExactly(40 + peer);
                inter.recv(got, 1, MPI.INT, there, 6);
                assertThat(got).containsExactly(50 + peer);
                int[] many = new int[100_000];
                assertThat(inter.recv(many, many.length, MPI.INT, MPI.ANY_SOURCE, 7)
                                .getSource())
                        .isEqualTo(there);
            }
            int[] swapped = {rank};
            Status status = inter.sendRecvReplace(swapped, 1, MPI.INT, mine, 8, mine, 8);
            assertThat(status.getSource()).isEqualTo(mine);
            assertThat(swapped).containsExactly(rank % 2 == 0 ? rank + 1 : rank - 1);
            inter.send(swapped, 1, MPI.INT, MPI.PROC_NULL, 0);
            assertThat(inter.recv(swapped, 1, MPI.INT, MPI.PROC_NULL, 0).getSource())
                    .isEqualTo(MPI.PROC_NULL);
            assertThat(inter.iRecv(ints(0), 1, MPI.INT, MPI.PROC_NULL, 0)
                            .waitStatus()
                            .getSource())
                    .isEqualTo(MPI.PROC_NULL);
        });
    }

    @Test
    void shouldKeepMessagesOfEachCommunicatorApart() {
        survivorsSucceed(4, rank -> {
            Intercomm inter = evenAndOdd();
            Intercomm dup = inter.dup();
            Intercomm later = inter.iDup();
            later.getRequest().waitFor();
            Intercomm clone = inter.clone();
            Intercomm[] all = {inter, dup, later, clone, inter.dupWithInfo(MPI.INFO_NULL)};
            for (Intercomm one : all) {
                assertThat(one.getRemoteSize()).isEqualTo(2);
                assertThat(ranks(one.getRemoteGroup(), WORLD)).containsExactly(ranks(inter.getRemoteGroup(), WORLD));
            }
            int there = inter.getRank();
            if (rank % 2 == 0) {
                for (int i = all.length - 1; i >= 0; i--) {
                    all[i].send(new int[] {i}, 1, MPI.INT, there, 0);
                }
            } else {
                for (int i = 0; i < all.length; i++) {
                    int[] got = {-1};
                    all[i].recv(got, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
                    assertThat(got).containsExactly(i);
                }
            }
            inter.free();
            assertThat(dup.getRemoteSize()).isEqualTo(2);
        });
    }

    @Test
    void shouldCompareBothGroups() {
        survivorsSucceed(4, rank -> {
            Intracomm half = half();
            Intercomm inter = evenAndOdd(half);
            assertThat(Comm.compare(inter, inter)).isEqualTo(MPI.IDENT);
            assertThat(Comm.compare(inter, inter.dup())).isEqualTo(MPI.CONGRUENT);
            assertThat(Comm.compare(inter, evenAndOdd(half))).isEqualTo(MPI.CONGRUENT);
            assertThat(Comm.compare(inter, half)).isEqualTo(MPI.UNEQUAL);
            assertThat(Comm.compare(half, inter)).isEqualTo(MPI.UNEQUAL);
            boolean isEven = rank % 2 == 0;
            Intracomm turned =
                    isEven ? half : WORLD.createGroup(WORLD.getGroup().incl(new int[] {3, 1}), 0);
            Intercomm mixed = WORLD.createIntercomm(turned, 0, isEven ? 3 : 0, 0);
            assertThat(Comm.compare(inter, mixed)).isEqualTo(MPI.SIMILAR);
            Intracomm pair = WORLD.split(rank / 2, rank);
            Intercomm others = WORLD.createIntercomm(pair, 0, rank < 2 ? 2 : 0, 0);
            assertThat(Comm.compare(inter, others)).isEqualTo(MPI.UNEQUAL);
        });
    }

    /**
     * Several calls of createIntercomm by the same leaders, with the same tag or another, each make a different
     * communicator.
     */
    @Test
    void shouldMakeAnotherCommunicatorAtEachCall() {
        survivorsSucceed(2, rank -> {
            Intracomm self = WORLD.split(rank, 0);
            Intercomm[] made = new Intercomm[6];
            for (int i = 0; i < made.length; i++) {
                made[i] = WORLD.createIntercomm(self, 0, 1 - rank, i % 2);
            }
            for (int i = 0; i < made.length; i++) {
                made[i].send(new int[] {i}, 1, MPI.INT, 0, 0);
            }
            for (int i = made.length - 1; i >= 0; i--) {
                int[] got = new int[1];
                made[i].recv(got, 1, MPI.INT, 0, 0);
                assertThat(got).containsExactly(i);
                made[i].free();
            }
        });
    }

    /**
     * A wildcard receive of the program on the peer communicator takes a message of the program, and none of those that
     * createIntercomm sends there.
     */
    @Test
    void shouldNotMeetMessagesOfThePeerCommunicator() {
        survivorsSucceed(2, rank -> {
            IntBuffer got = MPI.newIntBuffer(1);
            Request any = WORLD.iRecv(got, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
            Intercomm inter = WORLD.createIntercomm(MPI.COMM_SELF, 0, 1 - rank, 7);
            WORLD.send(new int[] {5}, 1, MPI.INT, 1 - rank, 7);
            any.waitFor();
            assertThat(got.get(0)).isEqualTo(5);
            inter.free();
        });
    }

    @Test
    void shouldTakeOverTheErrorHandlerOfTheLocalCommunicator() {
        survivorsSucceed(2, rank -> {
            Intracomm self = WORLD.split(rank, 0);
            Errhandler own = Comm.createErrhandler((comm, error) -> {});
            self.setErrhandler(own);
            Intercomm inter = WORLD.createIntercomm(self, 0, 1 - rank, 0);
            assertThat(inter.getErrhandler()).isSameAs(own);
        });
    }

    @Test
    void shouldRefuseRanksThatAreNotInTheRemoteGroup() {
        survivorsSucceed(5, rank -> {
            Intercomm inter = evenAndOdd();
            int size = inter.getRemoteSize();
            String allowed = "is " + size + "; allowed: 0 to " + (size - 1);
            assertThat(raises(MPI.ERR_RANK, () -> inter.send(new int[1], 1, MPI.INT, size, 0)))
                    .hasMessageContaining("dest " + allowed);
            assertThat(raises(MPI.ERR_RANK, () -> inter.recv(new int[1], 1, MPI.INT, size, 0)))
                    .hasMessageContaining("source " + allowed);
            assertThat(raises(MPI.ERR_ARG, () -> inter.ackFailed(6))).hasMessageContaining("0 to 5");
        });
    }

    @Test
    void shouldRefuseALocalCommunicatorThatIsNone() {
        survivorsSucceed(2, rank -> {
            Intercomm inter = WORLD.createIntercomm(MPI.COMM_SELF, 0, 1 - rank, 0);
            assertThat(raises(MPI.ERR_COMM, () -> WORLD.createIntercomm(null, 0, 1 - rank, 0)))
                    .hasMessageContaining("createIntercomm: localComm is null");
            assertThat(raises(MPI.ERR_COMM, () -> WORLD.createIntercomm(inter, 0, 1 - rank, 0)))
                    .hasMessageContaining("localComm is an inter-communicator");
            assertThat(raises(MPI.ERR_RANK, () -> WORLD.createIntercomm(MPI.COMM_SELF, 1, 1 - rank, 0)))
                    .hasMessageContaining("localLeader is 1; allowed: 0 to 0");
            Intracomm freed = WORLD.dup();
            freed.free();
            raises(MPI.ERR_COMM, () -> WORLD.createIntercomm(freed, 0, 1 - rank, 0));
        });
    }

    /**
     * When a leader passes a wrong argument to createIntercomm, all members of its group get the error, and no member
     * waits.
     */
    @ParameterizedTest
    @ValueSource(strings = {"remoteLeader", "tag", "peer"})
    void shouldTellTheGroupOfTheMistakeOfItsLeader(String wrong) {
        survivorsSucceed(3, rank -> {
            Intracomm freed = WORLD.dup();
            freed.free();
            Comm peer = wrong.equals("peer") && rank == 1 ? freed : WORLD;
            int remote = wrong.equals("remoteLeader") && rank == 1 ? 3 : 0;
            int tag = wrong.equals("tag") && rank == 1 ? -1 : 0;
            int error = wrong.equals("peer") ? MPI.ERR_COMM : wrong.equals("tag") ? MPI.ERR_TAG : MPI.ERR_RANK;
            assertThat(raises(error, () -> peer.createIntercomm(WORLD, 1, remote, tag)))
                    .hasMessageContaining(
                            wrong.equals("peer") ? "the communicator of the leaders is null" : wrong + " is ");
            assertThat(WORLD.agree(1)).isEqualTo(1);
        });
    }

    @Test
    void shouldRefuseGroupsThatOverlap() {
        survivorsSucceed(4, rank -> {
            Intracomm low = WORLD.createGroup(WORLD.getGroup().incl(new int[] {0, 1, 2}), 0);
            Intracomm high = WORLD.createGroup(WORLD.getGroup().incl(new int[] {2, 3}), 0);
            if (rank == 2) {
                // Rank 2 is in both groups: it calls createIntercomm for one group in this thread and for the other in
                // a second thread. Overlapping groups are an error at all members.
                int[] error = new int[1];
                Thread other = new Thread(
                        MPI.bindThread(() -> error[0] = errorClass(() -> WORLD.createIntercomm(high, 1, 0, 0))));
                other.start();
                raises(MPI.ERR_COMM, () -> WORLD.createIntercomm(low, 0, 3, 0));
                other.join();
                assertThat(error).containsExactly(MPI.ERR_COMM);
            } else if (rank == 3) {
                assertThat(raises(MPI.ERR_COMM, () -> WORLD.createIntercomm(high, 1, 0, 0)))
                        .hasMessageContaining("overlap");
            } else {
                assertThat(raises(MPI.ERR_COMM, () -> WORLD.createIntercomm(low, 0, 3, 0)))
                        .hasMessageContaining("the groups overlap: this one has slots");
            }
            // A leader that names itself as the remote leader gets the error that the groups overlap.
            assertThat(raises(MPI.ERR_COMM, () -> WORLD.createIntercomm(MPI.COMM_SELF, 0, rank, 0)))
                    .hasMessageContaining("overlap");
        });
    }

    @Test
    void shouldMergeTheGroupThatIsLowInFrontOfTheOther() {
        survivorsSucceed(5, rank -> {
            Intercomm inter = evenAndOdd();
            boolean isEven = rank % 2 == 0;
            Intracomm oddFirst = inter.merge(isEven);
            assertThat(slots(oddFirst)).containsExactly(1, 3, 0, 2, 4);
            assertThat(oddFirst.isInter()).isFalse();
            assertThat(slots(inter.merge(!isEven))).containsExactly(0, 2, 4, 1, 3);
            // When both groups pass the same value of high to merge, the even ranks come first here: the first of them
            // is rank 0 of the world.
            assertThat(slots(inter.merge(true))).containsExactly(0, 2, 4, 1, 3);
            assertThat(slots(inter.merge(false))).containsExactly(0, 2, 4, 1, 3);
            int[] sum = new int[1];
            oddFirst.allReduce(new int[] {rank}, sum, 1, MPI.INT, MPI.SUM);
            assertThat(sum).containsExactly(10);
            oddFirst.free();
        });
    }

    /**
     * When both groups pass the same value of high to merge, the group whose rank 0 is the lower one in the world comes
     * first; its other ranks do not matter.
     */
    @Test
    void shouldTakeTheGroupWithTheLowerFirstRankForTheFirstOne() {
        survivorsSucceed(4, rank -> {
            boolean isOuter = rank == 0 || rank == 3;
            Intracomm half = WORLD.split(isOuter ? 0 : 1, -rank); // [3, 0] and [2, 1]
            Intercomm inter = WORLD.createIntercomm(half, 0, isOuter ? 2 : 3, 0);
            assertThat(slots(inter.merge(false))).containsExactly(2, 1, 3, 0);
        });
    }

    @Test
    void shouldRefuseToMergeAGroupOfTwoMinds() {
        survivorsSucceed(5, rank -> {
            Intercomm inter = evenAndOdd();
            assertThat(raises(MPI.ERR_ARG, () -> inter.merge(rank == 3)))
                    .hasMessageContaining("merge on inter-communicator")
                    .hasMessageContaining("members of the " + (rank % 2 == 0 ? "remote" : "local")
                            + " group gave different values for high");
            assertThat(inter.merge(false).getSize()).isEqualTo(5);
        });
    }

    /** Inter-communicators have no topology. */
    @Test
    void shouldRefuseCollectivesAmongNeighbors() {
        survivorsSucceed(2, rank -> {
            Intercomm inter = WORLD.createIntercomm(MPI.COMM_SELF, 0, 1 - rank, 0);
            int[] one = new int[1];
            raises(MPI.ERR_TOPOLOGY, () -> inter.neighborAllGather(one, 1, MPI.INT, one, 1, MPI.INT));
            raises(MPI.ERR_TOPOLOGY, () -> inter.iNeighborAllToAll(ints(1), 1, MPI.INT, ints(1), 1, MPI.INT));
        });
    }
}
