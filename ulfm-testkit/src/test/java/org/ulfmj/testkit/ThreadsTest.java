package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.dieIf;
import static org.ulfmj.testkit.Programs.errorClass;
import static org.ulfmj.testkit.Programs.program;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import mpi.AgreeMode;
import mpi.Intracomm;
import mpi.MPI;
import mpi.ProcFailedException;
import mpi.Request;
import mpi.Status;
import org.junit.jupiter.api.Test;

/** Tests several threads of a rank that are inside MPI at once. */
class ThreadsTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final int THREADS = 3;

    /** What one of a rank's threads does. */
    private interface ThreadBody {
        void run(int thread) throws Exception;
    }

    private static void withThreads(ThreadBody body) throws InterruptedException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            Thread thread = new Thread(MPI.bindThread(() -> {
                try {
                    body.run(number);
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                }
            }));
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure.get() != null) {
            throw new AssertionError("a thread failed", failure.get());
        }
    }

    @Test
    void shouldReceiveOnACommunicatorThatAnotherThreadFreesMeanwhile() {
        CountDownLatch freed = new CountDownLatch(1);
        LocalWorld.run(2, program(rank -> {
                    Intracomm comm = WORLD.dup();
                    int[] value = {rank};
                    comm.sendRecv(new int[1], 1, MPI.INT, 1 - rank, 0, new int[1], 1, MPI.INT, 1 - rank, 0);
                    if (rank == 1) {
                        freed.await();
                        WORLD.send(value, 1, MPI.INT, 0, 0);
                        value[0] = 42;
                        comm.send(value, 1, MPI.INT, 0, 0);
                        return;
                    }
                    AtomicReference<Throwable> failure = new AtomicReference<>();
                    Thread receiver = new Thread(MPI.bindThread(() -> {
                        try {
                            comm.recv(value, 1, MPI.INT, 1, 0);
                        } catch (Throwable e) {
                            failure.set(e);
                        }
                    }));
                    receiver.start();
                    ThreadsInMpi.await(receiver);
                    comm.free();
                    freed.countDown();
                    receiver.join();
                    WORLD.recv(new int[1], 1, MPI.INT, 1, 0);
                    assertThat(failure).hasValue(null);
                    assertThat(value).containsExactly(42);
                }))
                .requireSurvivorsSucceeded();
    }

    @Test
    void shouldEndARecoveryCallOfACommunicatorThatAnotherThreadFreesMeanwhile() {
        CountDownLatch freed = new CountDownLatch(1);
        survivorsSucceed(2, rank -> {
            Intracomm[] comms = {WORLD.dup(), WORLD.dup(), WORLD.dup()};
            if (rank == 1) {
                freed.await();
                callAll(comms);
                return;
            }
            List<Thread> callers = new ArrayList<>();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            for (int i = 0; i < comms.length; i++) {
                int which = i;
                Thread caller = new Thread(MPI.bindThread(() -> {
                    try {
                        recover(comms[which], which);
                    } catch (Throwable e) {
                        failure.set(e);
                    }
                }));
                callers.add(caller);
                caller.start();
            }
            for (int i = 0; i < comms.length; i++) {
                ThreadsInMpi.await(callers.get(i));
                comms[i].free();
            }
            freed.countDown();
            for (Thread caller : callers) {
                caller.join();
            }
            assertThat(failure.get()).isNull();
        });
    }

    @Test
    void shouldTellOfADeathInACollectiveOfACommunicatorThatAnotherThreadFreesMeanwhile() {
        CountDownLatch freed = new CountDownLatch(1);
        survivorsSucceed(LocalWorld.of(2).killing(1, "iProbe", 1), rank -> {
            Intracomm comm = WORLD.dup();
            for (int i = 0; i < 10; i++) {
                comm.barrier(); // so many that the ranks share memory for it
            }
            if (rank == 1) {
                freed.await();
                WORLD.iProbe(0, 0); // dies here
                return;
            }
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread caller = new Thread(MPI.bindThread(() -> {
                try {
                    comm.barrier();
                } catch (Throwable e) {
                    failure.set(e);
                }
            }));
            caller.start();
            ThreadsInMpi.await(caller);
            comm.free();
            freed.countDown();
            caller.join();
            assertThat(failure.get()).isInstanceOf(ProcFailedException.class);
        });
    }

    private static void callAll(Intracomm[] comms) {
        for (int i = 0; i < comms.length; i++) {
            recover(comms[i], i);
        }
    }

    private static void recover(Intracomm comm, int which) {
        switch (which) {
            case 0 -> assertThat(comm.agree(6, AgreeMode.UNIFORM)).isEqualTo(6);
            case 1 -> assertThat(comm.agree(5)).isEqualTo(5);
            default -> assertThat(comm.shrink().getSize()).isEqualTo(2);
        }
    }

    @Test
    void shouldRunCollectivesOfSeveralCommunicatorsAtOnce() {
        survivorsSucceed(4, rank -> {
            Intracomm[] comms = new Intracomm[THREADS];
            for (int i = 0; i < THREADS; i++) {
                comms[i] = WORLD.dup();
            }
            withThreads(thread -> {
                for (int i = 0; i < 200; i++) {
                    int count = i % 20 == 0 ? 20_000 : 2;
                    int[] data = new int[count];
                    data[count - 1] = rank + i + thread;
                    comms[thread].allReduce(data, count, MPI.INT, MPI.SUM);
                    assertThat(data[count - 1]).isEqualTo(6 + 4 * (i + thread));
                }
            });
        });
    }

    @Test
    void shouldExchangeMessagesBetweenThreadsByTheirTags() {
        survivorsSucceed(
                3,
                rank -> withThreads(thread -> {
                    for (int i = 0; i < 300; i++) {
                        int count = i % 50 == 0 ? 40_000 : 3;
                        int[] data = new int[count];
                        data[0] = 1000 * rank + i;
                        int left = (rank + 2) % 3;
                        Status status =
                                WORLD.sendRecvReplace(data, count, MPI.INT, (rank + 1) % 3, thread, left, thread);
                        assertThat(data[0]).isEqualTo(1000 * left + i);
                        assertThat(status.getTag()).isEqualTo(thread);
                    }
                }));
    }

    @Test
    void shouldEndTheWaitsOfAllThreadsWhenARankDies() {
        for (int round = 0; round < 10; round++) {
            LocalResult result = LocalWorld.run(3, program(rank -> {
                dieIf(rank == 2);
                withThreads(thread -> {
                    int error = errorClass(() -> {
                        switch (thread) {
                            case 0 -> WORLD.recv(new int[1], 1, MPI.INT, 2, 0);
                            case 1 -> WORLD.recv(new int[1], 1, MPI.INT, MPI.ANY_SOURCE, 1);
                            default -> WORLD.barrier();
                        }
                    });
                    assertThat(error).as("thread %d", thread).isEqualTo(MPI.ERR_PROC_FAILED);
                });
            }));
            assertThat(result.requireSurvivorsSucceeded().ranks(RankEnd.FINALIZED))
                    .containsExactly(0, 1);
        }
    }

    @Test
    void shouldLetThreadsWaitForDifferentRequestsOfOneRank() {
        survivorsSucceed(2, rank -> {
            IntBuffer[] in = new IntBuffer[THREADS];
            Request[] receives = new Request[THREADS];
            for (int round = 0; round < 100; round++) {
                for (int i = 0; i < THREADS; i++) {
                    in[i] = MPI.newIntBuffer(1);
                    receives[i] = WORLD.iRecv(in[i], 1, MPI.INT, 1 - rank, i);
                }
                int now = round;
                withThreads(thread -> {
                    int other = (thread + 1) % THREADS;
                    IntBuffer out = MPI.newIntBuffer(1).put(0, now + other);
                    Request send = WORLD.iSend(out, 1, MPI.INT, 1 - rank, other);
                    receives[thread].waitFor();
                    send.waitFor();
                    assertThat(in[thread].get(0)).isEqualTo(now + thread);
                });
            }
        });
    }

    @Test
    void shouldRefuseTheSecondOfTwoThreadsThatCompleteOneRequest() {
        AtomicInteger refused = new AtomicInteger();
        survivorsSucceed(2, rank -> {
            if (rank == 1) {
                WORLD.recv(new int[1], 1, MPI.INT, 0, 1);
                WORLD.send(new int[1], 1, MPI.INT, 0, 0);
                return;
            }
            Request receive = WORLD.iRecv(MPI.newIntBuffer(1), 1, MPI.INT, 1, 0);
            withThreads(thread -> {
                // All threads wait for the same request; one of them succeeds and the others are refused. The last one
                // that is refused makes rank 1 send the message that completes the request.
                int error = errorClass(receive::waitFor);
                assertThat(error).isIn(MPI.SUCCESS, MPI.ERR_REQUEST);
                if (error == MPI.ERR_REQUEST && refused.incrementAndGet() == THREADS - 1) {
                    WORLD.send(new int[1], 1, MPI.INT, 1, 1);
                }
            });
            assertThat(refused.get()).isEqualTo(THREADS - 1);
            assertThat(receive.isNull()).isTrue();
        });
    }

    @Test
    void shouldKeepAThreadsInterruptForLater() {
        survivorsSucceed(2, rank -> {
            Thread.currentThread().interrupt();
            for (int i = 0; i < 50; i++) {
                WORLD.barrier();
            }
            assertThat(Thread.interrupted()).isTrue();
        });
    }
}
