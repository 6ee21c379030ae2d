package org.ulfmj.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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

/** A send queue with a session whose connections are integers. The runs that it writes are decoded and checked. */
final class QueueOfALink {
    private static final LinkIdentity LOW = TcpWorld.identity(0);
    private static final LinkIdentity HIGH = TcpWorld.identity(1);

    final SendQueue queue;
    final LinkSession<Integer> session =
            new LinkSession<>(HIGH, LOW, Timing.fromTimeout(5_000_000_000L), new Actions());
    private final Frame frame = new Frame();
    private int connections;

    /** The frames that were written, as {@code lane number}, in the order of their session sequence numbers. */
    final List<String> written = new ArrayList<>();

    /** The program's memory of the payloads that the queue may send from without a copy. */
    private final List<ByteBuffer> lent = new ArrayList<>();

    /** Whether the last frame that was written asks for an acknowledgement at once. */
    boolean asksForAcknowledgement;

    QueueOfALink() {
        this(new LinkMemory(1 << 30));
    }

    QueueOfALink(LinkMemory memory) {
        queue = new SendQueue(memory);
    }

    void connect(long lastDelivered) {
        connections++;
        session.onHello(connections, new LinkHello(LOW, HIGH, connections, lastDelivered), 0);
    }

    /** By the newest connection. */
    void acknowledge(long upTo) {
        session.onAck(connections, upTo, 0);
    }

    boolean offer(LaneKind lane, int number, int payloadBytes) {
        boolean isTaken = queue.append(lane, Frames.numbered(number, Frames.bytes(payloadBytes, number)));
        if (isTaken) {
            session.onOffered(0);
        }
        return isTaken;
    }

    void offerHeartbeat(int number) {
        queue.append(
                LaneKind.CONTROL,
                Frames.numbered(number, Frames.bytes(8, number)).setHeartbeat(true));
        session.onOffered(0);
    }

    boolean offerFromMemory(int number, int payloadBytes) {
        ByteBuffer memory = ByteBuffer.allocateDirect(payloadBytes + 24);
        memory.position(16).put(Frames.bytes(payloadBytes, number)).clear();
        Frame large = Frames.numbered(number);
        large.setBorrowable(true);
        large.payload(new BufferPayload(memory.position(8)), 8, payloadBytes);
        lent.add(memory.clear());
        boolean isTaken = queue.append(LaneKind.DATA, large);
        if (isTaken) {
            session.onOffered(0);
        }
        return isTaken;
    }

    void useAgain() {
        for (ByteBuffer memory : lent) {
            while (memory.hasRemaining()) {
                memory.put((byte) -1);
            }
        }
        lent.clear();
    }

    void takeBack() {
        queue.giveBack();
        assertThat(queue.borrows()).isFalse();
        useAgain();
    }

    /**
     * Returns one run as it reaches the channel in two pieces. Between the two the program sometimes takes its memory
     * back.
     */
    ByteBuffer nextRunInPieces(Random random) {
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

    /**
     * Writes one run and decodes it. The session sequence numbers of its frames must begin with {@code expected}.
     * Returns the next expected number.
     */
    long writeRun(long expected) {
        return writeRun(queue.nextRun(session), expected);
    }

    long writeRun(ByteBuffer run, long expected) {
        FrameDecoder decoder = new FrameDecoder();
        ReadableByteChannel channel = channelOf(run);
        long next = expected;
        try {
            while (decoder.read(channel) > 0) {
                while (decoder.next()) {
                    assertThat(decoder.sequence()).isEqualTo(next);
                    asksForAcknowledgement = decoder.isAcknowledgeNow();
                    decoder.frame(frame);
                    byte[] payload = new byte[frame.payloadBytes()];
                    frame.received().get(payload);
                    assertThat(payload).isEqualTo(Frames.bytes(payload.length, Frames.numberOf(frame)));
                    String text = decoder.lane() + " " + Frames.numberOf(frame);
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
        public void lost() {}

        @Override
        public void restored() {}

        @Override
        public void distrusted(Integer connection, String what) {
            throw new IllegalStateException(what);
        }

        @Override
        public void excluded() {}

        @Override
        public void superseded(LinkIdentity by) {}

        @Override
        public void misnamed(LinkIdentity other) {}
    }
}
