package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.program;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.slots;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ProcFailedException;
import mpi.ProcFailedPendingException;
import mpi.Request;
import mpi.Resilient;
import mpi.RevokedException;
import mpi.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The retry loop under deaths in each of its calls, and what it must let through. */
class ResilientTest {
    private static final int STEPS = 6;
    private static final long EXPECTED = 21;

    /** Each step adds its number, which all members have to confirm: the sum is the same however many are left. */
    private static final class Sum implements Resilient.Loop {
        private int step;
        private long sum;
        private int recoveries;

        @Override
        public void work(Intracomm comm) {
            long[] number = new long[1];
            while (step < STEPS) {
                comm.allReduce(new long[] {step + 1}, number, 1, MPI.LONG, MPI.MAX);
                sum += number[0];
                step++;
            }
        }

        @Override
        public void restore(Intracomm comm, Resilient.Recovery recovery) {
            recoveries++;
            int[] steps = new int[comm.getSize()];
            comm.allGather(new int[] {step}, 1, MPI.INT, steps, 1, MPI.INT);
            int furthest = 0;
            for (int rank = 1; rank < steps.length; rank++) {
                furthest = steps[rank] > steps[furthest] ? rank : furthest;
            }
            long[] sums = {sum};
            comm.bcast(sums, 1, MPI.LONG, furthest);
            sum = sums[0];
            step = steps[furthest];
        }
    }

    @ParameterizedTest
    @CsvSource({"allReduce,1", "allReduce,4", "allReduce,6", "agree,1"})
    void shouldFinishWithTheOthersWhenARankDiesInACall(String operation, int nth) {
        for (int victim = 0; victim < 4; victim++) {
            LocalResult result = sum(LocalWorld.of(4).killing(victim, operation, nth));
            assertThat(result.ranks(RankEnd.KILLED)).containsExactly(victim);
        }
    }

    @ParameterizedTest
    @CsvSource({"revoke,1", "agree,1", "shrink,1", "allGather,1", "bcast,1", "allReduce,6", "agree,2"})
    void shouldFinishWithTheOthersWhenAnotherRankDiesDuringTheRecovery(String operation, int nth) {
        for (int victim = 1; victim < 5; victim++) {
            LocalResult result = sum(LocalWorld.of(5).killing(0, "allReduce", 3).killing(victim, operation, nth));
            assertThat(result.ranks(RankEnd.KILLED)).containsExactly(0, victim);
        }
    }

    @Test
    void shouldFinishAloneWhenAllOthersDieOneInTheRecoveryFromTheOther() {
        LocalResult result = sum(LocalWorld.of(5)
                .killing(0, "allReduce", 2)
                .killing(4, "shrink", 1)
                .killing(1, "allGather", 1)
                .killing(3, "bcast", 1));
        assertThat(result.ranks(RankEnd.KILLED)).containsExactly(0, 1, 3, 4);
    }

    /** Each of the calls that a rank makes, whatever they are, until one comes that it no longer makes. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void shouldFinishWhicheverCallARankDiesIn(int victim) {
        int call = 1;
        LocalResult result;
        do {
            result = sum(LocalWorld.of(4).killing(2, "allReduce", 3).killing(victim, "*", call));
            call++;
        } while (result.end(victim) == RankEnd.KILLED);
        assertThat(call).as("calls of rank " + victim).isGreaterThan(2 * STEPS);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldFinishWithWhoeverIsLeftWhenManyDieAtRandom(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 10; round++) {
            int size = 3 + random.nextInt(5);
            LocalWorld world = LocalWorld.of(size);
            for (int i = 1 + random.nextInt(size); i > 0; i--) {
                // Rank 0 survives, so that somebody does.
                world.killing(1 + random.nextInt(size - 1), "*", 1 + random.nextInt(40));
            }
            sum(world);
        }
    }

    private static LocalResult sum(LocalWorld world) {
        Map<Integer, List<Integer>> members = new ConcurrentSkipListMap<>();
        LocalResult result = world.run(program(rank -> {
            Sum sum = new Sum();
            Intracomm left = Resilient.run(MPI.COMM_WORLD, sum);
            assertThat(sum.sum).isEqualTo(EXPECTED);
            members.put(rank, Arrays.stream(slots(left)).boxed().toList());
        }));
        result.requireSurvivorsSucceeded();
        List<Integer> survivors = result.ranks(RankEnd.FINALIZED);
        assertThat(survivors).as(result.toString()).isNotEmpty();
        for (int survivor : survivors) {
            assertThat(members.get(survivor))
                    .as(result.toString())
                    .containsAll(survivors)
                    .isEqualTo(members.get(survivors.get(0)));
        }
        return result;
    }

    @Test
    void shouldCostOneAgreementAndReturnTheWorldItselfWhenNobodyDies() {
        LocalWorld world = LocalWorld.of(3).killing(1, "agree", 2).killing(2, "shrink", 1);
        LocalResult result = Worlds.run(world, (comm, rank) -> {
            Sum sum = new Sum();
            assertThat(Resilient.run(comm, sum)).isSameAs(comm);
            assertThat(sum.recoveries).isZero();
        });
        assertThat(result.ranks(RankEnd.FINALIZED)).containsExactly(0, 1, 2);
    }

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

    /** Whoever was at the end already has no failure of its own to show, and works again with the others. */
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

    /** A rank of another row learns of the death only because the program is on one communicator with it. */
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

    /** The rank that fails to split off its row cannot know what the row would have been: only its parent can be revoked. */
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
                    // As if its split had failed: the others have a row with it, and it has none.
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

    /** A request that is held up is not over, but the revocation of its communicator ends it. */
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

    /** One that calls another recovery operation at the end is a mistake that all of them hear of, none tries again. */
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
