package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.transport.BufferPayload;

/**
 * Wrong programs whose ranks are in different calls, at least one of which is a non-blocking collective that may go
 * through shared memory. The tests show that each rank gets an error, whether its call goes through shared memory or by
 * messages; most of them also show what the text of an error says.
 */
@Timeout(120)
class DividedRanksTest {
    private static final int SHORT = 8;
    private static final int LONG = 8_000;
    private static final int CALLS = 3;

    private static final PlainReduction SUM = (in, inout, count) -> {
        for (int i = 0; i < count * Long.BYTES; i += Long.BYTES) {
            int at = inout.position() + i;
            inout.putLong(at, inout.getLong(at) + in.getLong(in.position() + i));
        }
    };

    /** What a rank does that may fail. */
    private interface Step {
        void run(Communicator on, int rank) throws Exception;
    }

    private static NotedBuffer buffer(int bytes) {
        return new NotedBuffer(new BufferPayload(ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder()))) {
            @Override
            public int bytesToUnpack() {
                return bytes;
            }

            @Override
            public int unpackPiece(int from, int mostBytes) {
                unpack();
                return bytes;
            }
        };
    }

    private static CollectiveCall reduction(Communicator on, int bytes) {
        NotedBuffer both = buffer(bytes);
        return on.started().allReduce("iAllReduce", both, both, Long.BYTES, SUM);
    }

    private static void reduce(Communicator on, int bytes) {
        on.await(reduction(on, bytes));
    }

    private static void broadcast(Communicator on, int bytes, int root) {
        on.await(on.started().broadcast("iBcast", buffer(bytes), root));
    }

    /**
     * Makes several calls of this length, so that later ones go through shared memory; for a world set to use it from
     * the first call on.
     */
    private static void warmUp(Communicator on, int bytes) {
        for (int i = 0; i < CALLS; i++) {
            reduce(on, bytes);
        }
    }

    /**
     * Runs {@code before} and then {@code wrong} at all ranks, where the latter, or an allReduce after it, must fail
     * with TRUNCATE or REVOKED, and at one rank at least with TRUNCATE. Returns the errors, by rank.
     *
     * @param after how many calls go by messages before collectives use shared memory
     */
    private static Map<Integer, CallError> errors(int size, int after, Step before, Step wrong) throws Exception {
        Map<Integer, CallError> errors = new ConcurrentHashMap<>();
        CyclicBarrier meeting = new CyclicBarrier(size);
        try (LocalRanks ranks = new LocalRanks(
                size, new SharedRanks(size), (slot, settings) -> settings.withHostCollectivesAfter(after))) {
            ranks.run(rank -> {
                int me = rank.world().rank();
                Communicator made = rank.world().creation().dup();
                before.run(made, me);
                // All ranks meet here, so that the revocation by a rank's wrong call does not reach a rank that is
                // still in an earlier call.
                meeting.await(40, TimeUnit.SECONDS);
                CallError error = catchThrowableOfType(CallError.class, () -> {
                    wrong.run(made, me);
                    reduce(made, SHORT);
                });
                errors.put(me, error);
                assertThat(error.error()).isIn(ErrorClass.TRUNCATE, ErrorClass.REVOKED);
                RankPolling.until(ranks, made::isRevoked);
                made.free();
                // Other communicators are as before.
                reduce(rank.world(), SHORT);
            });
        }
        assertThat(errors.values()).extracting(CallError::error).contains(ErrorClass.TRUNCATE);
        return errors;
    }

    private static List<String> texts(Map<Integer, CallError> errors) {
        return errors.values().stream()
                .filter(error -> error.error() == ErrorClass.TRUNCATE)
                .map(Throwable::getMessage)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {SHORT, LONG})
    void shouldSayHowTheCallsDiffer(int bytes) throws Exception {
        Map<Integer, CallError> errors = errors(
                2, 0, (on, rank) -> warmUp(on, bytes), (on, rank) -> reduce(on, bytes + (rank == 0 ? 0 : Long.BYTES)));
        assertThat(texts(errors))
                .anySatisfy(
                        text -> assertThat(text).contains("is in allReduce of").contains("this rank in allReduce of"));
    }

    /**
     * The case in which an operation, as the flags of all other ranks are there, is carried out by the call that starts
     * it.
     */
    @Test
    void shouldSayHowTheCallsDifferWhereTheOtherRankHasBegunBefore() throws Exception {
        CountDownLatch isBegun = new CountDownLatch(1);
        Map<Integer, CallError> errors = errors(2, 0, (on, rank) -> warmUp(on, SHORT), (on, rank) -> {
            if (rank == 1) {
                assertThat(isBegun.await(40, TimeUnit.SECONDS)).isTrue();
            }
            CollectiveCall call = reduction(on, SHORT + rank * Long.BYTES);
            isBegun.countDown();
            on.await(call);
        });
        assertThat(errors.get(1).error()).isEqualTo(ErrorClass.TRUNCATE);
        assertThat(errors.get(1)).hasMessageContaining("rank 0 is in allReduce of 8 bytes");
    }

    /**
     * The case of a bcast's root, which waits for no rank: it must see the other rank's call at once, since it would
     * not look again later.
     */
    @Test
    void shouldFailAtARootWhereTheOtherRankIsInAnotherCall() throws Exception {
        CountDownLatch isBegun = new CountDownLatch(1);
        Map<Integer, CallError> errors = errors(
                2,
                0,
                (on, rank) -> {
                    warmUp(on, SHORT);
                    warmUp(on, LONG);
                },
                (on, rank) -> {
                    if (rank == 1) {
                        CollectiveCall call = reduction(on, LONG);
                        isBegun.countDown();
                        on.await(call);
                    } else {
                        assertThat(isBegun.await(40, TimeUnit.SECONDS)).isTrue();
                        broadcast(on, SHORT, 0);
                    }
                });
        assertThat(errors.get(0).error()).isEqualTo(ErrorClass.TRUNCATE);
        assertThat(errors.get(0)).hasMessageContainingAll("iBcast", "another call");
    }

    @ParameterizedTest
    @CsvSource({"0, true", "0, false", "1, true", "1, false", "3, true"})
    void shouldFailWhereOneRankIsInAShortOperationAndAnotherInALongOne(int odd, boolean areBothInMemory)
            throws Exception {
        Map<Integer, CallError> errors = errors(
                odd + 2,
                0,
                (on, rank) -> {
                    warmUp(on, SHORT);
                    if (areBothInMemory) {
                        warmUp(on, LONG);
                    }
                },
                (on, rank) -> reduce(on, rank == odd ? LONG : SHORT));
        assertThat(texts(errors))
                .anySatisfy(text -> assertThat(text).contains("another call").contains("All ranks must make the same"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldFailWhereARankWaitsForNoOtherInItsOperation(boolean isRootFirst) throws Exception {
        CyclicBarrier between = new CyclicBarrier(2);
        // The root of a short broadcast is done at once, and it makes no later call in which it could find the
        // difference.
        Map<Integer, CallError> errors = errors(2, 0, (on, rank) -> warmUp(on, SHORT), (on, rank) -> {
            if (rank == 0 != isRootFirst) {
                between.await(40, TimeUnit.SECONDS);
            }
            CollectiveCall call = on.started().broadcast("iBcast", buffer(rank == 0 ? SHORT : LONG), 0);
            if (rank == 0 == isRootFirst) {
                between.await(40, TimeUnit.SECONDS);
            }
            on.await(call);
            while (!on.isRevoked()) {
                LockSupport.parkNanos(1_000_000);
            }
        });
        assertThat(texts(errors))
                .singleElement()
                .asString()
                .contains("rank " + (isRootFirst ? 0 : 1) + (isRootFirst ? " is in bcast" : " made another call"));
    }

    @Test
    void shouldTellARankThatDidNotLookAtTheOneThatFoundADifference() throws Exception {
        Map<Integer, CallError> errors = errors(
                3, 0, (on, rank) -> warmUp(on, SHORT), (on, rank) -> broadcast(on, rank == 0 ? 2 * SHORT : SHORT, 2));
        assertThat(errors.get(0)).hasMessageContaining("rank 2 is in bcast of 8 bytes");
        assertThat(errors.get(2).error()).isEqualTo(ErrorClass.REVOKED);
    }

    @Test
    void shouldFailWhereABlockingCallMeetsOneInMemory() throws Exception {
        Map<Integer, CallError> errors = errors(2, 0, (on, rank) -> warmUp(on, SHORT), (on, rank) -> {
            if (rank == 0) {
                reduce(on, SHORT);
            } else {
                on.collectives().barrier();
            }
        });
        assertThat(errors.get(0)).hasMessageContaining("rank 1 made another call");
        assertThat(errors.get(1).error()).isEqualTo(ErrorClass.REVOKED);
    }

    @Test
    void shouldRevokeWhereMessagesDifferInLengthSinceTheWaysOfLaterCallsCouldPart() throws Exception {
        // Without the revocation, the ninth short call of rank 0 would wait for rank 1's for ever.
        Map<Integer, CallError> errors = errors(2, 8, (on, rank) -> reduce(on, SHORT), (on, rank) -> {
            CallError first = catchThrowableOfType(CallError.class, () -> reduce(on, rank == 0 ? SHORT : LONG));
            CallError later = catchThrowableOfType(CallError.class, () -> {
                for (int i = 0; i < 20; i++) {
                    reduce(on, SHORT);
                }
            });
            assertThat(later.error()).isEqualTo(ErrorClass.REVOKED);
            throw first;
        });
        assertThat(errors).hasSize(2);
    }
}
