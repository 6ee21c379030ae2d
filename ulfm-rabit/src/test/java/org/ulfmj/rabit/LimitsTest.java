package org.ulfmj.rabit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import mpi.MPI;
import org.junit.jupiter.api.Test;
import org.ulfmj.runtime.options.FaultTrigger;
import org.ulfmj.testkit.LocalWorld;

/** Tests the bounds on how long a call waits and on how many bytes of results a rank keeps. */
class LimitsTest {
    @Test
    void shouldSayWhoIsWaitedForWhenTheDeadlineHasPassed() {
        Map<Integer, Throwable> thrown = new ConcurrentHashMap<>();
        CountDownLatch twoHaveThrown = new CountDownLatch(2);
        LocalWorld.of(3).run(() -> {
            Rabit.init("ulfm.rabit.timeout=300ms");
            int rank = Rabit.rank();
            Rabit.loadCheckpoint();
            if (rank == 2) {
                // Rank 2 makes no further call, so for the other ranks it computes for ever.
                twoHaveThrown.await(30, TimeUnit.SECONDS);
                return;
            }
            thrown.put(rank, catchThrowable(() -> Rabit.allreduce(new int[1], MPI.SUM)));
            twoHaveThrown.countDown();
        });

        assertThat(thrown).hasSize(2);
        assertThat(thrown.values()).allSatisfy(each -> assertThat(each)
                .isInstanceOf(DeadlineException.class)
                .hasMessageContaining("ulfm.rabit.timeout (300 ms)"));
        // The rank whose timeout ends first ends the operation of the other rank, whose message may then say that it
        // waits for that first rank.
        assertThat(thrown.values()).anySatisfy(each -> assertThat(each)
                .hasMessageContaining("allreduce(MPI.INT[1], MPI.SUM) waited for more than")
                .hasMessageContaining("for rank 2"));
    }

    @Test
    void shouldRefuseAnOperationThatTheLogHasNoRoomFor() {
        LocalWorld.of(2)
                .run(() -> {
                    Rabit.init("ulfm.rabit.log.max=4KiB");
                    Rabit.loadCheckpoint();
                    Rabit.allreduce(new byte[3000], MPI.MAX);
                    assertThatThrownBy(() -> Rabit.allreduce(new byte[3000], MPI.MAX))
                            .isInstanceOf(RabitException.class)
                            .hasMessageContaining("the log would hold 6000 bytes, more than ulfm.rabit.log.max (4096)");
                    assertThat(isOver()).as("if it ends by this").isTrue();
                    Rabit.checkpoint(new byte[1]);
                    assertThat(isOver()).as("when it has gone on").isFalse();
                    Rabit.allreduce(new byte[3000], MPI.MAX);
                    Rabit.shutdown();
                })
                .requireSurvivorsSucceeded();
    }

    /** Whether this rank has met an error that ends the job if the rank ends by it. */
    private static boolean isOver() {
        return MpiRank.get().binding().runtime().jobEnd().isAnnounced();
    }

    @Test
    void shouldHaveRoomInAReplacementThatFetchedWhatOthersShare() {
        LocalWorld.of(6)
                .restarting(2)
                .killing(5, 0, FaultTrigger.atPosition(0, 20), 1)
                .run(() -> Rabit.run(new String[] {"ulfm.rabit.replicas=2", "ulfm.rabit.log.max=16KiB"}, () -> {
                    if (Rabit.loadCheckpoint() > 0) {
                        return;
                    }
                    for (int i = 0; i < 30; i++) {
                        Rabit.allreduce(new byte[1000], MPI.MAX);
                    }
                    Rabit.checkpoint(new byte[1]);
                }))
                .requireSurvivorsSucceeded();
    }
}
