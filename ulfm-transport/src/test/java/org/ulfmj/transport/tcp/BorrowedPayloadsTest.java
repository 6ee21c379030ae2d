package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.session.LinkSession;

/** Payloads that are sent from the program's memory, for as long as the queue borrows it. */
class BorrowedPayloadsTest {
    private final QueueOfALink link = new QueueOfALink();
    private final SendQueue queue = link.queue;
    private final LinkSession<Integer> session = link.session;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void shouldReadPayloadsWhereTheyLieOnlyUntilTheyAreAcknowledgedOrTakenBack(long seed) {
        Random random = new Random(seed);
        queue.onWithinHost();
        link.connect(0);
        int offered = 0;
        int borrowed = 0;
        long next = 1;
        long delivered = 0;
        for (int step = 0; step < 600; step++) {
            switch (random.nextInt(6)) {
                case 0 -> {
                    if (link.offer(LaneKind.DATA, offered, random.nextInt(40_000))) {
                        offered++;
                    }
                }
                case 1 -> {
                    if (link.offerFromMemory(offered, 65_536 + 8 * random.nextInt(8_000))) {
                        offered++;
                        borrowed += queue.borrows() ? 1 : 0;
                    }
                }
                case 2, 3 -> {
                    if (queue.canWrite(session)) {
                        next = link.writeRun(link.nextRunInPieces(random), next);
                    }
                }
                case 4 -> {
                    delivered += random.nextInt((int) (next - delivered));
                    link.acknowledge(delivered);
                }
                default -> {
                    switch (random.nextInt(10)) {
                        case 0 -> link.takeBack();
                        case 1 -> {
                            if (queue.canWrite(session)) {
                                queue.nextRun(session); // and the connection ends
                            }
                            delivered += random.nextInt((int) (next - delivered));
                            link.connect(delivered);
                            next = delivered + 1;
                        }
                        default -> {}
                    }
                }
            }
            if (!queue.borrows()) {
                link.useAgain();
            }
        }
        link.acknowledge(next - 1);
        while (queue.canWrite(session)) {
            next = link.writeRun(link.nextRunInPieces(random), next);
            link.acknowledge(next - 1);
        }
        assertThat(queue.borrows()).isFalse();
        assertThat(link.written).as("seed " + seed).hasSize(offered);
        assertThat(borrowed).as("seed " + seed).isGreaterThan(10);
    }

    @Test
    void shouldNotReadTheProgramsMemoryOnceItIsDiscardedInTheMiddleOfARun() {
        queue.onWithinHost();
        link.connect(0);
        link.offerFromMemory(7, 131_072);
        link.offerFromMemory(8, 131_072);
        ByteBuffer run = queue.nextRun(session);
        byte[] firstHalf = new byte[65_536];
        queue.runBody().get(firstHalf);

        queue.discard();

        assertThat(queue.borrows()).isFalse();
        link.useAgain();
        byte[] secondHalf = new byte[65_536];
        queue.runBody().get(secondHalf);
        ByteBuffer both = ByteBuffer.allocate(131_072).put(firstHalf).put(secondHalf);
        assertThat(both.array()).isEqualTo(Frames.bytes(131_072, 7));
        assertThat(run.remaining()).isPositive();
        queue.endRun();
        assertThat(queue.runBody()).isNull();
    }

    @Test
    void shouldCopyWhatLeavesTheHostOrDoesNotEndEven() {
        link.connect(0);
        link.offerFromMemory(0, 131_072);
        assertThat(queue.borrows()).as("to another host").isFalse();
        queue.onWithinHost();
        link.offerFromMemory(1, 131_071);
        assertThat(queue.borrows()).isFalse();
        link.offerFromMemory(2, 131_072);
        assertThat(queue.borrows()).isTrue();
    }
}
