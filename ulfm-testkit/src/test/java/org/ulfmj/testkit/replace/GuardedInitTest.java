package org.ulfmj.testkit.replace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Resilient;
import org.junit.jupiter.api.Test;
import org.ulfmj.testkit.LocalWorld;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * Tests {@code if (!MPI.isInitialized()) MPI.Init(args)}, which must do the same as a bare Init, also in a newcomer,
 * and calls of a newcomer before Init.
 */
class GuardedInitTest {
    private static final int RANKS = 3;
    private final AtomicInteger finished = new AtomicInteger();
    private final AtomicInteger newcomers = new AtomicInteger();

    private void main() {
        assertThat(MPI.isInitialized()).isFalse();
        if (!MPI.isInitialized()) {
            MPI.Init(new String[0]);
        }
        assertThat(MPI.isInitialized()).isTrue();
        assertThat(MPI.isThreadMain()).isTrue();
        int[] sum = new int[1];
        Intracomm left = Resilient.run(MPI.COMM_WORLD, Resilient.Policy.REPLACE, new Resilient.Loop() {
            @Override
            public void work(Intracomm comm) {
                for (int i = 0; i < 8; i++) {
                    sum[0] = 1;
                    comm.allReduce(sum, 1, MPI.INT, MPI.SUM);
                }
            }

            @Override
            public void restore(Intracomm comm, Resilient.Recovery recovery) {}
        });
        assertThat(left.getSize()).isEqualTo(RANKS);
        assertThat(sum).containsExactly(RANKS);
        finished.incrementAndGet();
        newcomers.addAndGet(MPI.isReplacement() ? 1 : 0);
        MPI.Finalize();
        assertThat(MPI.isInitialized()).isTrue();
    }

    @Test
    void shouldInitializeEveryThreadRankOnce() {
        LocalWorld.of(RANKS)
                .restarting(1)
                .killing(1, "allReduce", 5)
                .run(this::main)
                .requireSurvivorsSucceeded();
        assertThat(finished).hasValue(RANKS);
        assertThat(newcomers).hasValue(1);
    }

    @Test
    void shouldInitializeEverySimulatedRankOnce() {
        SimWorld.of(RANKS)
                .seed(3)
                .restarting(1)
                .killing(1, "allReduce", 5)
                .run(this::main)
                .ends()
                .requireSurvivorsSucceeded();
        assertThat(finished).hasValue(RANKS);
        assertThat(newcomers).hasValue(1);
    }

    /**
     * A newcomer is in no world before Init, so calls that need a world raise an error there that tells it to call
     * Init.
     */
    @Test
    void shouldTellANewcomerToCallInit() {
        LocalWorld.of(2)
                .restarting(1)
                .killing(1, "barrier", 1)
                .run(() -> {
                    if (MPI.getIncarnation() == 0) {
                        MPI.Init(new String[0]);
                        assertThatThrownBy(() -> MPI.COMM_WORLD.barrier()).isInstanceOf(MPIException.class);
                        MPI.COMM_WORLD.replace();
                    } else {
                        MPI.pControl(7, null);
                        for (Runnable call : new Runnable[] {
                            MPI.COMM_WORLD::getRank,
                            MPI.COMM_WORLD::revoke,
                            MPI.COMM_SELF::barrier,
                            MPI::Finalize,
                            () -> Resilient.run(MPI.COMM_WORLD, comm -> {})
                        }) {
                            assertThatThrownBy(call::run)
                                    .isInstanceOf(MPIException.class)
                                    .hasMessageEndingWith(": process 1'1 takes a failed one's place and is in no world"
                                            + " yet; call MPI.Init first");
                        }
                        newcomers.incrementAndGet();
                        MPI.Init(new String[0]);
                    }
                    MPI.COMM_WORLD.barrier();
                    MPI.Finalize();
                })
                .requireSurvivorsSucceeded();
        assertThat(newcomers).hasValue(1);
    }
}
