package org.ulfmj.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.protocol.ProcessId;

/**
 * What every medium promises about peers that die at any moment, that are marked failed, or that send bytes that are no
 * frame.
 */
public abstract class DeadPeerContract extends MediumTest {
    /** Into how many steps the medium can divide the writing of a frame; after the last one the frame is sent. */
    protected abstract int stepsToSend(Frame frame);

    /**
     * A world of two ranks. Rank 1 has sent {@code whole} to rank 0, and has died after so many steps of sending
     * {@code torn}.
     */
    protected abstract World worldWhoseOneDied(Frame whole, Frame torn, int steps);

    /**
     * A world of three ranks. Rank 1 has sent {@code whole} to rank 0, and then {@code malformed} in the place of a
     * frame; empty where a medium carries no bytes.
     */
    protected abstract Optional<World> worldWhoseOneSent(Frame whole, byte[] malformed);

    /**
     * Whether rank 0 reports a broken link when rank 1 sends bytes that are no frame. A medium with connections returns
     * false: it opens another connection instead.
     */
    protected boolean isToldOfABreak() {
        return true;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, FrameLayout.HEADER_BYTES - 1, FrameLayout.HEADER_BYTES, FrameLayout.HEADER_BYTES + 100})
    void shouldBreakWithAPeerThatSendsWhatIsNoFrame(int lengthBytes) {
        byte[] malformed = new byte[lengthBytes];
        Arrays.fill(malformed, (byte) 0x5a); // also as a type
        Optional<World> world = worldWhoseOneSent(Frames.numbered(0), malformed);
        assumeTrue(world.isPresent());
        use(world.get(), 3);
        if (isToldOfABreak()) {
            pollUntil(() -> received(0).events.contains("broken 1"), 0);
        }
        offerPatiently(2, ZERO, LaneKind.DATA, Frames.numbered(7));
        pollUntil(() -> received(0).frames.size() == 2, 0, 2);

        assertThat(received(0).sequences()).containsExactly(0, 7);
        assertThat(received(0).events).isEqualTo(isToldOfABreak() ? List.of("broken 1") : List.of());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 40, 333})
    void shouldHandOverNothingOfAFrameThatItsSenderDiedIn(int lengthBytes) {
        byte[] first = Frames.bytes(100, 1);
        byte[] second = Frames.bytes(lengthBytes, 2);
        int steps = stepsToSend(Frames.numbered(1, second));
        for (int step = 0; step <= steps; step++) {
            use(worldWhoseOneDied(Frames.numbered(0, first), Frames.numbered(1, second), step), 2);
            fabric(0).drain(ONE);
            pollUntil(() -> received(0).events.contains("drained 1"), 0);

            assertThat(received(0).sequences())
                    .as("died after step %d of %d", step, steps)
                    .isEqualTo(step < steps ? List.of(0) : List.of(0, 1));
            assertThat(received(0).frames.get(0).payload()).isEqualTo(first);
            if (step == steps) {
                assertThat(received(0).frames.get(1).payload()).isEqualTo(second);
            }
        }
    }

    /** The receiver polls in the middle of the writing of a frame, whose sender then dies. */
    @Test
    void shouldHandOverNothingOfAFrameThatIsBeingWritten() {
        byte[] payload = Frames.bytes(64, 3);
        for (int bytes = 0; bytes <= payload.length; bytes++) {
            start(2);
            offerPatiently(0, ONE, LaneKind.DATA, Frames.numbered(0));
            pollUntil(() -> received(1).frames.size() == 1, 0, 1);
            Frame torn = Frames.numbered(1, payload);
            torn.payload(new DyingPayload(torn.payload(), bytes, () -> poll(1)), 0, payload.length);
            assertThatThrownBy(() -> fabric(0).offer(ONE, LaneKind.DATA, torn))
                    .isInstanceOf(DyingPayload.SenderKilled.class);
            kill(0);
            fabric(1).drain(ZERO);
            pollUntil(() -> received(1).events.contains("drained 0"), 1);

            assertThat(received(1).sequences()).as("died after %d bytes", bytes).containsExactly(0);
        }
    }

    @Test
    void shouldGoOnWithOthersWhenAReceiverDiesInTheMiddleOfAFrame() {
        start(3);
        for (int i = 0; i < 10; i++) {
            offerPatiently(0, ONE, LaneKind.DATA, Frames.numbered(i, Frames.bytes(1_000, i)));
        }
        Received dying = new Received() {
            @Override
            public void onFrame(ProcessId from, LaneKind lane, Frame frame) {
                super.onFrame(from, lane, frame);
                if (frames.size() == 5) {
                    kill(1);
                }
            }
        };
        pollUntil(
                () -> {
                    fabric(1).pollWithSeat(dying);
                    return dying.frames.size() >= 5;
                },
                0);
        for (int i = 0; i < 500; i++) {
            fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(10 + i, Frames.bytes(10_000, i)));
            fabric(0).offer(ONE, LaneKind.CONTROL, Frames.numbered(i));
            poll(0);
        }
        offerPatiently(0, ProcessId.of(2), LaneKind.DATA, Frames.numbered(1));
        pollUntil(() -> !received(2).frames.isEmpty(), 0, 2);

        assertThat(dying.sequences()).as("nothing is handed to the dead").containsExactly(0, 1, 2, 3, 4);
        fabric(0).drain(ONE);
        pollUntil(() -> received(0).events.contains("drained 1"), 0);
        fabric(0).abandon(ONE);
        assertThat(received(0).frames).isEmpty();
        assertThat(fabric(0).connected()).containsExactly(ProcessId.of(2));
    }

    @Test
    void shouldNeverThrowForADeadPeerAndTakeEverythingOnceItIsAbandoned() {
        start(2);
        offerPatiently(0, ONE, LaneKind.DATA, Frames.numbered(0));
        pollUntil(() -> received(1).frames.size() == 1, 0, 1);
        kill(1);
        byte[] payload = Frames.bytes(200_000, 6);
        for (int i = 0; i < 200; i++) {
            fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(i, payload));
            fabric(0).offer(ONE, LaneKind.CONTROL, Frames.numbered(i));
            poll(0);
        }
        assertThat(fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(9, payload)))
                .as("the lane is full")
                .isFalse();
        fabric(0).abandon(ONE);

        for (int i = 0; i < 100; i++) {
            assertThat(fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(i, payload)))
                    .isTrue();
        }
        assertThat(fabric(0).isHandedOver(ONE)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldHandOverAPrefixOfWhatTheKilledHadSentAndThenSaySo(long seed) {
        start(2);
        Random random = new Random(seed);
        List<Integer> sizes = new ArrayList<>();
        int sent = 0;
        int toSend = 1 + random.nextInt(60);
        while (sent < toSend) {
            byte[] payload = Frames.bytes(random.nextInt(50_000), seed + sent);
            if (fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(sent, payload))) {
                sizes.add(payload.length);
                sent++;
            }
            if (random.nextInt(3) == 0) {
                poll(0);
                poll(1);
            }
        }
        kill(0);
        fabric(1).drain(ZERO);
        pollUntil(() -> received(1).events.contains("drained 0"), 1);
        int delivered = received(1).frames.size();
        for (int i = 0; i < delivered; i++) {
            assertThat(received(1).frames.get(i).sequence()).as("seed " + seed).isEqualTo(i);
            byte[] payload = received(1).frames.get(i).payload();
            assertThat(payload)
                    .as("a frame is handed over whole or not at all, seed " + seed)
                    .hasSize(sizes.get(i))
                    .isEqualTo(Frames.bytes(payload.length, seed + i));
        }
        assertThat(delivered).isLessThanOrEqualTo(sent);
        for (int i = 0; i < 50; i++) {
            poll(1);
        }
        assertThat(received(1).frames)
                .as("nothing after the drain, seed " + seed)
                .hasSize(delivered);
        assertThat(received(1).events).as("seed " + seed).containsExactly("drained 0");
    }

    @Test
    void shouldReportADrainOfAPeerThatNeverSent() {
        start(2);
        kill(0);
        fabric(1).drain(ZERO);
        pollUntil(() -> !received(1).events.isEmpty(), 1);

        assertThat(received(1).events).containsExactly("drained 0");
    }

    @Test
    void shouldHandOverNothingOfAnAbandonedPeerAndTellIt() {
        start(2);
        offerPatiently(0, ONE, LaneKind.DATA, Frames.numbered(0));
        pollUntil(() -> received(1).frames.size() == 1, 0, 1);
        for (int i = 1; i < 10; i++) {
            offerPatiently(0, ONE, LaneKind.DATA, Frames.numbered(i));
        }
        fabric(1).abandon(ZERO);
        pollUntil(() -> received(0).events.contains("excluded 1"), 0, 1);

        assertThat(received(1).frames).hasSize(1);
    }

    @Test
    void shouldAbandonTheSenderInTheMiddleOfItsFrames() {
        start(2);
        for (int i = 0; i < 20; i++) {
            offerPatiently(0, ONE, LaneKind.DATA, Frames.numbered(i));
        }
        List<Integer> got = new ArrayList<>();
        Received sink = new Received() {
            @Override
            public void onFrame(ProcessId from, LaneKind lane, Frame frame) {
                got.add(Frames.numberOf(frame));
                if (got.size() == 5) {
                    fabric(1).abandon(ZERO);
                }
            }
        };
        pollUntil(
                () -> {
                    fabric(1).pollWithSeat(sink);
                    return received(0).events.contains("excluded 1");
                },
                0);

        assertThat(got).containsExactly(0, 1, 2, 3, 4);
    }
}
