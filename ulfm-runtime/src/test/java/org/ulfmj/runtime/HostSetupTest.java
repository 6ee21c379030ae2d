package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.transport.BufferPayload;

/**
 * Tests what becomes of the shared memory that members set up if meanwhile another thread frees the communicator, or
 * the communicator is revoked, or a member dies; and that an attempt that fails is made again later.
 */
@Timeout(120)
class HostSetupTest {
    private static final int AFTER = 2;
    /** A length in bytes for which the smallest segments give so little room that members try larger ones. */
    private static final int LONG = 8 * 1024;

    private static final PlainReduction MAX = (in, inout, count) -> {
        // All contribute the same.
    };

    private static LocalRanks start(int size, SharedRanks shared) {
        return new LocalRanks(size, shared, (slot, settings) -> settings.withHostCollectivesAfter(AFTER));
    }

    private static void barrier(Communicator on) {
        on.collectives().barrier();
    }

    private static void barriers(Communicator on, int count) {
        for (int i = 0; i < count; i++) {
            barrier(on);
        }
    }

    private static boolean reduceLong(Communicator on) {
        return reduceInMemory(on, LONG);
    }

    /** Calls allReduce. Returns whether the operation went through shared memory at this rank. */
    private static boolean reduceInMemory(Communicator on, int bytes) {
        NotedBuffer both = new NotedBuffer(new BufferPayload(ByteBuffer.allocate(bytes)));
        on.collectives().allReduce(both, both, Long.BYTES, MAX);
        return !both.wentByMessages();
    }

    /** Runs the work in another thread and waits for its end. */
    private static void inAnotherThread(Runnable work) {
        Thread thread = new Thread(work);
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Runnable once(Runnable work) {
        AtomicBoolean isDone = new AtomicBoolean();
        return () -> {
            if (isDone.compareAndSet(false, true)) {
                work.run();
            }
        };
    }

    @Test
    void shouldEndTheOperationOfACommunicatorThatAnotherThreadFreesMeanwhile() throws Exception {
        SharedRanks shared = new SharedRanks(2);
        try (LocalRanks ranks = start(2, shared)) {
            ranks.run(rank -> {
                Communicator made = rank.world().creation().dup();
                barriers(made, AFTER);
                if (rank.world().rank() == 0) {
                    shared.memory(0).beforeCreate = once(() -> inAnotherThread(made::free));
                }
                assertThat(reduceInMemory(made, Long.BYTES)).isTrue();
                if (rank.world().rank() == 1) {
                    made.free();
                }
                RankPolling.untilUnderLock(
                        ranks,
                        rank.engine(),
                        () -> rank.engine().communicators().all().size() == 2);
            });
        }
    }

    @Test
    void shouldUseAgainWhatFreedCommunicatorsHad() throws Exception {
        SharedRanks shared = new SharedRanks(2);
        start(2, shared).runOnce(rank -> {
            for (int round = 0; round < 5; round++) {
                Communicator made = rank.world().creation().dup();
                barriers(made, AFTER);
                assertThat(reduceInMemory(made, Long.BYTES)).isTrue();
                made.free();
            }
            assertThat(shared.memory(rank.world().rank()).made).isEqualTo(1);
        });
    }

    @Test
    void shouldGiveSmallSegmentsBackWhereACommunicatorIsFreedWhileTheyGrow() throws Exception {
        SharedRanks shared = new SharedRanks(2);
        shared.memory(0).steps = 1;
        shared.memory(1).steps = 1;
        start(2, shared).runOnce(rank -> {
            int me = rank.world().rank();
            Communicator made = rank.world().creation().dup();
            barriers(made, AFTER + 1);
            shared.memory(me).beforeCreate = once(() -> inAnotherThread(made::free));
            while (shared.memory(me).made < 2) {
                assertThat(reduceLong(made)).isTrue();
            }
            assertThat(shared.memory(me).held)
                    .as("the large ones, for the next communicator of the same members")
                    .hasSize(2)
                    .allMatch(segment -> segment.lengthBytes() == 2 * SharedRanks.SEGMENT_BYTES);

            Communicator next = rank.world().creation().dup();
            barriers(next, AFTER + 1);
            assertThat(shared.memory(me).made).as("nothing new").isEqualTo(2);
            next.free();
        });
    }

    /**
     * Shows that a member's death during the set-up gives all shared memory back.
     *
     * @param whileItMakesOne whether rank 2 dies while it makes its segment, and not when it is about to open the
     *     others'
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldGiveBackWhatWasTakenWhereAMemberDies(boolean whileItMakesOne) throws Exception {
        int size = 3;
        SharedRanks shared = new SharedRanks(size);
        try (LocalRanks ranks = start(size, shared)) {
            Runnable die = once(() -> {
                // The death must come this late: a rank that learned of it earlier would make no segment.
                RankPolling.until(ranks, () -> shared.memory(0).made == 1 && shared.memory(1).made == 1);
                inAnotherThread(() -> ranks.kill(2));
            });
            if (whileItMakesOne) {
                shared.memory(2).beforeCreate = die;
            }
            ranks.run(rank -> {
                int me = rank.world().rank();
                Communicator made = rank.world().creation().dup();
                barriers(made, AFTER);
                if (me == 2 && !whileItMakesOne) {
                    shared.memory(2).beforeOpen = () -> {
                        ranks.kill(2);
                        throw new LocalRanks.Killed(2);
                    };
                }
                CallError fault = null;
                try {
                    barrier(made);
                } catch (CallError failed) {
                    fault = failed;
                }
                assertThat(fault).isNotNull();
                assertThat(fault.error()).isEqualTo(ErrorClass.PROC_FAILED);
                assertThat(shared.memory(me).made).isEqualTo(1);
                assertThat(shared.memory(me).held).isEmpty();
                made.free();
            });
        }
    }

    private static boolean isInBarrier(LocalRanks ranks, int slot) {
        return ranks.rank(slot).waits().describe().contains(" in barrier on ");
    }

    /**
     * Shows that a segment which is offered a second time, for another communicator, is not kept if a member dies
     * during the exchange of offers.
     */
    @Test
    void shouldGiveBackWhatWasOfferedAgainWhereAMemberDies() throws Exception {
        int size = 3;
        SharedRanks shared = new SharedRanks(size);
        try (LocalRanks ranks = start(size, shared)) {
            CountDownLatch areReady = new CountDownLatch(size);
            ranks.run(rank -> {
                int me = rank.world().rank();
                Communicator first = rank.world().creation().dup();
                barriers(first, AFTER + 1);
                Communicator second = rank.world().creation().dup();
                barriers(second, AFTER);
                first.free();
                assertThat(shared.memory(me).held).hasSize(size);
                areReady.countDown();
                areReady.await();
                if (me == 2) {
                    // The death must come this late: a rank that learned of it before its barrier would offer no
                    // segment.
                    RankPolling.until(ranks, () -> isInBarrier(ranks, 0) && isInBarrier(ranks, 1));
                    ranks.kill(2);
                }
                CallError fault = null;
                try {
                    barrier(second);
                } catch (CallError failed) {
                    fault = failed;
                }
                assertThat(fault).isNotNull();
                Communicator left = rank.world().recovery().shrink();
                second.free();
                left.free();
                assertThat(shared.memory(me).made).isEqualTo(1);
                assertThat(shared.memory(me).held).isEmpty();
            });
        }
    }

    /**
     * Shows that a revocation while members try larger segments gives all segments back. A call that runs in the
     * segments sees the revocation and fails.
     */
    @Test
    void shouldGiveAllBackWhereTheCommunicatorIsRevokedWhileItsSegmentsGrow() throws Exception {
        SharedRanks shared = new SharedRanks(2);
        shared.memory(0).steps = 1;
        shared.memory(1).steps = 1;
        start(2, shared).runOnce(rank -> {
            int me = rank.world().rank();
            Communicator made = rank.world().creation().dup();
            barriers(made, AFTER + 1);
            if (me == 0) {
                shared.memory(me).beforeCreate = once(() -> inAnotherThread(made.recovery()::revoke));
            }
            CallError fault = null;
            while (fault == null) {
                try {
                    reduceLong(made);
                } catch (CallError failed) {
                    fault = failed;
                }
            }
            assertThat(fault.error()).isEqualTo(ErrorClass.REVOKED);
            assertThat(shared.memory(me).held).isEmpty();
            made.free();
        });
    }

    /**
     * Shows that the rank ends if the way to a peer that is prepared in the background cannot be had, as where shared
     * memory is required and there is none: a library thread prepares it, and has no caller to report to.
     */
    @Test
    void shouldEndTheRankWhereAWayThatIsMadeBeforeItIsNeededCannotBeHad() {
        SharedRanks shared = new SharedRanks(2);
        IllegalStateException noRoom = new IllegalStateException("rank 0 uses TCP to rank 1");
        shared.memory(0).beforePrepare = () -> {
            throw noRoom;
        };
        try (LocalRanks ranks = start(2, shared)) {
            ranks.rank(0).prepare(ProcessId.of(1));

            assertThat(ranks.broken).containsExactly(noRoom);
        }
    }

    /**
     * Shows that all members go by messages for a while if one of them has no room for a segment, and share memory
     * later.
     */
    @Test
    void shouldTryAgainWhereOneMemberHadNoRoom() throws Exception {
        SharedRanks shared = new SharedRanks(2);
        shared.memory(1).isFull = true;
        start(2, shared).runOnce(rank -> {
            int me = rank.world().rank();
            Communicator made = rank.world().creation().dup();
            barriers(made, AFTER);
            assertThat(reduceInMemory(made, Long.BYTES)).isFalse();
            assertThat(shared.memory(me).held).isEmpty();
            shared.memory(1).isFull = false;
            int byMessages = 1;
            while (!reduceInMemory(made, Long.BYTES)) {
                byMessages++;
            }
            assertThat(byMessages).isEqualTo(16);
            assertThat(shared.memory(me).held).hasSize(2);
            made.free();
        });
    }
}
