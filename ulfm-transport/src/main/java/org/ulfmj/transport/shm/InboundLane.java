package org.ulfmj.transport.shm;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ulfmj.protocol.WireFormatException;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameLayout;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.Payload;
import org.ulfmj.transport.ShortPath;

/**
 * The receiver's side of one lane from a peer of this host. It follows the sender from file to file, puts frames
 * together that come in parts, and hands over all others without a copy. Bytes that are no valid record or frame break
 * the lane: it is not read any more. Under the engine lock, except {@link #isEmpty}.
 */
final class InboundLane {
    /** Once a call of {@link #read} has read this many bytes of record bodies, it begins no further record. */
    private static final int BYTES_A_TURN = 64 * 1024;

    /** Receives the frames and events of a lane. Each method may close the lane. */
    interface Sink {
        void onFrame(ShmPeer from, LaneKind kind, Frame frame);

        void onExcluded(ShmPeer by);

        /** The peer waits for room in the lane, and may have room now. */
        void onRoom(ShmPeer to);

        /** The lane cannot be read any more. */
        void onBroken(ShmPeer from, String why);
    }

    private final ShmPeer peer;
    private final LaneKind kind;
    private final ShmFiles files;
    private final Frame frame = new Frame();
    private ShmSegment segment;
    /**
     * The reader of the present file; null once the lane is closed. Replaced under the engine lock, and read also by a
     * thread that sleeps.
     */
    private volatile RingReader ring;

    /** The id of the file in which the lane goes on, while that file is not open yet; 0 if there is none. */
    private long successor;

    /** The buffer in which a frame that comes in parts is put together; null before the first such frame. */
    private ByteBuffer parts;

    private int partsTotal;
    private boolean isHeld;
    private long readBytes;

    /**
     * Opens the first file of a lane.
     *
     * @throws IOException if the file cannot be opened, was not made by the peer, or is too small for a lane
     */
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

    /** Whether the lane has no record to read now. Any thread. */
    boolean isEmpty() {
        RingReader now = ring;
        return now == null || now.isEmpty();
    }

    /**
     * Reads records, up to the given number or {@link #BYTES_A_TURN}, and hands over their frames. Returns the number
     * of records.
     */
    int read(int maxFrames, Sink sink) {
        if (successor != 0) {
            goOn(sink);
        }
        int count = 0;
        int bytes = 0;
        // The handler of a frame may close the lane.
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

    /** As {@link ShortPath#hold}. */
    void hold(boolean held) {
        isHeld = held;
    }

    boolean isHeld() {
        return isHeld;
    }

    /** Whether the lane goes on in a file that could not be opened yet: only {@link #read} tries again. */
    boolean lacksNextFile() {
        return successor != 0;
    }

    /**
     * As {@link RingReader#takeBrief}, between polls. Declines if the lane is closed, or while the file in which it
     * goes on is not open yet.
     */
    int takeShort(long header, boolean isAnyTag, long communicator, Payload target) {
        RingReader now = ring;
        if (now == null || successor != 0) {
            return ShortPath.DECLINED;
        }
        int lengthBytes = now.takeBrief(header, isAnyTag, communicator, target);
        if (lengthBytes >= 0) {
            readBytes += LaneLayout.recordBytes(FrameLayout.BRIEF_HEADER_BYTES + lengthBytes);
        }
        return lengthBytes;
    }

    /** The tag of the message that {@link #takeShort} took last, from a lane that is open. */
    int takenTag() {
        return ring.takenTag();
    }

    /** Whether the peer waits for room in the lane. To be asked after a full fence behind the reading. */
    boolean isRoomWished() {
        RingReader now = ring;
        return now != null && now.isRoomWished();
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

    /** Adds a part of a frame, or breaks the lane if the part is wrong. Returns whether the frame is whole now. */
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

    /**
     * Opens the file in which the lane goes on. A lack of descriptors or mappings may pass: the file keeps its name,
     * and the next read tries again. Breaks the lane if the file is missing or is not the expected one.
     */
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
        // Both ends have mapped the file, so no process needs its name any more. If both processes were killed, a name
        // would remain.
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

    /** Closes the lane: records that its sender still writes are not read. */
    void close() {
        ring = null;
    }
}
