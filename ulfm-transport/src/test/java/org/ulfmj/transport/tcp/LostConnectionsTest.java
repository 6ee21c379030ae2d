package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.Polling;
import org.ulfmj.transport.Received;

/**
 * Connections are lost between two ranks that live. If links are resumed, every frame arrives, once and in order, and
 * no event is reported.
 */
@Timeout(120)
class LostConnectionsTest extends TcpPair {
    private static final int PIECE_BYTES = 128 * 1024;

    /** Resets strike at random points, also while bytes are unread, frames are half-written, or dials cross. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldLoseAndRepeatNothingHoweverOftenConnectionsAreReset(long seed) {
        Random random = new Random(seed);
        List<List<byte[]>> sent = List.of(new ArrayList<>(), new ArrayList<>());
        int frames = 400;
        while (sent.get(0).size() + sent.get(1).size() < frames) {
            int from = random.nextInt(2);
            byte[] payload = Frames.bytes(random.nextInt(random.nextInt(10) == 0 ? 200_000 : 500), random.nextLong());
            Frame frame = Frames.numbered(sent.get(from).size(), payload);
            if (world.fabric(from).offer(ProcessId.of(1 - from), LaneKind.DATA, frame)) {
                sent.get(from).add(payload);
            }
            if (random.nextInt(2) == 0) {
                int slot = random.nextInt(2);
                world.fabric(slot).pollWithSeat(received[slot]);
            }
            if (random.nextInt(10) == 0) {
                world.fabric(random.nextInt(2)).resetConnections();
            }
        }
        pollUntil(() -> received[0].frames.size() == sent.get(1).size()
                && received[1].frames.size() == sent.get(0).size());
        for (int slot = 0; slot < 2; slot++) {
            assertThat(received[slot].events).as("seed " + seed).isEmpty();
            for (int i = 0; i < received[slot].frames.size(); i++) {
                Received.Item item = received[slot].frames.get(i);
                assertThat(item.sequence()).as("seed " + seed).isEqualTo(i);
                assertThat(item.payload())
                        .as("seed " + seed + ", frame " + i)
                        .isEqualTo(sent.get(1 - slot).get(i));
            }
        }
        pollUntil(() -> world.fabric(0).isHandedOver(ONE) && world.fabric(1).isHandedOver(ZERO));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8})
    void shouldWriteBorrowedPayloadsAgainFromWhereTheyLie(int pollsBetween) {
        world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(0));
        pollUntil(() -> received[1].frames.size() == 1);
        int pieces = 40;
        ByteBuffer memory = ByteBuffer.allocateDirect(pieces * PIECE_BYTES);
        memory.put(Frames.bytes(memory.capacity(), 3)).clear();
        int offered = 0;
        boolean hasBorrowed = false;
        for (int turn = 1; received[1].frames.size() < 1 + pieces; turn++) {
            while (offered < pieces && world.fabric(0).offer(ONE, LaneKind.DATA, piece(memory, offered, pieces))) {
                offered++;
            }
            hasBorrowed |= world.fabric(0).borrowsFor(ONE);
            poll();
            if (turn % pollsBetween == 0 && turn < 20 * pollsBetween) {
                world.fabric(turn % 2).resetConnections();
            }
        }
        assertThat(hasBorrowed).isTrue();
        pollUntil(() -> !world.fabric(0).borrowsFor(ONE));
        for (int i = 0; i < pieces; i++) {
            byte[] expected = new byte[PIECE_BYTES];
            memory.get(i * PIECE_BYTES, expected);
            assertThat(received[1].frames.get(1 + i).payload()).as("piece " + i).isEqualTo(expected);
        }
        assertThat(received[0].events).isEmpty();
        assertThat(received[1].events).isEmpty();
    }

    private static Frame piece(ByteBuffer memory, int number, int pieces) {
        Frame frame = Frames.numbered(1 + number);
        frame.setBorrowable(true);
        if (number == pieces - 1) {
            frame.askForAcknowledgement();
        }
        return frame.payload(new BufferPayload(memory), (long) number * PIECE_BYTES, PIECE_BYTES);
    }

    @Test
    void shouldHaveAnIdleLinkAgainWithoutAFrameToSend() {
        shouldStillWork();
        pollUntil(() -> world.fabric(0).isHandedOver(ONE));
        world.fabric(1).resetConnections();
        pollUntil(() -> !TcpWorld.isConnected(world.fabric(0), ONE));
        pollUntil(() -> TcpWorld.isConnected(world.fabric(0), ONE) && TcpWorld.isConnected(world.fabric(1), ZERO));
        shouldStillWork();
    }

    /**
     * A rank that waits for a peer polls without the seat, because another thread sleeps in the selector: it still
     * accepts the new connection.
     */
    @Test
    void shouldAcceptANewConnectionWithoutTheSeat() {
        shouldStillWork();
        world.fabric(0).resetConnections();
        Polling.until(() -> received[1].frames.size() == 2, () -> {
            if (received[1].frames.size() == 1 && world.fabric(0).isHandedOver(ONE)) {
                world.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(1));
            }
            world.fabric(0).pollWithSeat(received[0]);
            world.fabric(1).attend(ZERO);
            world.fabric(1).poll(received[1]);
        });
        assertThat(received[1].events).isEmpty();
    }

    /**
     * The path swallows everything for longer than the retransmission timer, and for less than the budget of the link.
     */
    @Test
    void shouldSurviveAPathThatSwallowsEverythingForAWhile() {
        Timing timing = Timing.fromTimeout(TimeUnit.SECONDS.toNanos(4));
        try (TcpWorld deaf = new TcpWorld(2, timing, clock)) {
            Received[] got = {new Received(), new Received()};
            Runnable turn = () -> {
                for (int slot = 0; slot < 2; slot++) {
                    deaf.fabric(slot).pollWithSeat(got[slot]);
                }
            };
            deaf.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(0));
            Polling.until(() -> got[1].frames.size() == 1, turn);
            for (int slot = 0; slot < 2; slot++) {
                deaf.fabric(slot)
                        .injectFaults(
                                new LinkFaults(slot, List.of(LinkFault.hole(0, TimeUnit.MILLISECONDS.toNanos(900)))));
                deaf.fabric(slot).beginFaults();
            }
            turn.run();
            long startNs = System.nanoTime();
            for (int i = 1; i <= 50; i++) {
                deaf.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(i, Frames.bytes(10_000, i)));
                deaf.fabric(1).offer(ZERO, LaneKind.CONTROL, Frames.numbered(i));
            }
            Polling.until(() -> got[1].frames.size() == 51 && got[0].frames.size() == 50, turn);

            assertThat(System.nanoTime() - startNs).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(700));
            assertThat(got[0].events).isEmpty();
            assertThat(got[1].events).isEmpty();
            assertThat(got[1].frames.get(50).payload()).isEqualTo(Frames.bytes(10_000, 50));
        }
    }

    @Test
    void shouldReportALossAtOnceWithoutResumption() {
        try (TcpWorld single = new TcpWorld(2, TIMING, clock)) {
            Received[] got = {new Received(), new Received()};
            Runnable turn = () -> {
                for (int slot = 0; slot < 2; slot++) {
                    single.fabric(slot).pollWithSeat(got[slot]);
                }
            };
            for (int slot = 0; slot < 2; slot++) {
                single.fabric(slot).resumeLinks(false);
                single.fabric(slot).connect(single.table);
            }
            single.fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(0));
            Polling.until(() -> got[1].frames.size() == 1, turn);
            single.fabric(0).resetConnections();
            Polling.until(() -> !got[0].events.isEmpty() && !got[1].events.isEmpty(), turn);

            assertThat(got[0].events).containsExactly("broken 1");
            assertThat(got[1].events).containsExactly("broken 0");
        }
    }
}
