package org.ulfmj.transport.shm;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameLayout;
import org.ulfmj.transport.LaneKind;

/**
 * One lane from a peer of this host, from the receiver's side: follows the sender from file to file, puts parts
 * together, and hands over frames where they lie. What cannot be a record breaks the lane: nothing more is read from
 * it. Under the engine lock, but for {@link #isEmpty}.
 */
final class InboundLane {
    /** Bytes after which other lanes have their turn. */
    private static final int BYTES_A_TURN = 64 * 1024;

    /** Where everything goes that a lane has to say; may close the lane. */
    interface Sink {
        void onFrame(ShmPeer from, LaneKind kind, Frame frame);

        void onExcluded(ShmPeer by);

        /** The peer waits for room in the lane, and there may be some now. */
        void onRoom(ShmPeer to);

        /** Nothing more can be read of the lane. */
        void onBroken(ShmPeer from, String why);
    }

    private final ShmPeer peer;
    private final LaneKind kind;
    private final ShmFiles files;
    private final Frame frame = new Frame();
    private ShmSegment segment;
    /** Replaced under the lock and read by a sleeper too; null once nothing is read any more. */
    private volatile RingReader ring;

    /** The file in which the lane goes on and which could not be opened yet; 0 if there is none. */
    private long successor;

    /** A frame that comes in parts; null while none has. */
    private ByteBuffer parts;

    private int partsTotal;
    private long readBytes;

    /** @throws IOException if the file is not there, or not the peer's */
    InboundLane(ShmPeer peer, LaneKind kind, ShmFiles files, long fileId) throws IOException {
        this.peer = peer;
        this.kind = kind;
        this.files = files;
        follow(fileId);
    }

    ShmPeer peer() {
        return peer;
    }

    /** The bytes that the records read so far take in their rings. */
    long readBytes() {
        return readBytes;
    }

    /** Whether nothing would be read now. Any thread. */
    boolean isEmpty() {
        RingReader now = ring;
        return now == null || now.isEmpty();
    }

    /** Hands over some frames; returns how many records it read. */
    int read(int maxFrames, Sink sink) {
        if (successor != 0) {
            goOn(sink);
        }
        int count = 0;
        int bytes = 0;
        // Any process that is handed a frame may close the lane.
        for (RingReader now = ring;
                now != null && successor == 0 && count < maxFrames && bytes < BYTES_A_TURN;
                now = ring) {
            if (!now.next()) {
                if (now.fault() != null) {
                    breakLane(now.fault(), sink);
                }
                break;
            }
            bytes += now.bodyBytes();
            readBytes += LaneLayout.recordBytes(now.bodyBytes());
            count++;
            dispatch(now, sink);
        }
        RingReader last = ring;
        if (count > 0 && last != null) {
            VarHandle.fullFence();
            if (last.isRoomWished()) {
                sink.onRoom(peer);
            }
        }
        return count;
    }

    private void dispatch(RingReader from, Sink sink) {
        switch (from.kind()) {
            case LaneLayout.FRAME, LaneLayout.BRIEF, LaneLayout.BARE -> {
                handOver(from, sink);
                from.release();
            }
            case LaneLayout.PART -> {
                boolean isLast = addPart(from.body(), sink);
                from.release();
                if (isLast) {
                    partsTotal = 0;
                    handOverParts(sink);
                }
            }
            case LaneLayout.REPLACED -> {
                successor = from.successor();
                from.release();
                goOn(sink);
            }
            default -> {
                from.release();
                close();
                sink.onExcluded(peer);
            }
        }
    }

    private void handOver(RingReader from, Sink sink) {
        try {
            from.read(frame);
        } catch (WireFormatException e) {
            breakLane("has a ".concat(e.getMessage()), sink);
            return;
        }
        sink.onFrame(peer, kind, frame);
    }

    private void handOverParts(Sink sink) {
        try {
            FrameLayout.read(frame, parts.flip());
        } catch (WireFormatException e) {
            breakLane("has a ".concat(e.getMessage()), sink);
            return;
        }
        sink.onFrame(peer, kind, frame);
    }

    /** Whether the frame is whole with it. */
    private boolean addPart(ByteBuffer part, Sink sink) {
        if (part.remaining() < LaneLayout.PART_HEADER_BYTES) {
            breakLane("has a part without a header", sink);
            return false;
        }
        int total = part.getInt();
        int at = part.getInt();
        boolean isFirst = partsTotal == 0;
        if (total <= 0
                || total > FrameLayout.HEADER_BYTES + Frame.MAX_PAYLOAD_BYTES
                || !isFirst && total != partsTotal) {
            breakLane("has a part of a frame of a wrong length", sink);
            return false;
        }
        if (isFirst) {
            if (parts == null || parts.capacity() < total) {
                parts = ByteBuffer.allocate(total).order(ByteOrder.LITTLE_ENDIAN);
            }
            parts.clear().limit(total);
            partsTotal = total;
        }
        if (at != parts.position() || part.remaining() > parts.remaining()) {
            breakLane("has a part that does not follow the one before", sink);
            return false;
        }
        parts.put(part);
        return !parts.hasRemaining();
    }

    /** A lack of descriptors or mappings passes: the file keeps its name, and the next read tries again. */
    private void goOn(Sink sink) {
        try {
            follow(successor);
            successor = 0;
        } catch (IOException e) {
            if (!ShmFiles.mayPass(e)) {
                successor = 0;
                breakLane(e.toString(), sink);
            }
        }
    }

    private void follow(long fileId) throws IOException {
        ShmSegment next = files.open(peer.id(), peer.owner(), fileId);
        if (next.lengthBytes() < LaneLayout.RECORDS_AT + LaneLayout.WORD_BYTES) {
            throw new WrongFileException(next + " is too small for a lane");
        }
        // Both ends have it: its name is of use to no process any more, and would be left behind if both were killed.
        next.unlink();
        if (segment != null) {
            files.discard(segment);
        }
        segment = next;
        ring = new RingReader(next.memory());
    }

    private void breakLane(String why, Sink sink) {
        close();
        sink.onBroken(peer, why);
    }

    boolean isClosed() {
        return ring == null;
    }

    /** Nothing more is read of it, no matter what its sender still writes. */
    void close() {
        ring = null;
    }
}
