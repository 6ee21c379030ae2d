package org.ulfmj.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.SocketChannel;
import java.util.zip.CRC32C;
import org.ulfmj.transport.ByteTrap;
import org.ulfmj.transport.record.RecordChannel;
import org.ulfmj.transport.session.LinkSession;

/**
 * The writing half of one connection whose handshake has ended. A run of frames that was begun is finished first. Then
 * follow an acknowledgement and YOU_FAILED, if they are due, and then new frames, or, if {@link #askEnd} was called,
 * the end of the stream.
 */
final class FrameWriter {
    private static final long NONE = -1;

    private final SocketChannel socket;
    /** Encrypts what is written to the socket; null if the connection carries no records. */
    private final RecordChannel records;
    /** What the runs are written to: {@link #records} if there are any, else {@link #socket}. */
    private final GatheringByteChannel channel;

    private final SendQueue queue;
    /** A fault for tests: the trap that ends this process at a byte that it writes; null for none. */
    private final ByteTrap trap;

    /** Null if the connection carries records. */
    private final CRC32C crc;

    private final ByteBuffer own =
            ByteBuffer.allocateDirect(2 * LinkEnvelope.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final ByteBuffer ownView = own.duplicate().order(ByteOrder.LITTLE_ENDIAN);

    /**
     * The bytes that are being written now; null if there are none. A borrowed payload ({@link SendQueue#runBody}), if
     * there is one, follows them.
     */
    private ByteBuffer run;

    private final ByteBuffer[] gathered = new ByteBuffer[2];

    private long ackUpTo = NONE;
    private boolean youFailed;
    private boolean endAsked;
    private boolean ended;

    FrameWriter(SocketChannel socket, RecordChannel records, SendQueue queue, ByteTrap trap) {
        this.socket = socket;
        this.records = records;
        this.channel = records == null ? socket : records;
        this.crc = records == null ? new CRC32C() : null;
        this.queue = queue;
        this.trap = trap;
    }

    void acknowledge(long upTo) {
        ackUpTo = upTo;
    }

    void sayYouFailed() {
        youFailed = true;
    }

    void askEnd() {
        endAsked = true;
    }

    /**
     * Writes the rest of the present run, and then the acknowledgement, YOU_FAILED and the end of the stream if they
     * are due, but no new frames. Returns false if the channel takes no more now.
     */
    boolean flushOwn() throws IOException {
        while (true) {
            if (run != null) {
                if (!writeRun()) {
                    return false;
                }
                run = null;
                queue.endRun();
            }
            if (ackUpTo == NONE && !youFailed) {
                break;
            }
            run = ownRun();
        }
        if (records != null && !records.flush()) {
            return false;
        }
        if (endAsked && !ended) {
            ended = true;
            socket.shutdownOutput();
        }
        return true;
    }

    /** Writes the present run as far as the channel takes it. Returns whether all of the run is written. */
    private boolean writeRun() throws IOException {
        ByteBuffer body = queue.runBody();
        if (trap == null && body != null && run.hasRemaining()) {
            gathered[0] = run;
            gathered[1] = body;
            channel.write(gathered);
            gathered[1] = null;
        } else {
            write(run);
            if (body != null && !run.hasRemaining()) {
                write(body);
            }
        }
        return !run.hasRemaining() && (body == null || !body.hasRemaining());
    }

    private void write(ByteBuffer bytes) throws IOException {
        if (!bytes.hasRemaining()) {
            return;
        }
        if (trap == null) {
            channel.write(bytes);
        } else {
            trap.write(channel, bytes);
        }
    }

    /**
     * Writes the rest of the present run, then acknowledgement and YOU_FAILED if they are due, then the end of the
     * stream if it is due, else new frames. Returns false if the channel takes no more now.
     */
    boolean flush(LinkSession<?> session) throws IOException {
        while (flushOwn()) {
            if (ended || !queue.canWrite(session)) {
                return true;
            }
            run = queue.nextRun(session);
            ackUpTo = NONE; // the frames carry the acknowledgement
        }
        return false;
    }

    /** The connection has ended: gives up the run that is being written. */
    void abort() {
        if (run != null) {
            run = null;
            queue.endRun();
        }
    }

    private ByteBuffer ownRun() {
        int length = 0;
        if (ackUpTo != NONE) {
            length += put(length, LinkEnvelope.ACK, ackUpTo);
            ackUpTo = NONE;
        }
        if (youFailed) {
            length += put(length, LinkEnvelope.YOU_FAILED, 0);
            youFailed = false;
        }
        return ownView.limit(length).position(0);
    }

    private int put(int at, int type, long acknowledged) {
        LinkEnvelope.begin(own, at, type, 0, 0);
        LinkEnvelope.finish(own, ownView, at, 0, acknowledged, crc);
        return LinkEnvelope.BYTES;
    }
}
