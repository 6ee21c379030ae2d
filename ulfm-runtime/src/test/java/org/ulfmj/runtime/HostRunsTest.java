package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.runtime.collective.CollectiveSchedule;
import org.ulfmj.runtime.collective.choice.PackedCollective;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.error.ThrownByProgram;
import org.ulfmj.runtime.host.HostArguments;
import org.ulfmj.runtime.host.HostRuns;
import org.ulfmj.runtime.host.WindowOffer;
import org.ulfmj.runtime.waits.AwaitedRank;
import org.ulfmj.runtime.waits.Need;
import org.ulfmj.runtime.waits.WaitNotes;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Payload;

/**
 * Tests which non-blocking collectives go through shared memory, what happens there when they fail, and when segments
 * of shared memory are kept or given back.
 */
@Timeout(120)
class HostRunsTest {
    private static final int SHORT = 8;
    private static final int LONG = 80_000;
    private static final int CALLS = 60;

    private static final PlainReduction SUM = (in, inout, count) -> {
        for (int i = 0; i < count; i++) {
            int at = inout.position() + i * Long.BYTES;
            inout.putLong(at, inout.getLong(at) + in.getLong(in.position() + i * Long.BYTES));
        }
    };

    /** An operation that was begun. */
    private record Begun(CollectiveCall call, NotedBuffer buffer, ByteBuffer bytes) {}

    private static LocalRanks start(SharedRanks shared, int after) {
        return new LocalRanks(2, shared, (slot, settings) -> settings.withHostCollectivesAfter(after));
    }

    private static Begun begin(Communicator on, int bytes, int value) {
        return begin(on, bytes, value, () -> {});
    }

    /**
     * Begins an allReduce.
     *
     * @param beforePack runs in the middle of the call, without the engine lock, if the operation may go by messages
     */
    private static Begun begin(Communicator on, int bytes, int value, Runnable beforePack) {
        ByteBuffer data = ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
        for (int at = 0; at < bytes; at += Long.BYTES) {
            data.putLong(at, value + on.rank());
        }
        NotedBuffer both = new NotedBuffer(new BufferPayload(data)) {
            @Override
            public void pack() {
                beforePack.run();
                super.pack();
            }

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
        return new Begun(on.started().allReduce("iAllReduce", both, both, Long.BYTES, SUM), both, data);
    }

    private static void end(Communicator on, Begun begun, int value) {
        on.await(begun.call);
        for (int at = 0; at < begun.bytes.capacity(); at += Long.BYTES) {
            assertThat(begun.bytes.getLong(at)).isEqualTo(2L * value + 1);
        }
    }

    /**
     * Makes calls until one goes through shared memory, {@link #CALLS} at most. Returns how many calls before it went
     * by messages, or may have done so.
     */
    private static int callsUntilInMemory(Communicator on, int bytes) {
        for (int i = 0; i < CALLS; i++) {
            Begun begun = begin(on, bytes, i);
            boolean isInMemory = !begun.buffer.wentByMessages();
            end(on, begun, i);
            if (isInMemory) {
                return i;
            }
        }
        return CALLS;
    }

    @ParameterizedTest
    @ValueSource(ints = {SHORT, LONG})
    void shouldUseSharedMemoryAfterSomeCallsAndGiveItBack(int bytes) throws Exception {
        SharedRanks shared = new SharedRanks(2);
        try (LocalRanks ranks = start(shared, 3)) {
            ranks.run(rank -> {
                int me = rank.world().rank();
                Communicator made = rank.world().creation().dup();
                assertThat(callsUntilInMemory(made, bytes)).isBetween(6, CALLS - 1);
                assertThat(shared.memory(me).held).hasSize(2);
                made.free();
                RankPolling.untilUnderLock(
                        ranks, rank.engine(), () -> shared.memory(me).held.isEmpty());
            });
        }
    }

    /**
     * Shows that the segment which a call has offered is kept although its offer is given back while the call is under
     * way.
     */
    @Test
    void shouldKeepTheOfferOfACallWhileAnotherCallTakesOver() throws Exception {
        SharedRanks shared = new SharedRanks(2);
        try (LocalRanks ranks = start(shared, 0)) {
            ranks.run(rank -> {
                int me = rank.world().rank();
                HostArguments barrier = HostArguments.barrier("iBarrier");
                HostRuns runs = rank.engine().inMemory();
                List<Communicator> made = List.of(
                        rank.world().creation().dup(), rank.world().creation().dup());
                List<WindowOffer> offers = new ArrayList<>();
                List<CommunicatorState> states = new ArrayList<>();
                AtomicInteger ends = new AtomicInteger();
                for (Communicator each : made) {
                    states.add(rank.engine().communicators().get(each.id()));
                    offers.add(runs.makeOffer(states.get(offers.size()).hostShare, barrier));
                }
                for (int i = 0; i < made.size(); i++) {
                    CommunicatorState state = states.get(i);
                    CollectiveSchedule schedule =
                            new PackedCollective().barrier(state).schedule();
                    schedule.prepare(me, 2);
                    rank.engine().enter(state, "iBarrier");
                    runs.start(
                            state.hostShare,
                            barrier,
                            schedule,
                            offers.get(i),
                            (error, thrown) -> ends.incrementAndGet());
                    rank.engine().leave();
                }
                rank.engine().lock().lock();
                offers.forEach(runs::giveBack);
                rank.engine().leave();
                assertThat(shared.memory(me).held)
                        .contains(offers.get(0).segment(), offers.get(1).segment());
                RankPolling.until(ranks, () -> ends.get() == 2);
                rank.world().collectives().barrier();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {SHORT, LONG})
    void shouldGoByMessagesAfterAllWhereAMemberHasNoRoomAndTryAgain(int bytes) throws Exception {
        SharedRanks shared = new SharedRanks(2);
        shared.memory(1).isFull = true;
        try (LocalRanks ranks = start(shared, 0)) {
            ranks.run(rank -> {
                Communicator world = rank.world();
                ArrayDeque<Begun> open = new ArrayDeque<>();
                // The first of these calls wait until it is known that rank 1 has no room for a segment; some of them
                // come after the next attempt to share memory.
                for (int i = 0; i < CALLS; i++) {
                    open.add(begin(world, bytes, i));
                }
                for (int i = 0; i < CALLS; i++) {
                    end(world, open.remove(), i);
                }
                world.collectives().barrier();
                shared.memory(1).isFull = false;
                world.collectives().barrier();
                int calls = 0;
                while (callsUntilInMemory(world, bytes) == CALLS) {
                    calls += CALLS;
                    assertThat(calls).isLessThan(10_000);
                }
            });
        }
    }

    @Test
    void shouldGoThroughMemoryAfterASecondSetupThatItsCallsWereAheadOf() throws Exception {
        SharedRanks shared = new SharedRanks(2);
        AtomicInteger tries = new AtomicInteger();
        // Rank 1 has no room for a segment at its first attempt only.
        shared.memory(1).beforeCreate = () -> shared.memory(1).isFull = tries.getAndIncrement() == 0;
        try (LocalRanks ranks = start(shared, 0)) {
            ranks.run(rank -> {
                Communicator world = rank.world();
                ArrayDeque<Begun> open = new ArrayDeque<>();
                // These calls may be begun before the result of the first attempt to share memory is known, some even
                // after the call that begins the second attempt.
                for (int i = 0; i < CALLS; i++) {
                    open.add(begin(world, SHORT, i));
                }
                for (int i = 0; i < CALLS; i++) {
                    end(world, open.remove(), i);
                }
                assertThat(shared.memory(world.rank()).held).hasSize(2);
            });
        }
    }

    @Test
    void shouldOfferASegmentInASetupThatBecomesDueInTheMiddleOfACall() throws Exception {
        // The first attempt to share memory fails, and the call of this number begins the second one.
        int second = 32;
        SharedRanks shared = new SharedRanks(2);
        AtomicInteger tries = new AtomicInteger();
        shared.memory(1).beforeCreate = () -> shared.memory(1).isFull = tries.getAndIncrement() == 0;
        CyclicBarrier meeting = new CyclicBarrier(2);
        try (LocalRanks ranks = start(shared, 0)) {
            ranks.run(rank -> {
                Communicator world = rank.world();
                ArrayDeque<Begun> open = new ArrayDeque<>();
                if (world.rank() == 0) {
                    for (int i = 0; i < second; i++) {
                        open.add(begin(world, SHORT, i));
                    }
                    open.add(begin(world, SHORT, second, () -> {
                        // When this call began, the first attempt to share memory was still under way; it ends now, in
                        // the middle of the call.
                        assertThat(shared.memory(0).held).hasSize(1);
                        meet(meeting);
                        RankPolling.untilUnderLock(ranks, rank.engine(), () -> shared.memory(0)
                                .held
                                .isEmpty());
                    }));
                } else {
                    meet(meeting);
                }
                for (int i = open.size(); i < CALLS; i++) {
                    open.add(begin(world, SHORT, i));
                }
                for (int i = 0; i < CALLS; i++) {
                    end(world, open.remove(), i);
                }
                assertThat(shared.memory(world.rank()).held).hasSize(2);
            });
        }
    }

    private static void meet(CyclicBarrier meeting) {
        try {
            meeting.await(40, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldGiveItsSegmentBackWhereTheCallThatWasToBeginASetupDoesNotBegin() throws Exception {
        SharedRanks shared = new SharedRanks(2);
        try (LocalRanks ranks = start(shared, 0)) {
            ranks.run(rank -> {
                int me = rank.world().rank();
                Communicator made = rank.world().creation().dup();
                shared.memory(me).beforeCreate = made::free;
                assertThatThrownBy(() -> begin(made, SHORT, 1)).isInstanceOf(CallError.class);
                assertThat(shared.memory(me).made).isEqualTo(1);
                assertThat(shared.memory(me).held).isEmpty();
            });
        }
    }

    /** The ranks that a call waits for. */
    private static List<Integer> awaited(LocalRanks ranks, RankRuntime rank, CollectiveCall call) {
        rank.engine().enter();
        try {
            WaitNotes notes = new WaitNotes();
            call.explain(notes);
            Need need = notes.toWait("", 0, "", "").needs().get(0);
            assertThat(need.action()).isEqualTo("iAllReduce");
            return need.peers().stream().map(AwaitedRank::rank).toList();
        } finally {
            rank.engine().leave();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNameTheRanksForWhichCallsArePutOff(boolean hasRoom) throws Exception {
        SharedRanks shared = new SharedRanks(2);
        shared.memory(1).isFull = !hasRoom;
        CyclicBarrier meeting = new CyclicBarrier(2);
        try (LocalRanks ranks = start(shared, 0)) {
            ranks.run(rank -> {
                Communicator world = rank.world();
                Begun first = null;
                if (world.rank() == 0) {
                    // This call is put off until it is known whether rank 1 has a segment.
                    first = begin(world, SHORT, 0);
                    assertThat(awaited(ranks, rank, first.call)).containsExactly(1);
                }
                meeting.await(40, TimeUnit.SECONDS);
                end(world, first == null ? begin(world, SHORT, 0) : first, 0);
                world.collectives().barrier();
                if (world.rank() == 0) {
                    ArrayDeque<Begun> open = new ArrayDeque<>();
                    for (int i = 0; i < 17; i++) {
                        open.add(begin(world, SHORT, i));
                        // Each of these calls is under way in shared memory, goes by messages or is put off. All of
                        // them name rank 1 as the rank that they wait for.
                        assertThat(awaited(ranks, rank, open.getLast().call)).containsExactly(1);
                    }
                    meeting.await(40, TimeUnit.SECONDS);
                    for (int i = 0; i < 17; i++) {
                        end(world, open.remove(), i);
                    }
                } else {
                    meeting.await(40, TimeUnit.SECONDS);
                    for (int i = 0; i < 17; i++) {
                        end(world, begin(world, SHORT, i), i);
                    }
                }
            });
        }
    }

    @Test
    void shouldEndASleepThatOthersAreNotToEndWhenManyShortOperationsAreUnderWay() throws Exception {
        SharedRanks shared = new SharedRanks(2);
        AtomicInteger woken = new AtomicInteger();
        boolean[] isSeen = {false};
        CyclicBarrier meeting = new CyclicBarrier(2, () -> isSeen[0] = woken.get() > 0);
        try (LocalRanks ranks = start(shared, 0)) {
            ranks.run(rank -> {
                Communicator world = rank.world();
                assertThat(callsUntilInMemory(world, SHORT)).isLessThan(CALLS);
                // On a busy machine it may take many rounds until the progress thread really sleeps at this moment.
                for (int round = 0; round < 1_000 && !isSeen[0]; round++) {
                    ArrayDeque<Begun> open = new ArrayDeque<>();
                    if (world.rank() == 0) {
                        // After this pause the progress thread sleeps, unless it happens to be awake for another
                        // reason.
                        LockSupport.parkNanos(20_000_000);
                        for (int i = 0; i < 8; i++) {
                            open.add(begin(world, SHORT, i));
                        }
                        int wakesBefore = shared.memory(0).wakes.get();
                        open.add(begin(world, SHORT, 8));
                        if (shared.memory(0).wakes.get() > wakesBefore) {
                            woken.incrementAndGet();
                        }
                    }
                    meeting.await(40, TimeUnit.SECONDS);
                    for (int i = 0; i < 9; i++) {
                        end(world, world.rank() == 0 ? open.remove() : begin(world, SHORT, i), i);
                    }
                }
            });
        }
        assertThat(woken.get()).isPositive();
    }

    /** Memory of the program that can neither be read nor written: each copy throws. */
    private static final class Faulty implements Payload {
        @Override
        public long lengthBytes() {
            return LONG;
        }

        @Override
        public void copyOut(long offset, ByteBuffer target) {
            throw new InternalError("a fault in the program's memory");
        }

        @Override
        public void copyIn(long offset, ByteBuffer source) {
            throw new InternalError("a fault in the program's memory");
        }
    }

    @Test
    void shouldRevokeWhereARankLeavesAnOperationInTheMiddle() throws Exception {
        SharedRanks shared = new SharedRanks(2);
        CyclicBarrier meeting = new CyclicBarrier(2);
        try (LocalRanks ranks = start(shared, 0)) {
            ranks.run(rank -> {
                int me = rank.world().rank();
                Communicator made = rank.world().creation().dup();
                assertThat(callsUntilInMemory(made, LONG)).isLessThan(CALLS);
                // The ranks meet here, so that the revocation by rank 1's failing call does not reach rank 0 while it
                // is still in the call before.
                meeting.await(40, TimeUnit.SECONDS);
                if (me == 1) {
                    NotedBuffer both = new NotedBuffer(new Faulty());
                    CollectiveCall call = made.started().allReduce("iAllReduce", both, both, Long.BYTES, SUM);
                    assertThatThrownBy(() -> made.await(call))
                            .isInstanceOf(ThrownByProgram.class)
                            .hasMessageContaining("a fault in the program's memory");
                    assertThat(both.isForgotten()).isTrue();
                } else {
                    Begun begun = begin(made, LONG, 1);
                    assertThatThrownBy(() -> made.await(begun.call))
                            .isInstanceOfSatisfying(CallError.class, fault -> assertThat(fault.error())
                                    .isEqualTo(ErrorClass.REVOKED));
                    assertThat(begun.buffer.isForgotten()).isTrue();
                }
                assertThat(made.isRevoked()).isTrue();
                Communicator next = made.recovery().shrink();
                assertThat(shared.memory(me).held).isEmpty();
                assertThat(callsUntilInMemory(next, LONG)).isLessThan(CALLS);
                made.free();
            });
        }
    }
}
