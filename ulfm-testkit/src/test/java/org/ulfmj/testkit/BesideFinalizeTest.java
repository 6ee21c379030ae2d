package org.ulfmj.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ulfmj.testkit.Programs.errorClass;
import static org.ulfmj.testkit.Programs.raises;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * Shows how calls of another thread of a rank end while one thread is in Finalize, and that interrupts of the library's
 * progress threads do no harm.
 */
class BesideFinalizeTest {
    private static final Intracomm WORLD = MPI.COMM_WORLD;
    private static final long MOST_SECONDS = 60;

    /** Runs a task in a separate thread of the calling thread's rank. Returns the future result. */
    private static <T> CompletableFuture<T> elsewhere(Callable<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(MPI.bindThread(() -> {
            try {
                result.complete(task.call());
            } catch (Throwable thrown) {
                result.completeExceptionally(thrown);
            }
        }));
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    @Test
    void shouldEndWhatOtherThreadsWaitForWhenTheRankOrItsPeersLeave() {
        ThrowingCallable[] calls = {
            () -> WORLD.recv(new int[1], 1, MPI.INT, 0, 0),
            () -> WORLD.recv(new int[1], 1, MPI.INT, MPI.ANY_SOURCE, 0),
            () -> WORLD.probe(0, 1),
            () -> WORLD.probe(MPI.ANY_SOURCE, 1),
            () -> WORLD.sSend(new int[1], 1, MPI.INT, 0, 2),
            () -> WORLD.iRecv(MPI.newIntBuffer(1), 1, MPI.INT, 0, 3).waitFor(),
            WORLD::barrier
        };
        for (ThrowingCallable call : calls) {
            LocalResult result = LocalWorld.run(3, () -> {
                MPI.Init(new String[0]);
                // Duplicated before there is another thread, because the call of that thread may be a barrier, which is
                // a collective call on WORLD too.
                Intracomm meeting = WORLD.dup();
                boolean hasAnother = WORLD.getRank() == 1;
                CompletableFuture<Integer> error =
                        hasAnother ? elsewhere(() -> errorClass(call)) : CompletableFuture.completedFuture(0);
                meeting.barrier();
                MPI.Finalize();
                if (hasAnother) {
                    assertThat(error.get(MOST_SECONDS, TimeUnit.SECONDS)).isIn(MPI.ERR_PROC_FAILED, MPI.ERR_OTHER);
                }
            });
            assertThat(result.requireSurvivorsSucceeded().ranks(RankEnd.FINALIZED))
                    .containsExactly(0, 1, 2);
        }
    }

    @Test
    void shouldRefuseRecoveryCallsWhileAnotherThreadIsInFinalize() {
        Meeting refused = new Meeting(2);
        LocalResult result = LocalWorld.run(2, () -> {
            MPI.Init(new String[0]);
            if (WORLD.getRank() == 0) {
                CompletableFuture<Boolean> finalized = elsewhere(() -> {
                    MPI.Finalize();
                    return MPI.isFinalized();
                });
                // Until the other thread is in Finalize these calls are legal, and would wait for rank 1.
                awaitCall("Finalize");
                for (ThrowingCallable call : new ThrowingCallable[] {
                    () -> WORLD.agree(1),
                    WORLD::agreeFailed,
                    WORLD::shrink,
                    MPI::Finalize,
                    () -> WORLD.iAgree(MPI.newIntBuffer(1)).waitFor()
                }) {
                    MPIException exception = raises(MPI.ERR_OTHER, call);
                    assertThat(exception.getMessage()).contains("another thread of this rank is in Finalize");
                }
                refused.attend();
                assertThat(finalized.get(MOST_SECONDS, TimeUnit.SECONDS)).isTrue();
            } else {
                refused.attend();
                MPI.Finalize();
            }
        });
        assertThat(result.requireSurvivorsSucceeded().ranks(RankEnd.FINALIZED)).containsExactly(0, 1);
    }

    /** Waits until some thread waits inside this method of class {@code mpi.MPI}. Fails after a minute. */
    private static void awaitCall(String method) {
        long untilNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
        while (Thread.getAllStackTraces().values().stream().noneMatch(stack -> isWaitingIn(method, stack))) {
            assertThat(System.nanoTime() - untilNs).isNegative();
            Thread.onSpinWait();
        }
    }

    private static boolean isWaitingIn(String method, StackTraceElement... stack) {
        boolean isCalled = false;
        boolean isWaiting = false;
        for (StackTraceElement frame : stack) {
            isCalled |= frame.getClassName().equals("mpi.MPI")
                    && frame.getMethodName().equals(method);
            isWaiting |= frame.getClassName().endsWith(".PollingProgress");
        }
        return isCalled && isWaiting;
    }

    @Test
    void shouldNotMindThatTheLibrarysOwnThreadsAreInterrupted() {
        LocalWorld.run(3, () -> {
                    MPI.Init(new String[0]);
                    for (int round = 0; round < 100; round++) {
                        if (WORLD.getRank() == round % 3) {
                            interruptOwnThreads();
                        }
                        WORLD.barrier();
                    }
                    assertThat(WORLD.getFailed().getSize()).isZero();
                    MPI.Finalize();
                })
                .requireSurvivorsSucceeded();
    }

    private static void interruptOwnThreads() {
        boolean isFound = false;
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("ulfm-progress-")) {
                thread.interrupt();
                isFound = true;
            }
        }
        assertThat(isFound).isTrue();
    }
}
