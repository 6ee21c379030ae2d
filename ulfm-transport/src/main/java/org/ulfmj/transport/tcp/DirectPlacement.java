package org.ulfmj.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameType;
import org.ulfmj.transport.Payload;

/**
 * Reads the payload of one long CHUNK from a connection straight into the memory of the receive that awaits it, without
 * a copy in the decoder's buffer. The place is asked for again before each read: the receive may have ended since the
 * last one, and its memory belongs to the program then. What is left of such a chunk is thrown away.
 */
final class DirectPlacement {
    /** Gives the message whose memory takes a chunk; null if there is none, or none any more. */
    interface Places {
        Payload placeOf(Frame chunk);
    }

    /**
     * The largest number of bytes of one read. Within a host the sender's kernel buffer holds no more, and a read of
     * what lies there already leaves the sender room while this rank copies the rest.
     */
    private static final int READ_BYTES = 128 * 1024;

    private final Places places;
    private final MemoryViews views = new MemoryViews();
    /** The header of the chunk that is under way. */
    private final Frame chunk = new Frame();

    private boolean isUnderWay;
    private int missing;
    private boolean isWasted;
    /** Whether the last read got all bytes that it had asked for. */
    private boolean isFull;

    DirectPlacement(Places places) {
        this.places = places;
    }

    /** Whether the next bytes of the connection belong to a chunk. */
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
     * Begins with the frame of which the decoder has the header and perhaps a part of the payload, if it is a chunk
     * that has a place. Returns whether it is.
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
     * Reads once from the channel. Returns the number of bytes read; 0 if there are none now, −1 at the end of the
     * stream.
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

    /** Where the next bytes go, for one read. */
    private ByteBuffer placeIn(Payload message) {
        int at = message.memoryOffset() + (int) chunk.position() + chunk.payloadBytes() - missing;
        ByteBuffer view = views.of(message.memory()).clear().position(at);
        return view.limit(Math.min(view.limit(), at + READ_BYTES));
    }

    /** Ends with the chunk, all of which has arrived. Returns its frame. */
    Frame finish() {
        isUnderWay = false;
        return chunk;
    }

    /** Whether a part of the chunk that has arrived last was thrown away: its receive had ended before. */
    boolean isWasted() {
        return isWasted;
    }
}
