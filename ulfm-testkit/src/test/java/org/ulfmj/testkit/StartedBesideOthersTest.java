package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.ulfmj.testkit.Programs.ints;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.Request;
import mpi.RevokedException;
import mpi.UserFunction;
import org.junit.jupiter.api.Test;

/**
 * Tests non-blocking collectives together with the rank's other calls (calls inside operators, other threads, other
 * requests, freed communicators and deaths), and with buffers of any byte order and range.
 */
class StartedBesideOthersTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;

    private static final class Adding extends UserFunction {
        private final Runnable first;

        Adding(Runnable first) {
            this.first = first;
        }

        @Override
        public void call(Object in, Object inOut, int count, Datatype datatype) {
            first.run();
            for (int i = 0; i < count; i++) {
                ((int[]) inOut)[i] += ((int[]) in)[i];
            }
        }
    }

    private static Op adding(Runnable first) {
        return new Op(new Adding(first), false);
    }

    /**
     * Blocking collectives on COMM_SELF run inside an operator, which itself may run while the rank is in a blocking
     * collective with a short or a long vector.
     */
    @Test
    void shouldKeepBlockingCollectivesApartFromThoseInOperators() {
        survivorsSucceed(3, rank -> {
            Intracomm outer = WORLD.dup();
            Intracomm started = WORLD.dup();
            for (int round = 0; round < 20; round++) {
                int length = round % 3 == 0 ? 40_000 : 3;
                IntBuffer data = ints(rank + 1);
                Request request = started.iAllReduce(data, 1, MPI.INT, adding(() -> {
                    int[] nested = {5, 6};
                    MPI.COMM_SELF.allReduce(nested, 2, MPI.INT, MPI.SUM);
                    int[] all = new int[4];
                    MPI.COMM_SELF.allGather(nested, 2, MPI.INT, all, 2, MPI.INT);
                    assertThat(all).containsExactly(5, 6, 0, 0);
                }));
                int[] values = new int[length];
                Arrays.fill(values, rank + round);
                outer.allReduce(values, length, MPI.INT, MPI.SUM);
                assertThat(values).containsOnly(3 + 3 * round);
                int[] parts = new int[3 * length];
                outer.allGather(values, length, MPI.INT, parts, length, MPI.INT);
                assertThat(parts).containsOnly(3 + 3 * round);
                request.waitFor();
                assertThat(data.get(0)).isEqualTo(6);
            }
        });
    }

    @Test
    void shouldEndOperationsOfACommunicatorThatIsFreedMeanwhile() {
        survivorsSucceed(3, rank -> {
            for (int round = 0; round < 20; round++) {
                Intracomm comm = WORLD.dup();
                IntBuffer big = MPI.newIntBuffer(200_000);
                big.put(0, rank).put(199_999, rank + 1);
                IntBuffer small = ints(rank);
                boolean throwing = round % 4 == 3;
                Request one = comm.iAllReduce(big, 200_000, MPI.INT, MPI.SUM);
                Request two = comm.iAllReduce(small, 1, MPI.INT, adding(() -> {
                    if (throwing && rank == 0) {
                        throw new IllegalStateException("meant");
                    }
                }));
                comm.free();
                if (throwing) {
                    Throwable thrown = catchThrowable(two::waitFor);
                    if (rank == 0) {
                        assertThat(thrown).isInstanceOf(IllegalStateException.class);
                    } else if (thrown != null) {
                        assertThat(((mpi.MPIException) thrown).getErrorClass()).isEqualTo(MPI.ERR_REVOKED);
                    }
                    catchThrowable(one::waitFor);
                } else {
                    Request.waitAll(new Request[] {one, two});
                    assertThat(big.get(0)).isEqualTo(3);
                    assertThat(big.get(199_999)).isEqualTo(6);
                    assertThat(small.get(0)).isEqualTo(3);
                }
            }
        });
    }

    /**
     * Rank 1 dies inside an operator: the library must not take the death for an exception of the program, which would
     * revoke the communicator.
     */
    @Test
    void shouldLetARankDieInsideAnOperator() {
        for (int form = 0; form < 3; form++) {
            int by = form;
            LocalResult result = LocalWorld.of(2).run(Programs.program(rank -> {
                Request request = WORLD.iAllReduce(ints(1), 1, MPI.INT, adding(() -> {
                    if (rank == 1) {
                        Faults.die();
                    }
                }));
                if (rank == 1) {
                    if (by == 0) {
                        request.waitFor();
                    } else if (by == 1) {
                        while (!request.test()) {
                            Thread.onSpinWait();
                        }
                    } else {
                        WORLD.recv(new int[1], 1, MPI.INT, 0, 7);
                    }
                    throw new AssertionError("rank 1 lives");
                }
                // Rank 0 may have got its result before rank 1 died.
                assertThat(Programs.errorClass(request::waitFor)).isIn(MPI.SUCCESS, MPI.ERR_PROC_FAILED);
                assertThat(WORLD.isRevoked()).isFalse();
            }));
            result.requireSurvivorsSucceeded();
        }
    }

    /**
     * Several threads of each rank complete reductions, barriers and persistent sends and receives, each thread on
     * another communicator.
     */
    @Test
    void shouldServeThreadsThatWaitForDifferentRequests() {
        survivorsSucceed(2, rank -> {
            int other = 1 - rank;
            int threads = 4;
            Intracomm[] comms = new Intracomm[threads];
            for (int t = 0; t < threads; t++) {
                comms[t] = WORLD.dup();
            }
            AtomicReference<Throwable> trouble = new AtomicReference<>();
            List<Thread> running = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int me = t;
                Thread thread = new Thread(MPI.bindThread(() -> {
                    try {
                        IntBuffer out = ints(rank);
                        IntBuffer in = ints(-1);
                        var send = comms[me].sendInit(out, 1, MPI.INT, other, me);
                        var receive = comms[me].recvInit(in, 1, MPI.INT, other, me);
                        for (int round = 0; round < 150; round++) {
                            int length = round % 10 == 9 ? 100_000 : 2;
                            IntBuffer data = MPI.newIntBuffer(length);
                            data.put(0, rank + round).put(length - 1, rank);
                            Op op = round % 2 == 0 ? MPI.SUM : adding(() -> {});
                            receive.start();
                            send.start();
                            Request sum = comms[me].iAllReduce(data, length, MPI.INT, op);
                            Request barrier = comms[me].iBarrier();
                            Request[] all = {sum, receive, barrier, send};
                            switch ((round + me) % 4) {
                                case 0 -> Request.waitAll(all);
                                case 1 -> {
                                    while (!Request.testAll(all)) {
                                        Thread.onSpinWait();
                                    }
                                }
                                case 2 -> {
                                    while (Request.waitAny(all) != MPI.UNDEFINED) {}
                                }
                                default -> {
                                    for (int ended = 0; ended < 4; ) {
                                        ended += Request.waitSome(all).length;
                                    }
                                }
                            }
                            assertThat(data.get(0)).isEqualTo(1 + 2 * round);
                            assertThat(data.get(length - 1)).isEqualTo(1);
                            assertThat(in.get(0)).isEqualTo(other);
                        }
                        send.free();
                        receive.free();
                    } catch (Throwable e) {
                        trouble.compareAndSet(null, e);
                    }
                }));
                thread.start();
                running.add(thread);
            }
            for (Thread thread : running) {
                thread.join(60_000);
                assertThat(thread.isAlive()).isFalse();
            }
            assertThat(trouble.get()).isNull();
        });
    }

    @Test
    void shouldKeepItemsInAnyByteOrderAndRange() {
        survivorsSucceed(2, rank -> {
            for (boolean direct : new boolean[] {false, true}) {
                ByteBuffer whole = direct ? ByteBuffer.allocateDirect(4000) : ByteBuffer.allocate(4000);
                ByteBuffer bytes = whole.position(400).slice().order(ByteOrder.nativeOrder());
                for (int i = 0; i < 100; i++) {
                    bytes.putInt(4 * i, rank == 0 ? i : 7 * i);
                }
                bytes.putInt(400, -77);
                bytes.position(8).limit(12);
                WORLD.iAllReduce(bytes, 100, MPI.INT, MPI.SUM).waitFor();
                assertThat(bytes.position()).isEqualTo(8);
                bytes.clear();
                for (int i = 0; i < 100; i++) {
                    assertThat(bytes.getInt(4 * i)).isEqualTo(8 * i);
                }
                assertThat(bytes.getInt(400)).isEqualTo(-77);
                IntBuffer heap = IntBuffer.wrap(new int[50], 10, 20).slice();
                heap.put(0, rank).put(19, 5);
                WORLD.iAllReduce(heap, 20, MPI.INT, MPI.SUM).waitFor();
                assertThat(heap.get(0)).isEqualTo(1);
                assertThat(heap.get(19)).isEqualTo(10);
                IntBuffer both = ints(rank + 1, 2);
                WORLD.iAllReduce(both, both, 2, MPI.INT, MPI.SUM).waitFor();
                assertThat(both.get(0)).isEqualTo(3);
                WORLD.iExScan(both, both, 2, MPI.INT, MPI.SUM).waitFor();
                assertThat(both.get(0)).isEqualTo(3);
            }
        });
    }

    /**
     * 3,000 reductions are due at once, and each operator probes, which lets other operators run inside that call. The
     * stack must not overflow, and all results must be right.
     */
    @Test
    void shouldRunManyOperatorsThatCallMpi() {
        survivorsSucceed(2, rank -> {
            Op probing = adding(() -> WORLD.iProbe(MPI.ANY_SOURCE, 99));
            Request[] all = new Request[3_000];
            IntBuffer[] data = new IntBuffer[all.length];
            for (int i = 0; i < all.length; i++) {
                data[i] = IntBuffer.wrap(new int[] {rank + i});
                all[i] = WORLD.iReduce(data[i], 1, MPI.INT, probing, 0);
            }
            WORLD.barrier();
            Request.waitAll(all);
            for (int i = 0; rank == 0 && i < all.length; i++) {
                assertThat(data[i].get(0)).isEqualTo(1 + 2 * i);
            }
        });
    }

    /**
     * Each operator waits for another reduction with the same operator: at a certain depth the library raises an error.
     */
    @Test
    void shouldFailWhereOperatorsWaitForOneAnotherTooDeep() {
        AtomicReference<Throwable> said = new AtomicReference<>();
        survivorsSucceed(2, rank -> {
            Intracomm comm = WORLD.dup();
            AtomicInteger depth = new AtomicInteger();
            Op[] op = new Op[1];
            op[0] = adding(() -> {
                depth.incrementAndGet();
                IntBuffer data = ints(rank);
                Throwable thrown = catchThrowable(comm.iAllReduce(data, 1, MPI.INT, op[0])::waitFor);
                // A wait inside the operator may also end with RevokedException. Only the error of the depth is of
                // interest.
                if (thrown instanceof MPIException && !(thrown instanceof RevokedException)) {
                    said.compareAndSet(null, thrown);
                }
                throw new IllegalStateException(thrown);
            });
            assertThat(catchThrowable(comm.iAllReduce(ints(rank), 1, MPI.INT, op[0])::waitFor))
                    .isNotNull();
            assertThat(depth.get()).isBetween(1, 32);
            assertThat(comm.isRevoked()).isTrue();
            WORLD.barrier();
        });
        assertThat(said.get())
                .isInstanceOf(MPIException.class)
                .hasMessageContaining("iAllReduce on dup of COMM_WORLD")
                .hasMessageContaining("its operator cannot run")
                .hasMessageContaining("An operator may wait for");
    }

    /**
     * The operator of a reduction runs while rank 0 waits in a barrier through shared memory, throws, and so revokes
     * the communicator: the barrier must end with ERR_REVOKED.
     */
    @Test
    void shouldEndABarrierInWhichAnOperatorThrows() {
        survivorsSucceed(2, rank -> {
            Intracomm comm = WORLD.dup();
            for (int i = 0; i < 6; i++) {
                comm.barrier();
            }
            Request request = comm.iReduce(
                    ints(1),
                    1,
                    MPI.INT,
                    adding(() -> {
                        throw new IllegalStateException("meant");
                    }),
                    0);
            if (rank == 0) {
                raises(MPI.ERR_REVOKED, comm::barrier);
                assertThatThrownBy(request::waitFor).isInstanceOf(IllegalStateException.class);
            } else {
                raises(MPI.ERR_REVOKED, () -> comm.recv(new int[1], 1, MPI.INT, 0, 0));
                assertThat(Programs.errorClass(request::waitFor)).isIn(MPI.SUCCESS, MPI.ERR_REVOKED);
            }
        });
    }
}
