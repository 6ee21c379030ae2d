package org.ulfmj.runtime.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.runtime.lent.LentBuffer;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Segment;

/**
 * Tests exchanges between two ranks, each in its thread or both in one; in one thread, what the second rank does
 * happens at a moment that the test chooses, inside a wait of the first rank.
 */
class LentPartsTest {
    private static final int PART = LentParts.LEAST_BYTES;
    private static final int SEGMENT_BYTES = 256 * 1024;

    /**
     * The memory that both ranks lend, as one of the ranks sees it; an entry is null where that rank cannot read it.
     * Also counts how often each rank has taken its memory back.
     */
    private static final class Lending extends NoSegments {
        private final int rank;
        private final ByteBuffer[] lent;
        private final long[] takenBackBy;

        Lending(int rank, ByteBuffer[] lent, long[] takenBackBy) {
            this.rank = rank;
            this.lent = lent;
            this.takenBackBy = takenBackBy;
        }

        @Override
        public ByteBuffer borrow(ProcessId maker, long id) {
            ByteBuffer there = lent[maker.slot()];
            return there == null ? null : there.duplicate();
        }

        @Override
        public void takeBack(long number) {
            takenBackBy[rank]++;
        }

        @Override
        public long takenBack(ProcessId maker, long number) {
            return takenBackBy[maker.slot()];
        }
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    private static final class Left extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private final ByteBuffer[] lent = {direct(2 * PART), direct(2 * PART)};
    private final long[] takenBackBy = new long[2];
    private final Segment[] segments = {segment(0), segment(1)};
    private final HostGroup first = group(0);
    private final HostGroup second = group(1);
    private final ByteBuffer firstGot = direct(2 * PART);
    private final ByteBuffer secondGot = direct(2 * PART);
    /** Whether one of the two threads that exchange has failed, so that the other must not wait for it. */
    private volatile boolean hasFailed;

    private static Segment segment(int rank) {
        return new Segment(ProcessId.of(rank), rank + 1L, direct(SEGMENT_BYTES));
    }

    private HostGroup group(int rank) {
        return new HostGroup(
                new Lending(rank, lent, takenBackBy),
                new ProcessId[] {ProcessId.of(0), ProcessId.of(1)},
                rank,
                segments.clone());
    }

    /**
     * Makes the waits of a rank. The other rank's part runs in the first wait. A wait that this does not end throws an
     * exception.
     */
    private static HostWaiting waiting(HostGroup group, Runnable inFirstWait) {
        return new UnlockedWaiting() {
            private boolean isLater;

            @Override
            public void await(boolean isHurried) {
                if (!isLater) {
                    isLater = true;
                    inFirstWait.run();
                }
                if (!group.isThere()) {
                    throw new Left();
                }
            }
        };
    }

    private void fill() {
        for (int rank = 0; rank < 2; rank++) {
            for (int at = 0; at < 2 * PART; at++) {
                lent[rank].put(at, (byte) (1 + 2 * rank + at / PART));
            }
        }
    }

    private LentBuffer buffer(int rank, long lentId) {
        return lentId == 0 ? null : new LentBuffer(lent[rank], lentId, 0);
    }

    private void exchange(HostGroup group, int rank, ByteBuffer got, long lentId) {
        new HostGather(group, new Lending(rank, lent, takenBackBy))
                .allToAll(new BufferPayload(lent[rank].duplicate()), new BufferPayload(got), buffer(rank, lentId));
    }

    @Test
    void shouldNotTrustWhatItReadsWhenItsOwnerHasLeftWithAnErrorMeanwhile() {
        fill();
        second.use(waiting(second, () -> {}));
        first.use(waiting(first, () -> {
            // The second rank has read, has told so, and fails as it waits until the first rank has read. Then its
            // program writes to the memory that it had lent.
            assertThatThrownBy(() -> exchange(second, 1, secondGot, 2)).isInstanceOf(Left.class);
            for (int at = 0; at < 2 * PART; at++) {
                lent[1].put(at, (byte) 99);
            }
        }));

        assertThatThrownBy(() -> exchange(first, 0, firstGot, 1)).isInstanceOf(Left.class);

        // The first rank did not trust what it had copied: it began the exchange through segments, where its wait
        // failed because the second rank had left.
        assertThat(first.operations()).isEqualTo(3);
        assertThat(second.operations()).isEqualTo(2);
    }

    /** Makes the waits of a rank that has its own thread: each ends once the other rank is there, or throws. */
    private HostWaiting spinning(HostGroup group) {
        return new UnlockedWaiting() {
            @Override
            public void await(boolean isHurried) {
                while (!group.isThere()) {
                    assertThat(hasFailed).as("a rank has failed").isFalse();
                    Thread.yield();
                }
            }
        };
    }

    /**
     * Shows how often ranks try lent memory that one of them can never read. Each exchange takes two operations through
     * the segments, and a failed attempt in lent memory adds two more, so the number of operations shows the number of
     * attempts.
     */
    @Test
    void shouldTryLessAndLessOftenWhatARankCanNeverRead() throws Exception {
        fill();
        first.use(spinning(first));
        second.use(spinning(second));
        int rounds = 200;
        ByteBuffer[] withoutFirst = {null, lent[1]};

        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> repeat(second, 1, withoutFirst, rounds));
        repeat(first, 0, lent, rounds);
        other.get(60, TimeUnit.SECONDS);

        long tries = (first.operations() - 2 * rounds) / 2;
        assertThat(tries).isEqualTo(5);
        assertThat(second.operations()).isEqualTo(first.operations());
    }

    /**
     * Repeats exchanges at one rank; if this thread fails, it notes that, so that the other thread does not wait for
     * it.
     */
    private void repeat(HostGroup group, int rank, ByteBuffer[] readable, int rounds) {
        try {
            exchange(group, rank, readable, rounds);
        } catch (RuntimeException | Error failure) {
            hasFailed = true;
            throw failure;
        }
    }

    private void exchange(HostGroup group, int rank, ByteBuffer[] readable, int rounds) {
        HostGather gather = new HostGather(group, new Lending(rank, readable, takenBackBy));
        ByteBuffer got = direct(2 * PART);
        for (int round = 0; round < rounds; round++) {
            long lentId = gather.mayBeLent(2L * PART) ? rank + 1 : 0;
            gather.allToAll(
                    new BufferPayload(lent[rank].duplicate()), new BufferPayload(got.clear()), buffer(rank, lentId));
            for (int from = 0; from < 2; from++) {
                assertThat(got.get(from * PART)).isEqualTo((byte) (1 + 2 * from + rank));
                assertThat(got.get((from + 1) * PART - 1)).isEqualTo((byte) (1 + 2 * from + rank));
            }
        }
    }
}
