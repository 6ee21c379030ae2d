package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.BufferPayload;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.session.LinkActions;
import org.ulfmj.transport.session.LinkHello;
import org.ulfmj.transport.session.LinkIdentity;
import org.ulfmj.transport.session.LinkOk;
import org.ulfmj.transport.session.LinkRefusal;
import org.ulfmj.transport.session.LinkSession;

/** The queue against a session whose connections are integers, and the decoder at the other end. */
class SendQueueTest {
    private static final LinkIdentity LOW = TcpWorld.identity(0);
    private static final LinkIdentity HIGH = TcpWorld.identity(1);

    private final SendQueue queue = new SendQueue();
    private final LinkSession<Integer> session =
            new LinkSession<>(HIGH, LOW, Timing.fromTimeout(5_000_000_000L), new Actions());
    private final Frame frame = new Frame();
    private int connections;

    /** What was on the wire, as {@code lane sequence-of-lane}, by session sequence; and what came out last. */
    private final List<String> written = new ArrayList<>();

    private void connect(long lastDelivered) {
        connections++;
        session.onHello(connections, new LinkHello(LOW, HIGH, connections, lastDelivered), 0);
    }

    private boolean offer(LaneKind lane, int number, int payloadBytes) {
        boolean isTaken = queue.append(lane, Frames.numbered(number, Frames.bytes(payloadBytes, number)));
        if (isTaken) {
            session.onOffered(0);
        }
        return isTaken;
    }

    /** Memory of payloads that the queue was allowed to send from. */
    private final List<ByteBuffer> lent = new ArrayList<>();

    private boolean offerFromMemory(int number, int payloadBytes) {
        ByteBuffer memory = ByteBuffer.allocateDirect(payloadBytes + 24);
        memory.position(16).put(Frames.bytes(payloadBytes, number)).clear();
        Frame large = Frames.numbered(number);
        large.isBorrowable = true;
        large.payload(new BufferPayload(memory.position(8)), 8, payloadBytes);
        lent.add(memory.clear());
        boolean isTaken = queue.append(LaneKind.DATA, large);
        if (isTaken) {
            session.onOffered(0);
        }
        return isTaken;
    }

    private void useAgain() {
        for (ByteBuffer memory : lent) {
            while (memory.hasRemaining()) {
                memory.put((byte) -1);
            }
        }
        lent.clear();
    }

    private void takeBack() {
        queue.giveBack();
        assertThat(queue.borrows()).isFalse();
        useAgain();
    }

    /** One run, as it reaches the channel in two pieces; between them the program may want its memory back. */
    private ByteBuffer nextRunInPieces(Random random) {
        ByteBuffer head = queue.nextRun(session);
        ByteBuffer body = queue.runBody();
        ByteBuffer run = ByteBuffer.allocate(head.remaining() + (body == null ? 0 : body.remaining()));
        run.put(head);
        if (body != null) {
            for (int left = random.nextInt(body.remaining() + 1); left > 0; left--) {
                run.put(body.get());
            }
            if (random.nextInt(3) == 0) {
                takeBack();
            }
            run.put(queue.runBody());
        }
        return run.flip();
    }

    /** Writes one run and decodes it: sequences of the session must go on from {@code expected}. */
    private long writeRun(long expected) {
        return writeRun(queue.nextRun(session), expected);
    }

    private long writeRun(ByteBuffer run, long expected) {
        FrameDecoder decoder = new FrameDecoder();
        ReadableByteChannel channel = channelOf(run);
        long next = expected;
        try {
            while (decoder.read(channel) > 0) {
                while (decoder.next()) {
                    assertThat(decoder.sequence()).isEqualTo(next);
                    decoder.frame(frame);
                    byte[] payload = new byte[frame.payloadBytes];
                    frame.received.get(payload);
                    assertThat(payload).isEqualTo(Frames.bytes(payload.length, frame.sequence));
                    String text = decoder.lane() + " " + frame.sequence;
                    if (next <= written.size()) {
                        assertThat(text).as("a frame keeps its number").isEqualTo(written.get((int) next - 1));
                    } else {
                        written.add(text);
                    }
                    next++;
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        queue.endRun();
        return next;
    }

    private static ReadableByteChannel channelOf(ByteBuffer bytes) {
        return new ReadableByteChannel() {
            @Override
            public int read(ByteBuffer target) {
                if (!bytes.hasRemaining()) {
                    return -1;
                }
                int count = Math.min(target.remaining(), bytes.remaining());
                target.put(bytes.slice(bytes.position(), count));
                bytes.position(bytes.position() + count);
                return count;
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() {}
        };
    }

    @Test
    void shouldLetControlOvertakeWhatIsNotWritten() {
        connect(0);
        offer(LaneKind.DATA, 0, 60_000);
        offer(LaneKind.DATA, 1, 60_000);
        offer(LaneKind.DATA, 2, 60_000);
        long next = writeRun(1);
        offer(LaneKind.CONTROL, 0, 10);
        while (queue.canWrite(session)) {
            next = writeRun(next);
        }
        assertThat(written).containsExactly("DATA 0", "DATA 1", "CONTROL 0", "DATA 2");
    }

    @Test
    void shouldHoldDataBackWhileMuchIsOnItsWayButNotControl() {
        connect(0);
        int taken = 0;
        while (offer(LaneKind.DATA, taken, 100_000)) {
            taken++;
        }
        long next = 1;
        while (queue.canWrite(session)) {
            next = writeRun(next);
        }
        assertThat(next - 1).isLessThan(taken);
        offer(LaneKind.CONTROL, 0, 100);
        assertThat(queue.canWrite(session)).isTrue();
        next = writeRun(next);
        assertThat(written).last().isEqualTo("CONTROL 0");

        session.onAck(connections, next - 1, 0);
        assertThat(queue.canWrite(session)).isTrue();
        assertThat(offer(LaneKind.DATA, taken, 100_000)).as("room again").isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void shouldWriteTheSameFramesUnderTheSameNumbersOnEachNewConnection(long seed) {
        Random random = new Random(seed);
        connect(0);
        int[] offered = new int[2];
        long next = 1;
        long delivered = 0;
        for (int step = 0; step < 3_000; step++) {
            switch (random.nextInt(6)) {
                case 0, 1 -> {
                    LaneKind lane = LaneKind.values()[random.nextInt(2)];
                    int size = random.nextInt(20) == 0 ? random.nextInt(200_000) : random.nextInt(400);
                    if (offer(lane, offered[lane.ordinal()], size)) {
                        offered[lane.ordinal()]++;
                    }
                }
                case 2, 3 -> {
                    if (queue.canWrite(session)) {
                        next = writeRun(next);
                    }
                }
                case 4 -> {
                    delivered += random.nextInt((int) (next - delivered));
                    session.onAck(connections, delivered, 0);
                }
                default -> {
                    if (random.nextInt(10) == 0) {
                        delivered += random.nextInt((int) (next - delivered));
                        connect(delivered);
                        next = delivered + 1;
                    }
                }
            }
        }
        while (written.size() < offered[0] + offered[1]) {
            if (queue.canWrite(session)) {
                next = writeRun(next);
            }
            delivered = next - 1;
            session.onAck(connections, delivered, 0);
        }
        for (LaneKind lane : LaneKind.values()) {
            int expected = 0;
            for (String text : written) {
                if (text.startsWith(lane.name())) {
                    assertThat(text).as("seed " + seed).isEqualTo(lane + " " + expected++);
                }
            }
            assertThat(expected).as("seed " + seed).isEqualTo(offered[lane.ordinal()]);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void shouldReadPayloadsWhereTheyLieOnlyUntilTheyAreAcknowledgedOrTakenBack(long seed) {
        Random random = new Random(seed);
        queue.onWithinHost();
        connect(0);
        int offered = 0;
        int borrowed = 0;
        long next = 1;
        long delivered = 0;
        for (int step = 0; step < 600; step++) {
            switch (random.nextInt(6)) {
                case 0 -> {
                    if (offer(LaneKind.DATA, offered, random.nextInt(40_000))) {
                        offered++;
                    }
                }
                case 1 -> {
                    if (offerFromMemory(offered, 65_536 + 8 * random.nextInt(8_000))) {
                        offered++;
                        borrowed += queue.borrows() ? 1 : 0;
                    }
                }
                case 2, 3 -> {
                    if (queue.canWrite(session)) {
                        next = writeRun(nextRunInPieces(random), next);
                    }
                }
                case 4 -> {
                    delivered += random.nextInt((int) (next - delivered));
                    session.onAck(connections, delivered, 0);
                }
                default -> {
                    switch (random.nextInt(10)) {
                        case 0 -> takeBack();
                        case 1 -> {
                            if (queue.canWrite(session)) {
                                queue.nextRun(session); // and the connection ends
                            }
                            delivered += random.nextInt((int) (next - delivered));
                            connect(delivered);
                            next = delivered + 1;
                        }
                        default -> {}
                    }
                }
            }
            if (!queue.borrows()) {
                useAgain();
            }
        }
        session.onAck(connections, next - 1, 0);
        while (queue.canWrite(session)) {
            next = writeRun(nextRunInPieces(random), next);
            session.onAck(connections, next - 1, 0);
        }
        assertThat(queue.borrows()).isFalse();
        assertThat(written).as("seed " + seed).hasSize(offered);
        assertThat(borrowed).as("seed " + seed).isGreaterThan(10);
    }

    @Test
    void shouldNotReadTheProgramsMemoryOnceItIsDiscardedInTheMiddleOfARun() {
        queue.onWithinHost();
        connect(0);
        offerFromMemory(7, 131_072);
        offerFromMemory(8, 131_072);
        ByteBuffer run = queue.nextRun(session);
        byte[] firstHalf = new byte[65_536];
        queue.runBody().get(firstHalf);

        queue.discard();

        assertThat(queue.borrows()).isFalse();
        useAgain();
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
        connect(0);
        offerFromMemory(0, 131_072);
        assertThat(queue.borrows()).as("to another host").isFalse();
        queue.onWithinHost();
        offerFromMemory(1, 131_071);
        assertThat(queue.borrows()).isFalse();
        offerFromMemory(2, 131_072);
        assertThat(queue.borrows()).isTrue();
    }

    /** Only what concerns the queue. */
    private final class Actions implements LinkActions<Integer> {
        @Override
        public Integer dial() {
            return null;
        }

        @Override
        public void sendHello(Integer connection, LinkHello hello) {}

        @Override
        public void sendOk(Integer connection, LinkOk ok) {}

        @Override
        public void sendRefusal(Integer connection, LinkRefusal refusal) {
            throw new IllegalStateException("refused: " + refusal);
        }

        @Override
        public void sendYouFailed(Integer connection) {}

        @Override
        public void sendAck(Integer connection, long ackUpTo) {}

        @Override
        public void halfClose(Integer connection) {}

        @Override
        public void close(Integer connection) {}

        @Override
        public void adopted(Integer connection) {
            queue.rewind();
        }

        @Override
        public void acknowledged(long upTo) {
            queue.onAcknowledged(upTo);
        }

        @Override
        public void discarded() {}

        @Override
        public void broken() {}

        @Override
        public void restored() {}

        @Override
        public void excluded() {}

        @Override
        public void superseded(LinkIdentity by) {}

        @Override
        public void misnamed(LinkIdentity other) {}
    }
}
