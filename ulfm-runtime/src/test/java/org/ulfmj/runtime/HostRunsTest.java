package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.error.ThrownByProgram;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Payload;

/** Which non-blocking collectives go through shared memory, how they fail there, and that all of it is given back. */
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
        ByteBuffer data = ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
        for (int at = 0; at < bytes; at += Long.BYTES) {
            data.putLong(at, value + on.rank());
        }
        NotedBuffer both = new NotedBuffer(new BufferPayload(data)) {
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

    /** Makes calls until one goes through shared memory. Returns how many went by messages, or may have done so. */
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
                Communicator made = rank.world().dup();
                assertThat(callsUntilInMemory(made, bytes)).isBetween(6, CALLS - 1);
                assertThat(shared.memory(me).held).hasSize(2);
                made.free();
                Waiting.untilUnderLock(
                        ranks, rank.engine(), () -> shared.memory(me).held.isEmpty());
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
                // All of these are put off until it is known that rank 1 has no room, some beyond the next attempt.
                for (int i = 0; i < CALLS; i++) {
                    open.add(begin(world, bytes, i));
                }
                for (int i = 0; i < CALLS; i++) {
                    end(world, open.remove(), i);
                }
                world.barrier();
                shared.memory(1).isFull = false;
                world.barrier();
                int calls = 0;
                while (callsUntilInMemory(world, bytes) == CALLS) {
                    calls += CALLS;
                    assertThat(calls).isLessThan(10_000);
                }
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {SHORT, LONG})
    void shouldTellAProgramThatItsRanksAreInDifferentCalls(int bytes) throws Exception {
        SharedRanks shared = new SharedRanks(2);
        try (LocalRanks ranks = start(shared, 0)) {
            ranks.run(rank -> {
                Communicator world = rank.world();
                assertThat(callsUntilInMemory(world, bytes)).isLessThan(CALLS);
                Begun wrong = begin(world, bytes + (world.rank() == 0 ? 0 : Long.BYTES), 1);
                for (int i = 0; i < 2; i++) {
                    Begun next = i == 0 ? wrong : begin(world, bytes, 1);
                    assertThatThrownBy(() -> world.await(next.call))
                            .isInstanceOfSatisfying(CallError.class, fault -> assertThat(fault.error())
                                    .isEqualTo(ErrorClass.TRUNCATE))
                            .hasMessageContaining("rank " + (1 - world.rank()) + " is in allReduce of")
                            .hasMessageContaining("this rank in allReduce of");
                }
                rank.world().barrier();
            });
        }
    }

    /** Memory of the program that cannot be read any more. */
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
                Communicator made = rank.world().dup();
                assertThat(callsUntilInMemory(made, LONG)).isLessThan(CALLS);
                // What rank 1 does next is not to reach rank 0 in the call before.
                meeting.await(10, TimeUnit.SECONDS);
                if (me == 1) {
                    NotedBuffer both = new NotedBuffer(new Faulty());
                    CollectiveCall call = made.started().allReduce("iAllReduce", both, both, Long.BYTES, SUM);
                    assertThatThrownBy(() -> made.await(call))
                            .isInstanceOf(ThrownByProgram.class)
                            .hasMessageContaining("a fault in the program's memory");
                } else {
                    Begun begun = begin(made, LONG, 1);
                    assertThatThrownBy(() -> made.await(begun.call))
                            .isInstanceOfSatisfying(CallError.class, fault -> assertThat(fault.error())
                                    .isEqualTo(ErrorClass.REVOKED));
                }
                assertThat(made.isRevoked()).isTrue();
                Communicator next = made.shrink();
                assertThat(shared.memory(me).held).isEmpty();
                assertThat(callsUntilInMemory(next, LONG)).isLessThan(CALLS);
                made.free();
            });
        }
    }
}
