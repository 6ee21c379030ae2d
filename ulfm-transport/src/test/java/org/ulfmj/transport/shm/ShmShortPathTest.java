package org.ulfmj.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.Payload;
import org.ulfmj.transport.ShortPath;
import org.ulfmj.transport.ShortPathContract;

class ShmShortPathTest extends ShortPathContract {
    private static final long BOUND_NS = TimeUnit.SECONDS.toNanos(30);

    private static final int BYTES = 40;
    private static final int LONG_BYTES = 100_000;

    private ShmWorld world;

    @Override
    protected World newWorld(int ranks) {
        world = new ShmWorld(ranks);
        return world;
    }

    /** A sender that waits for room in its lane sleeps, and the receiver has to wake it once it has taken a message. */
    @Test
    void shouldWakeASenderThatWaitsForRoomOnceAMessageWasTaken() throws IOException {
        // Rank 1 sends first, and so opens the mailbox of rank 0, without which it could not ring.
        offerPatiently(1, ZERO, LaneKind.DATA, Frames.numbered(0));
        Payload message = new BufferPayload(ByteBuffer.allocate(ShortPath.MAX_BYTES));
        Frame frame = new Frame().writeMessage(1, 0, 0, 0, message, ShortPath.MAX_BYTES);
        int sent = fillLane(frame);
        // The lane has grown into larger files, and only polls open them.
        pollUntil(() -> received(1).frames.size() == sent, 1);
        fillLane(frame);
        MemberRecord zero = world.record(0);
        Mailbox mailbox = new Mailbox(
                world.files[1].openMailbox(ZERO, zero.process(), zero.nonce()).memory());
        try (DatagramChannel bell = DatagramChannel.open()) {
            bell.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                    .configureBlocking(false);
            mailbox.setBellPort(((InetSocketAddress) bell.getLocalAddress()).getPort());
            mailbox.beginSleep();
            assertThat(fabric(1).shortPath(ZERO).receive(0, 1, 0, 0, message)).isEqualTo(ShortPath.MAX_BYTES);
            assertThat(isRung(bell)).isTrue();
        }
    }

    @Test
    void shouldSendNothingBeforeTheRestOfAFrameThatWaitsForRoom() {
        ShortPath path = fabric(0).shortPath(ONE);
        Payload message = new BufferPayload(ByteBuffer.allocate(BYTES));
        // Without room for a larger file, a frame that is longer than the lane is written in parts.
        world.fill();
        assertThat(fabric(0).offer(ONE, LaneKind.DATA, Frames.numbered(1, new byte[LONG_BYTES])))
                .isTrue();
        fabric(1).poll(received(1));
        assertThat(received(1).frames).isEmpty();
        assertThat(path.send(0, 1, 0, 0, message)).isFalse();

        pollUntil(() -> received(1).frames.size() == 1, 0, 1);
        assertThat(path.send(0, 1, 0, 0, message)).isTrue();
    }

    /** Sends until there is no room; returns how many frames there was room for. */
    private int fillLane(Frame frame) {
        int sent = 0;
        while (fabric(0).offer(ONE, LaneKind.DATA, frame)) {
            sent++;
        }
        return sent;
    }

    private static boolean isRung(DatagramChannel bell) throws IOException {
        long beginNs = System.nanoTime();
        while (System.nanoTime() - beginNs < BOUND_NS) {
            if (bell.receive(ByteBuffer.allocate(1)) != null) {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }
}
