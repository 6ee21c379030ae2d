package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.program;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.ProcFailedException;
import mpi.Resilient;
import org.junit.jupiter.api.Test;
import org.ulfmj.testkit.sim.SimResult;
import org.ulfmj.testkit.sim.SimWorld;

/**
 * Tests what happens to a rank that {@code Faults.preempt} tells to end, as SIGTERM would, with and without a handler
 * that its program has set with {@code MPI.onPreemption}.
 */
class PreemptionTest {
    private static final int TAG = 5;

    @Test
    void shouldSendTheLastWordsOfAHandlerWhileTheProgramWaitsAndThenBeKnownToHaveLeft() {
        AtomicReference<Duration> left = new AtomicReference<>();
        AtomicReference<String> error = new AtomicReference<>();
        CountDownLatch isSet = new CountDownLatch(1);
        LocalResult result = LocalWorld.run(3, program(rank -> {
            int[] word = {rank};
            if (rank == 1) {
                MPI.onPreemption(time -> {
                    left.set(time);
                    MPI.COMM_WORLD.send(new int[] {41}, 1, MPI.INT, 0, TAG);
                });
                isSet.countDown();
                MPI.COMM_WORLD.recv(word, 1, MPI.INT, 2, TAG);
                throw new AssertionError("no message comes");
            }
            isSet.await();
            if (rank == 0) {
                Faults.preempt(1);
                Faults.preempt(1);
                MPI.COMM_WORLD.recv(word, 1, MPI.INT, 1, TAG);
                assertThat(word[0]).isEqualTo(41);
            }
            try {
                MPI.COMM_WORLD.recv(word, 1, MPI.INT, 1, TAG);
            } catch (ProcFailedException e) {
                error.set(e.getMessage());
            }
        }));
        assertThat(result.ranks(RankEnd.FINALIZED)).containsExactly(0, 2);
        assertThat(result.outcome(1).end()).isEqualTo(RankEnd.PREEMPTED);
        assertThat(result.outcome(1).toString()).contains("exit code 75");
        assertThat(error.get()).contains("it has left: preempted");
        assertThat(left.get()).isEqualTo(Duration.ofSeconds(9));
    }

    @Test
    void shouldLeaveWhenTheHandlerThrowsAndBeKilledWithoutOne() {
        CountDownLatch areSet = new CountDownLatch(2);
        LocalResult result = LocalWorld.run(3, program(rank -> {
            if (rank > 0) {
                MPI.onPreemption(time -> {
                    throw new java.io.IOException("thrown for a test");
                });
                if (rank == 2) {
                    MPI.onPreemption(null);
                }
                areSet.countDown();
                MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, 0, TAG);
            }
            areSet.await();
            Faults.preempt(1);
            Faults.preempt(2);
            Programs.awaitFailed(MPI.COMM_WORLD, 1);
            Programs.awaitFailed(MPI.COMM_WORLD, 2);
        }));
        assertThat(result.outcome(1).end()).isEqualTo(RankEnd.PREEMPTED);
        assertThat(result.outcome(1).toString()).contains("exit code 143");
        assertThat(result.end(2)).isEqualTo(RankEnd.KILLED);
    }

    @Test
    void shouldLetAProgramFinalizeWhoseHandlerWaitsForThat() {
        CountDownLatch isAsked = new CountDownLatch(1);
        CountDownLatch isFinalized = new CountDownLatch(1);
        LocalResult result = LocalWorld.run(2, () -> {
            MPI.Init(new String[0]);
            if (MPI.COMM_WORLD.getRank() == 1) {
                MPI.onPreemption(time -> {
                    isAsked.countDown();
                    isFinalized.await();
                });
                Faults.preempt(1);
                isAsked.await();
            }
            boolean isOne = MPI.COMM_WORLD.getRank() == 1;
            MPI.Finalize();
            if (isOne) {
                isFinalized.countDown();
            }
        });
        assertThat(result.ranks(RankEnd.FINALIZED)).containsExactly(0, 1);
    }

    @Test
    void shouldBeReplacedWithoutCountingARestart() {
        AtomicInteger processes = new AtomicInteger();
        LocalResult result = LocalWorld.of(3).restarting(1).run(program(rank -> {
            if (rank == 1) {
                processes.incrementAndGet();
                MPI.onPreemption(time -> {});
            }
            Resilient.run(MPI.COMM_WORLD, Resilient.Policy.REPLACE, new Resilient.Loop() {
                @Override
                public void work(Intracomm comm) {
                    if (rank == 1 && MPI.getIncarnation() < 3) {
                        Faults.preempt(1);
                    }
                    for (int i = 0; i < 2 || rank == 1 && MPI.getIncarnation() < 3; i++) {
                        comm.barrier();
                    }
                }

                @Override
                public void restore(Intracomm comm, Resilient.Recovery recovery) {
                    comm.barrier();
                }
            });
        }));
        assertThat(result.ranks(RankEnd.FINALIZED)).containsExactly(0, 1, 2);
        assertThat(processes).hasValue(4);
        assertThat(result.processes(RankEnd.PREEMPTED)).hasSize(3);
    }

    @Test
    void shouldRefuseAHandlerInSimulatedTime() {
        SimResult result = SimWorld.of(1).run(program(rank -> {
            try {
                MPI.onPreemption(time -> {});
                throw new AssertionError("accepted");
            } catch (MPIException refused) {
                assertThat(refused.getErrorClass()).isEqualTo(MPI.ERR_UNSUPPORTED_OPERATION);
                assertThat(refused.getMessage())
                        .isEqualTo("onPreemption: this process is not told of SIGTERM; is its virtual machine started"
                                + " with -Xrs?");
            }
        }));
        assertThat(result.ends().ranks(RankEnd.FINALIZED)).containsExactly(0);
    }
}
