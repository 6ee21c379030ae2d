package org.ulfmj.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameType;
import org.ulfmj.transport.Payload;

/**
 * Reads the payload of one long CHUNK from a connection straight into the memory of the receive that awaits it. Only
 * the part that came together with the header is copied from the decoder's buffer. The memory is asked for again before
 * each read: the receive may have ended since the last read, and its memory then belongs to the program. The rest of
 * such a chunk is thrown away.
 */
final class DirectPlacement {
    /**
     * Gives the payload of the receive whose memory takes a chunk; null if there is no such receive, or not any more,
     * or if the chunk is not the next frame of its link.
     */
    interface Places {
        Payload placeOf(Frame chunk);
    }

    /**
     * The largest number of bytes of one read, so that the sender gets room to write on while this rank still copies.
     */
    private static final int READ_BYTES = 128 * 1024;

    private final Places places;
    private final MemoryViews views = new MemoryViews();
    /** The header of the chunk whose payload is being read. */
    private final Frame chunk = new Frame();

    private boolean isUnderWay;
    private int missing;
    private boolean isWasted;
    /** Whether the last read got all bytes that it had asked for. */
    private boolean isFull;

    DirectPlacement(Places places) {
        this.places = places;
    }

    /**
     * Whether a chunk was begun and not {@linkplain #finish finished}. Until it {@link #isComplete}, the next bytes of
     * the connection belong to its payload.
     */
    boolean isUnderWay() {
        return isUnderWay;
    }

    boolean isComplete() {
        return missing == 0;
    }

    boolean isFull() {
        return isFull;
    }

    /**
     * Begins to read the frame whose header, and perhaps a part of its payload, is in the decoder into its place.
     * Returns false and begins nothing if {@link FrameDecoder#hasBegun} is false, the frame is no chunk, or
     * {@link Places} gives no payload for it.
     *
     * @throws org.ulfmj.protocol.WireFormatException if the decoder finds the header wrong
     */
    boolean begin(FrameDecoder decoder, Frame incoming) {
        if (!decoder.hasBegun()) {
            return false;
        }
        ByteBuffer arrived = decoder.frame(incoming).received();
        if (incoming.type() != FrameType.CHUNK) {
            return false;
        }
        int bytes = decoder.payloadBytes();
        chunk.copyHeaderOf(incoming).receivePlaced(bytes);
        Payload message = places.placeOf(chunk);
        if (message == null) {
            return false;
        }
        missing = bytes - arrived.remaining();
        message.copyIn(chunk.position(), arrived);
        decoder.leaveRest();
        isUnderWay = true;
        isWasted = false;
        return true;
    }

    /**
     * Reads bytes of the chunk once from the channel: into the memory of its receive, or, if the receive has ended,
     * into the decoder's buffer to throw them away. Returns the number of bytes read; 0 if there are none now, −1 at
     * the end of the stream.
     */
    int read(ReadableByteChannel channel, FrameDecoder decoder) throws IOException {
        Payload message = places.placeOf(chunk);
        ByteBuffer target = message == null ? decoder.waste() : placeIn(message);
        target.limit(Math.min(target.limit(), target.position() + missing));
        isWasted |= message == null;
        int count = channel.read(target);
        missing -= Math.max(0, count);
        isFull = !target.hasRemaining();
        return count;
    }

    /** The part of the receive's memory that the next read fills. */
    private ByteBuffer placeIn(Payload message) {
        int at = message.memoryOffset() + (int) chunk.position() + chunk.payloadBytes() - missing;
        ByteBuffer view = views.of(message.memory()).clear().position(at);
        return view.limit(Math.min(view.limit(), at + READ_BYTES));
    }

    /** Ends the reading of the chunk, whose payload has arrived completely. Returns the frame of the chunk. */
    Frame finish() {
        isUnderWay = false;
        return chunk;
    }

    /**
     * Whether a part of the chunk that has arrived last was thrown away, because its receive ended before the chunk was
     * complete.
     */
    boolean isWasted() {
        return isWasted;
    }
}
