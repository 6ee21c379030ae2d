package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.awaitFailed;
import static org.ulfmj.testkit.Programs.dieIf;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.slots;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.nio.IntBuffer;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The recovery calls that do not wait. */
class RecoveryRequestsTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;

    private static IntBuffer flag(int value) {
        return MPI.newIntBuffer(1).put(0, value);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldAgreeOnTheBitwiseAndButNotBeforeAllHaveEntered(boolean faultTolerance) {
        Meeting tested = new Meeting(3);
        Worlds.run(
                LocalWorld.of(3).settings(settings -> settings.withFaultTolerance(faultTolerance)), (world, rank) -> {
                    assertThat(MPI.hasFaultTolerance()).isEqualTo(faultTolerance);
                    if (rank == 2) {
                        tested.attend();
                    }
                    IntBuffer flag = flag(rank == 1 ? 0b1101 : 0b1011);
                    Request request = world.iAgree(flag);
                    if (rank != 2) {
                        for (int i = 0; i < 200; i++) {
                            assertThat(request.test()).isFalse();
                        }
                        assertThat(flag.get(0)).isEqualTo(rank == 1 ? 0b1101 : 0b1011);
                        tested.attend();
                    }
                    request.waitFor();
                    assertThat(flag.get(0)).isEqualTo(0b1001);
                    assertThat(request.isNull()).isTrue();
                });
    }

    @Test
    void shouldMatchSeveralInTheOrderOfTheCallsWhicheverIsWaitedForFirst() {
        Worlds.run(4, (world, rank) -> {
            IntBuffer[] flags = new IntBuffer[6];
            Request[] requests = new Request[6];
            for (int i = 0; i < 6; i++) {
                flags[i] = flag(rank == i % 4 ? 1 << i : -1);
                requests[i] = world.iAgree(flags[i]);
            }
            assertThat(world.agree(rank + 4)).isEqualTo(4);
            requests[(rank + 3) % 6].waitFor();
            Request.waitAll(requests);
            for (int i = 0; i < 6; i++) {
                assertThat(flags[i].get(0)).isEqualTo(1 << i);
            }
        });
    }

    @Test
    void shouldRaiseAFailureThatNotAllAcknowledgedAndGiveTheValueAllTheSame() {
        survivorsSucceed(4, rank -> {
            dieIf(rank == 1);
            awaitFailed(WORLD, 1);
            if (rank == 0) {
                WORLD.ackFailed();
            }
            IntBuffer flag = flag(rank + 8);
            MPIException failed = raises(MPI.ERR_PROC_FAILED, WORLD.iAgree(flag)::waitFor);
            assertThat(flag.get(0)).isEqualTo(8);
            assertThat(failed.getAgreedValue()).isEqualTo(8);
            assertThat(failed.getFailedRanks()).containsExactly(1);
            WORLD.ackFailed();
            flag.put(0, rank + 8);
            Request[] requests = {MPI.REQUEST_NULL, WORLD.iAgree(flag)};
            Request.waitAll(requests);
            assertThat(flag.get(0)).isEqualTo(8);
        });
    }

    @Test
    void shouldAgreeWithoutTheOneThatDiesMeanwhileAlsoOnARevokedCommunicator() {
        Meeting entered = new Meeting(4);
        survivorsSucceed(4, rank -> {
            Intracomm comm = WORLD.dup();
            if (rank == 3) {
                entered.attend();
                Faults.die();
            }
            comm.revoke();
            IntBuffer flag = flag(rank + 8);
            Request request = comm.iAgree(flag);
            comm.free();
            entered.attend();
            raises(MPI.ERR_PROC_FAILED, request::waitFor);
            assertThat(flag.get(0)).isEqualTo(8);
        });
    }

    @Test
    void shouldShrinkToTheSurvivorsWhileTheProgramGoesOn() {
        survivorsSucceed(5, rank -> {
            dieIf(rank == 2);
            awaitFailed(WORLD, 2);
            WORLD.revoke();
            Intracomm small = WORLD.iShrink();
            Request request = small.getRequest();
            assertThat(request.isNull()).isFalse();
            while (!request.test()) {
                assertThat(MPI.COMM_SELF.agree(3)).isEqualTo(3);
            }
            assertThat(small.getRequest().isNull()).isTrue();
            assertThat(small.isNull()).isFalse();
            assertThat(slots(small)).containsExactly(0, 1, 3, 4);
            assertThat(small.isRevoked()).isFalse();
            int[] sum = {1};
            small.allReduce(sum, 1, MPI.INT, MPI.SUM);
            assertThat(sum[0]).isEqualTo(4);
        });
    }

    @Test
    void shouldGiveNoCommunicatorBeforeTheRequestIsComplete() {
        Meeting tried = new Meeting(2);
        Worlds.run(2, (world, rank) -> {
            if (rank == 1) {
                tried.attend();
            }
            Intracomm small = world.iShrink();
            if (rank == 0) {
                assertThat(small.isNull()).isTrue();
                MPIException early = raises(MPI.ERR_COMM, small::getSize);
                assertThat(early.getMessage()).contains("iShrink is not complete");
                tried.attend();
            }
            small.getRequest().waitFor();
            assertThat(small.getSize()).isEqualTo(2);
            small.barrier();
            small.free();
            assertThat(small.isNull()).isTrue();
        });
    }

    @Test
    void shouldDiagnoseWaitingAndNonWaitingCallsInOneAgreement() {
        Worlds.run(3, (world, rank) -> {
            MPIException mixed = raises(MPI.ERR_ARG, () -> {
                switch (rank) {
                    case 0 -> world.agree(1);
                    case 1 -> world.iAgree(flag(1)).waitFor();
                    default -> world.iShrink().getRequest().waitFor();
                }
            });
            assertThat(mixed.getMessage())
                    .contains(rank == 0 ? "called agree" : rank == 1 ? "called iAgree" : "called iShrink");
            assertThat(world.agree(7)).isEqualTo(7);
        });
    }

    @Test
    void shouldShrinkWithoutFaultToleranceToo() {
        Worlds.run(LocalWorld.of(2).settings(settings -> settings.withFaultTolerance(false)), (world, rank) -> {
            Intracomm copy = world.iShrink();
            copy.getRequest().waitFor();
            copy.barrier();
            assertThat(copy.getSize()).isEqualTo(2);
        });
    }
}
