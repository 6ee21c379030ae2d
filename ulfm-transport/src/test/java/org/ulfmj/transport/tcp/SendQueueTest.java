package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.session.LinkSession;

/** In which order and with which sequence numbers frames are written, on one connection after another. */
class SendQueueTest {
    private final QueueOfALink link = new QueueOfALink();
    private final SendQueue queue = link.queue;
    private final LinkSession<Integer> session = link.session;

    @Test
    void shouldLetControlOvertakeWhatIsNotWritten() {
        link.connect(0);
        link.offer(LaneKind.DATA, 0, 60_000);
        link.offer(LaneKind.DATA, 1, 60_000);
        link.offer(LaneKind.DATA, 2, 60_000);
        long next = link.writeRun(1);
        link.offer(LaneKind.CONTROL, 0, 10);
        while (queue.canWrite(session)) {
            next = link.writeRun(next);
        }
        assertThat(link.written).containsExactly("DATA 0", "DATA 1", "CONTROL 0", "DATA 2");
    }

    @Test
    void shouldKnowOfAHeartbeatUntilItIsWritten() {
        assertThat(queue.hasHeartbeatToWrite()).isFalse();
        link.offer(LaneKind.CONTROL, 0, 10);
        assertThat(queue.hasHeartbeatToWrite()).as("another control frame").isFalse();
        link.offerHeartbeat(1);
        link.offer(LaneKind.CONTROL, 2, 10);
        assertThat(queue.hasHeartbeatToWrite()).isTrue();
        link.connect(0);
        link.writeRun(1);
        assertThat(queue.hasHeartbeatToWrite()).isFalse();
        queue.rewind();
        assertThat(queue.hasHeartbeatToWrite())
                .as("it comes again, on a new connection")
                .isTrue();
    }

    @Test
    void shouldHoldDataBackWhileMuchIsOnItsWayButNotControl() {
        link.connect(0);
        int taken = 0;
        while (link.offer(LaneKind.DATA, taken, 100_000)) {
            taken++;
        }
        long next = 1;
        while (queue.canWrite(session)) {
            next = link.writeRun(next);
        }
        assertThat(next - 1).isLessThan(taken);
        link.offer(LaneKind.CONTROL, 0, 100);
        assertThat(queue.canWrite(session)).isTrue();
        next = link.writeRun(next);
        assertThat(link.written).last().isEqualTo("CONTROL 0");

        link.acknowledge(next - 1);
        assertThat(queue.canWrite(session)).isTrue();
        assertThat(link.offer(LaneKind.DATA, taken, 100_000)).as("room again").isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void shouldWriteTheSameFramesUnderTheSameNumbersOnEachNewConnection(long seed) {
        Random random = new Random(seed);
        link.connect(0);
        int[] offered = new int[2];
        long next = 1;
        long delivered = 0;
        for (int step = 0; step < 3_000; step++) {
            switch (random.nextInt(6)) {
                case 0, 1 -> {
                    LaneKind lane = LaneKind.values()[random.nextInt(2)];
                    int size = random.nextInt(20) == 0 ? random.nextInt(200_000) : random.nextInt(400);
                    if (link.offer(lane, offered[lane.ordinal()], size)) {
                        offered[lane.ordinal()]++;
                    }
                }
                case 2, 3 -> {
                    if (queue.canWrite(session)) {
                        next = link.writeRun(next);
                    }
                }
                case 4 -> {
                    delivered += random.nextInt((int) (next - delivered));
                    link.acknowledge(delivered);
                }
                default -> {
                    if (random.nextInt(10) == 0) {
                        delivered += random.nextInt((int) (next - delivered));
                        link.connect(delivered);
                        next = delivered + 1;
                    }
                }
            }
        }
        while (link.written.size() < offered[0] + offered[1]) {
            if (queue.canWrite(session)) {
                next = link.writeRun(next);
            }
            delivered = next - 1;
            link.acknowledge(delivered);
        }
        for (LaneKind lane : LaneKind.values()) {
            int expected = 0;
            for (String text : link.written) {
                if (text.startsWith(lane.name())) {
                    assertThat(text).as("seed " + seed).isEqualTo(lane + " " + expected++);
                }
            }
            assertThat(expected).as("seed " + seed).isEqualTo(offered[lane.ordinal()]);
        }
    }
}
