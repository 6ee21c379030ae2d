package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Groups.half;

import java.util.ArrayList;
import java.util.List;
import mpi.Comm;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ProcFailedException;
import mpi.RevokedException;
import org.junit.jupiter.api.Test;
import org.ulfmj.testkit.junit.SimulatedMpi;
import org.ulfmj.testkit.junit.SimulatedRank;
import org.ulfmj.testkit.sim.SimResult;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * Tests inter-communicators in simulated time, with deaths between any two messages, random faults and revocations. The
 * simulator fails a run in which ranks would wait for ever.
 */
class SimulatedIntercommTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    /** An upper limit for the number of frames that a rank sends in the program below. */
    private static final int FRAMES = 400;

    /**
     * Makes an inter-communicator of the even and the odd ranks and exchanges messages over it. Each rank notes whether
     * that succeeded or raised an error; no rank may wait for ever for a rank that got the error.
     */
    private static void createAndExchange(List<String> ends) {
        MPI.Init(new String[0]);
        int rank = WORLD.getRank();
        try {
            Intracomm half = half();
            WORLD.barrier();
            Intercomm inter = WORLD.createIntercomm(half, 0, 1 - rank % 2, 7);
            exchange(inter, inter.getRemoteSize());
            ends.add("done");
        } catch (ProcFailedException | RevokedException error) {
            ends.add(error.getClass().getSimpleName());
        }
        MPI.Finalize();
    }

    /**
     * Sends a message to each rank of the remote group (of an intra-communicator: to each member) and receives one from
     * each; {@code peers} is their number. After an error the rank revokes the communicator.
     */
    private static void exchange(Comm inter, int peers) {
        try {
            int[] mine = {inter.getRank()};
            for (int to = 0; to < peers; to++) {
                inter.send(mine, 1, MPI.INT, to, 1);
            }
            for (int from = 0; from < peers; from++) {
                int[] got = {-1};
                inter.recv(got, 1, MPI.INT, from, 1);
                assertThat(got).containsExactly(from);
            }
        } catch (MPIException error) {
            inter.revoke();
            throw error;
        }
    }

    @Test
    void shouldMakeOneOrRaiseWhenARankDiesAtAnyMessage() {
        for (int ranks = 2; ranks <= 5; ranks++) {
            for (int victim = 0; victim < ranks; victim++) {
                int frame = 1;
                int deaths = 1;
                for (; deaths == 1; frame++) {
                    assertThat(frame).isLessThan(FRAMES);
                    List<String> ends = new ArrayList<>();
                    SimResult result = SimWorld.of(ranks)
                            .seed(frame)
                            .faults("crash:rank=" + victim + "@frame=" + frame)
                            .run(() -> createAndExchange(ends));
                    result.ends().requireSurvivorsSucceeded();
                    deaths = result.deaths();
                    assertThat(ends.size())
                            .as(ranks + ":" + victim + ":" + frame)
                            .isGreaterThanOrEqualTo(ranks - deaths);
                    if (deaths == 0) {
                        assertThat(ends).containsOnly("done");
                    }
                }
            }
        }
    }

    @SimulatedMpi(ranks = 6, seeds = 60, faults = "crash:rank=any(2)@frame=random(80)")
    void shouldMakeOneOrRaiseWhenTwoRanksDie() {
        createAndExchange(new ArrayList<>());
    }

    @SimulatedMpi(ranks = 5, seeds = 40, faults = "random(2)")
    void shouldMakeOneOrRaiseWhateverHappens() {
        createAndExchange(new ArrayList<>());
    }

    /**
     * Shows that when merge fails at one member because of a death, the members whose merge has succeeded do not wait
     * for that member for ever: the merged communicator is revoked.
     */
    @SimulatedMpi(ranks = 5, seeds = 60, faults = "crash:rank=any(1)@frame=random(120)")
    void shouldMergeOrRaiseWhenARankDies(SimulatedRank test) {
        MPI.Init(new String[0]);
        int rank = WORLD.getRank();
        int high = (int) (test.seed() % 4);
        try {
            Intercomm inter = WORLD.createIntercomm(half(), 0, 1 - rank % 2, 7);
            Intracomm merged = inter.merge((high >> rank % 2 & 1) == 1);
            assertThat(merged.getSize()).isEqualTo(5);
            assertThat(merged.getRank())
                    .isEqualTo(high == 1 ? (rank % 2 == 0 ? 2 : 0) + rank / 2 : (rank % 2 == 0 ? 0 : 3) + rank / 2);
            // Each rank waits here for messages of all others, also of members whose merge has failed.
            exchange(merged, 5);
        } catch (ProcFailedException | RevokedException error) {
            assertThat(error.getMessage()).isNotEmpty();
        }
        MPI.Finalize();
    }

    /**
     * When a rank revokes its local communicator, or the peer communicator, before it calls createIntercomm, in which
     * other ranks may be already, the call ends at each member, with a communicator or an error.
     */
    @SimulatedMpi(ranks = 6, seeds = 60)
    void shouldMakeOneOrRaiseWhenARankRevokes(SimulatedRank test) {
        MPI.Init(new String[0]);
        int rank = WORLD.getRank();
        Intracomm half = half();
        Intracomm peer = WORLD.dup();
        int revoker = 2 + (int) (test.seed() % 4);
        boolean isPeer = test.seed() / 4 % 2 == 0;
        try {
            if (rank == revoker) {
                for (int i = 0; i < test.seed() / 8; i++) {
                    WORLD.iProbe(MPI.ANY_SOURCE, 99); // lets the others go on
                }
                (isPeer ? peer : half).revoke();
            }
            Intercomm inter = peer.createIntercomm(half, 0, 1 - rank % 2, 7);
            exchange(inter, inter.getRemoteSize());
        } catch (RevokedException error) {
            assertThat(error.getFailedRanks()).isEmpty();
        }
        WORLD.barrier();
        MPI.Finalize();
    }
}
