package org.ulfmj.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ulfmj.runtime.collective.BarrierSchedule;
import org.ulfmj.runtime.collective.BroadcastSchedule;
import org.ulfmj.runtime.error.CallError;
import org.ulfmj.runtime.error.ErrorClass;
import org.ulfmj.runtime.error.WaitGivenUp;
import org.ulfmj.runtime.message.SendMode;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Payload;

/**
 * Tests in which a rank leaves a collective operation or a wait in the middle, by an error that has nothing to do with
 * MPI, and its program goes on. They show that no rank waits for that rank for ever, and that no rank takes its next
 * operation for the one that it left.
 */
@Timeout(120)
class LeftInTheMiddleTest {
    private static final int SIZE = 3;
    private static final int SHORT = 8;
    private static final int LONG = 600_000 / SIZE / Long.BYTES * SIZE * Long.BYTES;
    private static final int LAST_COPY = 4;
    /** Too long to travel whole. */
    private static final int OFFERED = 1 << 20;

    private static final PlainReduction SUM = (in, inout, count) -> {
        for (int i = 0; i < count; i++) {
            int at = inout.position() + i * Long.BYTES;
            inout.putLong(at, inout.getLong(at) + in.getLong(in.position() + i * Long.BYTES));
        }
    };

    /**
     * Memory of the program at which one copy fails, the one after a given number of copies from or to this memory.
     * Later copies succeed again. None fails if the number is negative.
     */
    private static final class Faulty implements Payload {
        private final BufferPayload bytes;
        private int copiesLeft;

        Faulty(int lengthBytes, int copies) {
            bytes = new BufferPayload(ByteBuffer.allocateDirect(lengthBytes).order(ByteOrder.nativeOrder()));
            copiesLeft = copies;
        }

        @Override
        public long lengthBytes() {
            return bytes.lengthBytes();
        }

        @Override
        public void copyOut(long offset, ByteBuffer target) {
            count();
            bytes.copyOut(offset, target);
        }

        @Override
        public void copyIn(long offset, ByteBuffer source) {
            count();
            bytes.copyIn(offset, source);
        }

        private void count() {
            if (copiesLeft-- == 0) {
                throw new InternalError("a fault in the program's memory");
            }
        }
    }

    private interface Call {
        void run(Communicator comm, NotedBuffer send, NotedBuffer receive);
    }

    private record Case(int bytes, Call call) {}

    static Stream<Named<Case>> calls() {
        return Stream.of(
                Named.of("short bcast", new Case(SHORT, (comm, send, receive) -> comm.collectives()
                        .broadcast(send, 1))),
                Named.of("long bcast", new Case(LONG, (comm, send, receive) -> comm.collectives()
                        .broadcast(send, 1))),
                Named.of("short reduce", new Case(SHORT, (comm, send, receive) -> reduce(comm, send, receive))),
                Named.of("long reduce", new Case(LONG, (comm, send, receive) -> reduce(comm, send, receive))),
                Named.of("short allReduce", new Case(SHORT, (comm, send, receive) -> comm.collectives()
                        .allReduce(send, receive, Long.BYTES, SUM))),
                Named.of("long allReduce", new Case(LONG, (comm, send, receive) -> comm.collectives()
                        .allReduce(send, receive, Long.BYTES, SUM))),
                Named.of("allGather", new Case(LONG, (comm, send, receive) -> comm.collectives()
                        .allGather(null, receive))),
                Named.of("allToAll", new Case(LONG, (comm, send, receive) -> comm.collectives()
                        .allToAll(send, receive))));
    }

    private static void reduce(Communicator comm, NotedBuffer send, NotedBuffer receive) {
        comm.collectives().reduce(send, comm.rank() == 1 ? receive : null, Long.BYTES, SUM, 1);
    }

    @ParameterizedTest
    @MethodSource("calls")
    void shouldRevokeWhateverSharedMemoryIsLeftInTheMiddle(Case what) throws Exception {
        for (int copies = 0; copies <= LAST_COPY; copies++) {
            try (LocalRanks ranks = new LocalRanks(SIZE, settings -> settings.withHostCollectivesAfter(0))) {
                int most = copies;
                ranks.run(rank -> {
                    Communicator comm = rank.world().creation().dup();
                    leave(comm, what, comm.rank() == 1 ? most : -1);
                    Communicator next = comm.recovery().shrink();
                    comm.free();
                    assertThat(next.size()).isEqualTo(SIZE);
                    for (int round = 0; round < 5; round++) {
                        requireSum(next, round);
                        requireSum(rank.world(), round);
                    }
                });
            }
        }
    }

    /**
     * Runs one operation again and again, until rank 1 leaves it by a fault of its memory and the others get REVOKED in
     * that call or a later one.
     *
     * @param copies after how many copies the next copy from or to a buffer of this rank fails; negative if none does
     */
    private static void leave(Communicator comm, Case what, int copies) {
        NotedBuffer send = new NotedBuffer(new Faulty(what.bytes, copies));
        NotedBuffer receive = new NotedBuffer(new Faulty(what.bytes, copies));
        if (copies >= 0) {
            assertThatThrownBy(() -> repeat(comm, what, send, receive)).isInstanceOf(InternalError.class);
            assertThat(comm.isRevoked()).isTrue();
        } else {
            requireRevoked(() -> repeat(comm, what, send, receive));
        }
        requireRevoked(() -> barrier(comm));
    }

    private static void repeat(Communicator comm, Case what, NotedBuffer send, NotedBuffer receive) {
        while (true) {
            what.call.run(comm, send, receive);
            assertThat(send.wentByMessages() || receive.wentByMessages()).isFalse();
        }
    }

    private static void barrier(Communicator comm) {
        comm.collectives().barrier();
    }

    private static void requireRevoked(Runnable call) {
        assertThatThrownBy(call::run).isInstanceOfSatisfying(CallError.class, fault -> assertThat(fault.error())
                .isEqualTo(ErrorClass.REVOKED));
    }

    private static void requireSum(Communicator comm, int round) {
        ByteBuffer sum = ByteBuffer.allocateDirect(SHORT).order(ByteOrder.nativeOrder());
        sum.putLong(0, comm.rank() + round);
        NotedBuffer both = new NotedBuffer(new BufferPayload(sum));
        comm.collectives().allReduce(both, both, Long.BYTES, SUM);
        assertThat(both.wentByMessages()).isFalse();
        assertThat(sum.getLong(0)).isEqualTo(SIZE * (SIZE - 1) / 2 + SIZE * round);
    }

    /**
     * Shows that a rank that leaves a wait for messages of a collective revokes the communicator, so that the others do
     * not wait for it.
     */
    @Test
    void shouldRevokeWhenAWaitForMessagesIsLeft() throws Exception {
        new LocalRanks(SIZE).runOnce(rank -> {
            Communicator comm = rank.world().creation().dup();
            if (comm.rank() == 0) {
                rank.giveUp("the test wants so");
                assertThatThrownBy(() -> comm.collectives().run(new BarrierSchedule()))
                        .isInstanceOf(WaitGivenUp.class);
                assertThat(comm.isRevoked()).isTrue();
            } else {
                requireRevoked(() -> {
                    while (true) {
                        comm.collectives()
                                .run(new BarrierSchedule()); // rank 1 may have all that it needs for the first
                    }
                });
            }
            Communicator next = comm.recovery().shrink();
            assertThat(next.size()).isEqualTo(SIZE);
            next.collectives().run(new BarrierSchedule());
        });
    }

    /**
     * Shows that a rank that cannot carry out a collective by messages revokes the communicator, since the others may
     * be far into that operation.
     */
    @RepeatedTest(5)
    void shouldRevokeWhenAnOperationByMessagesCannotBegin() throws Exception {
        new LocalRanks(SIZE).runOnce(rank -> {
            Communicator comm = rank.world().creation().dup();
            ByteBuffer data = ByteBuffer.allocateDirect(SHORT);
            if (comm.rank() == 0) {
                comm.collectives().run(new BroadcastSchedule(data, 0));
                rank.world().sendAndWait(Messages.payload(new byte[1]), 1, 7, SendMode.STANDARD);
            } else if (comm.rank() == 1) {
                // The message of the broadcast has arrived already when this rank begins; it must be copied into a
                // buffer that is read-only.
                rank.world().receiveAndWait(Messages.payload(new byte[1]), 0, 7, new Arrival());
                assertThatThrownBy(() -> comm.collectives().run(new BroadcastSchedule(data.asReadOnlyBuffer(), 0)))
                        .isInstanceOf(ReadOnlyBufferException.class);
                assertThat(comm.isRevoked()).isTrue();
            }
            requireRevoked(() -> {
                if (comm.rank() == 2) {
                    // This rank may learn of the revocation before it has received the bytes, so the broadcast may fail
                    // too.
                    comm.collectives().run(new BroadcastSchedule(data, 0));
                }
                comm.collectives().run(new BarrierSchedule());
            });
            assertThat(comm.recovery().shrink().size()).isEqualTo(SIZE);
        });
    }

    /**
     * Shows that a sender which leaves its wait for an offered message revokes the communicator: otherwise the
     * receiver, which is about to ask for the bytes, would wait for them for ever.
     */
    @RepeatedTest(5)
    void shouldRevokeWhenTheWaitForAnOfferedMessageIsLeft() throws Exception {
        new LocalRanks(2).runOnce(rank -> {
            Communicator comm = rank.world().creation().dup();
            if (comm.rank() == 0) {
                rank.giveUp("the test wants so");
                assertThatThrownBy(() -> comm.sendAndWait(Messages.payload(new byte[OFFERED]), 1, 7, SendMode.STANDARD))
                        .isInstanceOf(WaitGivenUp.class);
                assertThat(comm.isRevoked()).isTrue();
            } else {
                requireRevoked(() -> comm.receiveAndWait(Messages.payload(new byte[OFFERED]), 0, 7, new Arrival()));
            }
            assertThat(comm.recovery().shrink().size()).isEqualTo(2);
        });
    }

    /**
     * Shows that a receive whose wait is left is cancelled: the message goes to the next receive, and the first buffer
     * stays as it was.
     */
    @Test
    void shouldWithdrawAReceiveWhoseWaitIsLeft() throws Exception {
        new LocalRanks(2).runOnce(rank -> {
            Communicator world = rank.world();
            if (world.rank() == 0) {
                byte[] left = new byte[1];
                byte[] received = new byte[1];
                rank.giveUp("the test wants so");
                assertThatThrownBy(() -> world.receiveAndWait(Messages.payload(left), 1, 7, new Arrival()))
                        .isInstanceOf(WaitGivenUp.class);
                world.collectives().run(new BarrierSchedule());
                world.receiveAndWait(Messages.payload(received), 1, 7, new Arrival());
                assertThat(received).containsExactly(5);
                assertThat(left).containsExactly(0);
            } else {
                world.collectives().run(new BarrierSchedule());
                world.sendAndWait(Messages.payload(new byte[] {5}), 0, 7, SendMode.STANDARD);
            }
        });
    }
}
