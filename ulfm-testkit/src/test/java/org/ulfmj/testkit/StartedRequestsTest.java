package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.ulfmj.testkit.Programs.awaitFailed;
import static org.ulfmj.testkit.Programs.dieIf;
import static org.ulfmj.testkit.Programs.ints;
import static org.ulfmj.testkit.Programs.raises;
import static org.ulfmj.testkit.Programs.survivorsSucceed;

import java.nio.Buffer;
import java.nio.IntBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.Request;
import mpi.UserFunction;
import org.junit.jupiter.api.Test;

/**
 * Tests the requests of non-blocking collectives: what a program may do with them, which thread works for them, and how
 * they fail.
 */
class StartedRequestsTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final long PATIENCE_S = 60;

    @Test
    void shouldNeitherBeCancelledNorFreedBeforeItHasFailed() {
        survivorsSucceed(2, rank -> {
            Intracomm comm = WORLD.dup();
            Request request = comm.iBarrier();
            assertThat(raises(MPI.ERR_REQUEST, request::cancel).getMessage())
                    .contains("cancel on ", "the request is that of a collective operation, iBarrier");
            assertThat(raises(MPI.ERR_REQUEST, request::free).getMessage()).contains("free on ", "Wait for it or test");
            request.waitFor();
            request.free();
            assertThat(request.isNull()).isTrue();
            Request other = rank == 0 ? comm.iBarrier() : MPI.REQUEST_NULL;
            WORLD.barrier();
            comm.revoke();
            other.free();
            assertThat(other.isNull()).isTrue();
        });
    }

    @Test
    void shouldRaiseAFailureWhereTheRequestIsCompletedAndNotBefore() {
        survivorsSucceed(3, rank -> {
            IntBuffer data = ints(1);
            Intracomm living = WORLD.createGroup(WORLD.getGroup().excl(new int[] {2}), 0);
            dieIf(rank == 2);
            Request early = WORLD.iAllReduce(data, 1, MPI.INT, MPI.SUM);
            awaitFailed(WORLD, 2);
            Request late = WORLD.iBcast(data, 1, MPI.INT, 0);
            assertThat(early.getStatus().getError()).isEqualTo(MPI.ERR_PROC_FAILED);
            MPIException failure = raises(MPI.ERR_PROC_FAILED, early::waitFor);
            assertThat(failure.getMessage()).contains("iAllReduce on COMM_WORLD (3 ranks)", "rank 2");
            assertThat(failure.getFailedRanks()).containsExactly(2);
            assertThat(early.isNull()).isTrue();
            WORLD.ackFailed();
            Request[] both = {MPI.REQUEST_NULL, late};
            assertThat(raises(MPI.ERR_PROC_FAILED, () -> Request.waitAll(both))
                            .getStatuses()[1]
                            .getError())
                    .isEqualTo(MPI.ERR_PROC_FAILED);
            living.barrier();
            WORLD.revoke();
            assertThat(raises(MPI.ERR_REVOKED, WORLD.iBarrier()::waitFor).getMessage())
                    .contains("iBarrier on COMM_WORLD");
        });
    }

    @Test
    void shouldEndWithAnErrorWhereCountsDiffer() {
        survivorsSucceed(2, rank -> {
            Request request = WORLD.iBcast(MPI.newIntBuffer(4), rank == 0 ? 4 : 2, MPI.INT, 0);
            if (rank == 1) {
                assertThat(raises(MPI.ERR_TRUNCATE, request::waitFor).getMessage())
                        .contains("iBcast", "All ranks must make the same calls in the same order, with equal counts");
            } else {
                request.waitFor();
            }
        });
    }

    /** Shows that the iAllReduce of rank 1 completes while rank 0 waits outside of MPI and makes no MPI call. */
    @Test
    void shouldGoOnWhileTheProgramComputes() {
        for (int length : new int[] {1, 300_000}) {
            CountDownLatch done = new CountDownLatch(1);
            survivorsSucceed(2, rank -> {
                int[] ones = new int[length];
                java.util.Arrays.fill(ones, 1);
                IntBuffer data = ints(ones);
                Request request = WORLD.iAllReduce(data, length, MPI.INT, MPI.SUM);
                if (rank == 0) {
                    // Rank 0 makes no MPI call until rank 1 has its result.
                    assertThat(done.await(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
                    request.waitFor();
                } else {
                    request.waitFor();
                    done.countDown();
                }
                assertThat(data.get(0)).isEqualTo(2);
                assertThat(data.get(length - 1)).isEqualTo(2);
            });
        }
    }

    /** An operator's function that notes the threads that run it. */
    private static final class Noted extends UserFunction {
        final Set<Thread> threads = ConcurrentHashMap.newKeySet();
        final Runnable first;

        Noted(Runnable first) {
            this.first = first;
        }

        @Override
        public void call(Object in, Object inOut, int count, Datatype datatype) {
            threads.add(Thread.currentThread());
            first.run();
            for (int i = 0; i < count; i++) {
                ((int[]) inOut)[i] += ((int[]) in)[i];
            }
        }
    }

    @Test
    void shouldRunFunctionsOfTheProgramOnItsThreadsOnly() {
        survivorsSucceed(2, rank -> {
            Noted function = new Noted(() -> WORLD.getRank());
            IntBuffer data = ints(rank + 1);
            Intracomm other = WORLD.dup();
            Request request = other.iAllReduce(data, 1, MPI.INT, new Op(function, true));
            // Each rank's message arrives while only the progress threads are inside MPI; these must not run the
            // operator.
            long end = System.nanoTime() + 50_000_000;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            assertThat(function.threads).isEmpty();
            request.waitFor();
            assertThat(function.threads).containsExactly(Thread.currentThread());
            assertThat(data.get(0)).isEqualTo(3);
        });
    }

    /**
     * Rank 0, the root of the reduction, runs the operator while it is in another blocking call or in a test of the
     * request. Rank 1 only sends its part.
     */
    @Test
    void shouldRunFunctionsInAnyBlockingCallAndInATestOfTheRequest() {
        survivorsSucceed(2, rank -> {
            for (boolean tests : new boolean[] {false, true}) {
                Intracomm other = WORLD.dup();
                Noted function = new Noted(() -> {});
                IntBuffer data = ints(5);
                Request request = other.iReduce(data, 1, MPI.INT, new Op(function, true), 0);
                if (rank == 1) {
                    request.waitFor();
                    while (!tests && function.threads.isEmpty() && WORLD.iProbe(0, 1) == null) {
                        Thread.onSpinWait();
                    }
                    WORLD.send(new int[1], 1, MPI.INT, 0, 0);
                } else if (tests) {
                    WORLD.recv(new int[1], 1, MPI.INT, 1, 0);
                    while (!request.test()) {
                        Thread.onSpinWait();
                    }
                } else {
                    WORLD.send(new int[1], 1, MPI.INT, 1, 1);
                    WORLD.recv(new int[1], 1, MPI.INT, 1, 0);
                    request.waitFor();
                }
                if (rank == 0) {
                    assertThat(data.get(0)).isEqualTo(10);
                    assertThat(function.threads).containsExactly(Thread.currentThread());
                }
                WORLD.barrier();
            }
        });
    }

    /**
     * Rank 1 needs rank 0's part of the collectives while rank 0 is blocked in a receive: that call must run the
     * operator, else both would wait for ever.
     */
    @Test
    void shouldNotMakeOthersWaitForAFunctionWhileARankIsBlocked() {
        survivorsSucceed(2, rank -> {
            Intracomm other = WORLD.dup();
            IntBuffer data = ints(rank + 1);
            Request request = other.iScan(data, 1, MPI.INT, new Op(new Noted(() -> {}), false));
            Request last = other.iAllReduce(ints(1), 1, MPI.INT, new Op(new Noted(() -> {}), false));
            if (rank == 0) {
                WORLD.recv(new int[1], 1, MPI.INT, 1, 0);
                Request.waitAll(new Request[] {request, last});
            } else {
                Request.waitAll(new Request[] {last, request});
                WORLD.send(new int[1], 1, MPI.INT, 0, 0);
            }
            assertThat(data.get(0)).isEqualTo(rank == 0 ? 1 : 3);
        });
    }

    @Test
    void shouldThrowWhatTheFunctionThrowsWhereTheRequestIsCompleted() {
        survivorsSucceed(3, rank -> {
            Intracomm comm = WORLD.dup();
            Op failing = new Op(
                    new Noted(() -> {
                        if (rank == 0) {
                            throw new ArithmeticException("of rank 0");
                        }
                    }),
                    false);
            Request request = comm.iAllReduce(ints(1), 1, MPI.INT, failing);
            Request never = rank == 2 ? MPI.REQUEST_NULL : comm.iBarrier();
            if (rank == 0) {
                // Rank 0 runs the operator inside a barrier. The barrier does not raise the exception that the operator
                // threw, but ERR_REVOKED.
                Throwable ofAnother = catchThrowable(comm::barrier);
                assertThat(ofAnother).isInstanceOf(mpi.RevokedException.class);
                assertThat(comm.isRevoked()).isTrue();
                assertThatThrownBy(() -> Request.waitAll(new Request[] {never, request}))
                        .isInstanceOf(ArithmeticException.class)
                        .hasMessage("of rank 0");
            } else {
                raises(MPI.ERR_REVOKED, request::waitFor);
            }
            assertThat(comm.shrink().getSize()).isEqualTo(3);
        });
    }

    @Test
    void shouldTellAFailureOnlyWhenTheFunctionThatRunsIsOver() {
        CountDownLatch inside = new CountDownLatch(1);
        survivorsSucceed(3, rank -> {
            Noted waiting = new Noted(() -> {
                inside.countDown();
                awaitFailed(WORLD, 2);
            });
            if (rank == 2) {
                assertThat(inside.await(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
                Faults.die();
            }
            Request request = WORLD.iAllReduce(ints(1), 1, MPI.INT, new Op(waiting, false));
            raises(MPI.ERR_PROC_FAILED, request::waitFor);
            assertThat(WORLD.isRevoked()).isFalse();
        });
    }

    @Test
    void shouldRefuseBuffersOfNoUseAndBadArgumentsAtOnce() {
        survivorsSucceed(1, rank -> {
            IntBuffer one = ints(1);
            IntBuffer readOnly = ints(1).asReadOnlyBuffer();
            refuses("iBcast: buf is null but count is 1", () -> WORLD.iBcast(null, 1, MPI.INT, 0));
            refuses("iBcast: buf is a Direct", () -> WORLD.iBcast(MPI.newLongBuffer(1), 1, MPI.INT, 0));
            refuses("iAllReduce: recvbuf is a read-only", () -> WORLD.iAllReduce(one, readOnly, 1, MPI.INT, MPI.SUM));
            refuses("iAllReduce: buf is a read-only", () -> WORLD.iAllReduce(readOnly, 1, MPI.INT, MPI.SUM));
            refuses(
                    "iGather: recvbuf is null but recvcount is 1",
                    () -> WORLD.iGather(one, 1, MPI.INT, null, 1, MPI.INT, 0));
            int[] ones = {1};
            int[] zero = {0};
            refuses(
                    "iAllToAllv: sendbuf is null but the sum of sendcount is 1",
                    () -> WORLD.iAllToAllv(null, ones, zero, MPI.INT, one, ones, zero, MPI.INT));
            refuses(
                    "iScatterv: recvbuf is a read-only",
                    () -> WORLD.iScatterv(one, ones, zero, MPI.INT, readOnly, 1, MPI.INT, 0));
            refused(MPI.ERR_ROOT, "iBcast on COMM_WORLD", "root is 1", () -> WORLD.iBcast(one, 1, MPI.INT, 1));
            refused(MPI.ERR_COUNT, "iReduce", "count is -1", () -> WORLD.iReduce(one, -1, MPI.INT, MPI.SUM, 0));
            refused(MPI.ERR_BUFFER, "iScan", "buf holds 1 items", () -> WORLD.iScan(one, 2, MPI.INT, MPI.SUM));
            refused(MPI.ERR_TYPE, "iExScan", "the type of buf is null", () -> WORLD.iExScan(one, 1, null, MPI.SUM));
            refused(MPI.ERR_OP, "iAllReduce", "op is null", () -> WORLD.iAllReduce(one, 1, MPI.INT, null));
            refused(
                    MPI.ERR_COUNT,
                    "iAllGatherv",
                    "recvcount is null",
                    () -> WORLD.iAllGatherv(one, null, zero, MPI.INT));
            refused(MPI.ERR_ARG, "iGatherv", "displs is null", () -> WORLD.iGatherv(one, ones, null, MPI.INT, 0));
            refused(
                    MPI.ERR_COUNT,
                    "iScatter",
                    "differ for what the rank sends itself",
                    () -> WORLD.iScatter(ints(1, 2), 2, MPI.INT, one, 1, MPI.INT, 0));
            refused(
                    MPI.ERR_COUNT,
                    "iReduceScatter",
                    "recvcounts has 0 elements",
                    () -> WORLD.iReduceScatter(one, new int[0], MPI.INT, MPI.SUM));
            refused(
                    MPI.ERR_BUFFER,
                    "iReduceScatterBlock",
                    "buf holds 1 items",
                    () -> WORLD.iReduceScatterBlock(one, 2, MPI.INT, MPI.SUM));
            Intracomm freed = WORLD.dup();
            freed.free();
            raises(MPI.ERR_COMM, freed::iBarrier);
        });
    }

    @Test
    void shouldRefuseFormsThatAreForOtherRanks() {
        survivorsSucceed(2, rank -> {
            IntBuffer one = ints(1);
            int[] counts = {1, 0};
            if (rank == 0) {
                refused(MPI.ERR_ROOT, "iGatherv", "the other ranks only", () -> WORLD.iGatherv(one, 1, MPI.INT, 0));
                refused(MPI.ERR_ROOT, "iScatterv", "the other ranks only", () -> WORLD.iScatterv(one, 1, MPI.INT, 0));
                refused(
                        MPI.ERR_ROOT,
                        "iGatherv",
                        "the root only",
                        () -> WORLD.iGatherv(one, counts, counts, MPI.INT, 1));
                refused(
                        MPI.ERR_ROOT,
                        "iScatterv",
                        "the root only",
                        () -> WORLD.iScatterv(one, counts, counts, MPI.INT, 1));
            }
        });
    }

    private static void refuses(String message, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    private static void refused(int errorClass, String call, String problem, Runnable made) {
        assertThat(raises(errorClass, made::run).getMessage()).contains(call, problem);
    }

    /** Non-blocking collectives with a count of 0 take null as their buffer. */
    @Test
    void shouldTakeNoBufferForNoItems() {
        survivorsSucceed(2, rank -> {
            BiFunction<Buffer, Integer, Request> reduce =
                    (buffer, count) -> WORLD.iAllReduce(buffer, buffer, count, MPI.INT, MPI.SUM);
            Request.waitAll(new Request[] {
                WORLD.iBcast(null, 0, MPI.INT, 0),
                reduce.apply(null, 0),
                WORLD.iAllToAll(null, 0, MPI.INT, null, 0, MPI.INT),
                WORLD.iAllGather(null, 0, MPI.INT),
                WORLD.iScan(null, 0, MPI.INT, MPI.SUM)
            });
        });
    }
}
