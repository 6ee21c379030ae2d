package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.Polling;

/** Frames that may linger are written together with the next ones, and at the latest by the next poll. */
@Timeout(120)
class LingeringFramesTest extends TcpPair {
    private static final int LOOKS = 200;

    @BeforeEach
    void connect() {
        world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(0));
        pollUntil(() -> received[1].frames.size() == 1);
    }

    private void offer(int number, int payloadBytes, boolean mayLinger) {
        Frame frame = Frames.numbered(number, Frames.bytes(payloadBytes, number));
        frame.setMayLinger(mayLinger);
        assertThat(world.fabric(0).offer(ONE, LaneKind.DATA, frame)).isTrue();
    }

    /** Requires that no frame behind the first arrives in 200 polls of the receiver, while the sender does not poll. */
    private void requireNoneHere() {
        for (int look = 0; look < LOOKS; look++) {
            world.fabric(1).pollWithSeat(received[1]);
        }
        assertThat(received[1].frames).hasSize(1);
    }

    private void awaitAtTheReceiver(int frames) {
        Polling.until(
                () -> received[1].frames.size() >= frames, () -> world.fabric(1).pollWithSeat(received[1]));
    }

    @Test
    void shouldBeWrittenByTheNextPoll() {
        for (int i = 1; i <= 10; i++) {
            offer(i, 8, true);
        }
        requireNoneHere();
        assertThat(world.fabric(0).hasDirectWork()).isTrue();
        world.fabric(0).poll(received[0]);
        awaitAtTheReceiver(11);
        for (int i = 0; i <= 10; i++) {
            assertThat(received[1].frames.get(i).sequence()).isEqualTo(i);
        }
        assertThat(world.fabric(0).hasDirectWork()).isFalse();
    }

    @Test
    void shouldBeWrittenWithTheNextThatMayNotWait() {
        offer(1, 8, true);
        requireNoneHere();
        offer(2, 8, false);
        awaitAtTheReceiver(3);
    }

    @Test
    void shouldBeWrittenOnceThereAreMany() {
        for (int i = 1; i <= 16; i++) {
            offer(i, 1024, true);
        }
        awaitAtTheReceiver(2);
    }

    @Test
    void shouldEndTheNextSleepSoon() {
        offer(1, 8, true);
        assertThat(world.fabric(0).nextDeadlineNs() - clock.getAsLong()).isLessThanOrEqualTo(1_000_000);
        pollUntil(() -> received[1].frames.size() == 2);
    }
}
