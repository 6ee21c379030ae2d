package org.ulfmj.transport.shm;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.FrameLayout;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.Payload;

/**
 * The sender's side of one lane to a peer of this host. A lane starts with a small file and grows by replacement: a
 * larger file is made, and the last record of the old file announces it. The old file is given up at the first
 * {@link #offer} after the receiver has read it to its end.
 *
 * <p>A control lane takes every frame: frames that find no room in the ring wait in a queue. A frame that is too large
 * for the ring is cut into parts if no larger file can be made. Under the engine lock.
 */
final class OutboundLane {
    /** Length of the largest file. A ring of this size can hold the largest frame at any position. */
    static final int MAX_FILE_BYTES = 1024 * 1024;
    /**
     * A data lane that is full grows up to this size; it grows further only for a frame that needs it. A larger ring
     * would not fit the caches of both sides, and would let the sender run too far ahead of the receiver.
     */
    private static final int MAX_FILE_BYTES_WHEN_FULL = 512 * 1024;

    private static final int FIRST_CONTROL_FILE_BYTES = 16 * 1024;
    private static final int FIRST_DATA_FILE_BYTES = 32 * 1024;
    /** The smallest part that is worth a record, except for the last part of a frame. */
    private static final int MIN_PART_BYTES = 4 * 1024;

    /**
     * How long no larger file is requested after a refusal: each attempt may read the owner records of all processes.
     */
    private static final long REFUSAL_NS = 250_000_000;

    /** A file that was replaced by a larger one, with its ring: the receiver may still read records in it. */
    private record Retired(ShmSegment segment, RingWriter ring) {}

    private final ShmFiles files;
    private final ProcessId peer;
    private final boolean isUnbounded;
    private final List<Retired> retired = new ArrayList<>(2);
    private ShmSegment segment;
    private RingWriter ring;
    /** The time from which a larger file is asked for again, if one was refused. */
    private long growAgainNs;

    private boolean wasRefused;

    /**
     * Whole frames that wait for room in the ring. {@link #firstSentBytes} says how many bytes of the first are in the
     * lane already.
     */
    private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();

    private int firstSentBytes;

    private OutboundLane(ShmFiles files, ProcessId peer, LaneKind kind, ShmSegment segment) {
        this.files = files;
        this.peer = peer;
        this.isUnbounded = kind == LaneKind.CONTROL;
        this.segment = segment;
        this.ring = new RingWriter(segment.memory());
    }

    /** Makes a new lane; null if its file cannot be made. */
    static OutboundLane open(ShmFiles files, ProcessId peer, LaneKind kind) {
        int fileBytes = kind == LaneKind.CONTROL ? FIRST_CONTROL_FILE_BYTES : FIRST_DATA_FILE_BYTES;
        ShmSegment segment = files.create(peer, fileBytes - ShmSegment.HEADER_BYTES);
        return segment == null ? null : new OutboundLane(files, peer, kind, segment);
    }

    /** The id of the present file, by which the receiver opens it. */
    long fileId() {
        return segment.id();
    }

    /** Puts the frame into the lane. Returns whether the frame was taken. */
    boolean offer(Frame frame) {
        if (!retired.isEmpty()) {
            dropRetired();
        }
        if (waiting.isEmpty()) {
            int bytes = FrameLayout.totalBytes(frame);
            if (ring.write(frame) || grow(bytes) && ring.write(frame)) {
                return true;
            }
            if (!isUnbounded && ring.canHold(bytes)) {
                return ring.wishForRoom() && ring.write(frame);
            }
        } else if (!isUnbounded) {
            return false;
        }
        waiting.addLast(bytesOf(frame));
        flush();
        return true;
    }

    /**
     * Sends a short message as a brief frame, unless frames wait, there is no room, or a replaced file was not given up
     * yet. Returns whether the message was sent.
     */
    boolean offerShort(long header, long communicator, Payload message, int lengthBytes) {
        return waiting.isEmpty() && retired.isEmpty() && ring.writeBrief(header, communicator, message, lengthBytes);
    }

    /**
     * Makes the write of the next frame faster. To be called after a frame was written, and after the receiver was
     * woken if it is to be woken for that frame.
     */
    void fetchAhead() {
        ring.fetchAhead();
    }

    /**
     * Whether the receiver seems to have read something since a frame found no room. Any thread; the answer may be out
     * of date.
     */
    boolean mayHaveRoom() {
        return ring.mayHaveRoom();
    }

    /** Writes waiting frames, as far as there is room. Returns whether none is left. */
    boolean flush() {
        return writeWaiting() || ring.wishForRoom() && writeWaiting();
    }

    private boolean writeWaiting() {
        while (!waiting.isEmpty()) {
            byte[] first = waiting.peekFirst();
            if (ring.canHold(first.length) && firstSentBytes == 0) {
                if (!ring.write(first)) {
                    return false;
                }
            } else if (!writeParts(first)) {
                return false;
            }
            waiting.removeFirst();
            firstSentBytes = 0;
        }
        return true;
    }

    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    private boolean writeParts(byte[] frame) {
        while (firstSentBytes < frame.length) {
            int left = frame.length - firstSentBytes;
            int count = Math.min(left, ring.maxPartBytes());
            // A part that finds no room is halved, as long as it is large enough to be worth a record.
            while (!ring.writePart(frame, firstSentBytes, count)) {
                count /= 2;
                if (count < MIN_PART_BYTES) {
                    return false;
                }
            }
            firstSentBytes += count;
        }
        return true;
    }

    /**
     * Continues the lane in a larger file, if the frame needs one, or if the lane is full and may still grow. Returns
     * whether a larger file was made.
     */
    private boolean grow(int frameBytes) {
        int fileBytes = segment.lengthBytes() + ShmSegment.HEADER_BYTES;
        int wantedBytes;
        if (ring.canHold(frameBytes)) {
            wantedBytes = isUnbounded || fileBytes >= MAX_FILE_BYTES_WHEN_FULL ? 0 : 2 * fileBytes;
        } else {
            wantedBytes = fileBytes;
            while (wantedBytes < MAX_FILE_BYTES && wantedBytes / 2 < frameBytes + LaneLayout.RECORDS_AT * 2) {
                wantedBytes *= 2;
            }
        }
        if (wantedBytes <= fileBytes || wasRefused && System.nanoTime() - growAgainNs < 0) {
            return false;
        }
        ShmSegment larger = files.create(peer, wantedBytes - ShmSegment.HEADER_BYTES);
        if (larger == null) {
            wasRefused = true;
            growAgainNs = System.nanoTime() + REFUSAL_NS;
            return false;
        }
        wasRefused = false;
        ring.replaceBy(larger.id());
        retired.add(new Retired(segment, ring));
        segment = larger;
        ring = new RingWriter(larger.memory());
        return true;
    }

    private void dropRetired() {
        for (int i = retired.size() - 1; i >= 0; i--) {
            if (retired.get(i).ring().isAllRead()) {
                files.discard(retired.remove(i).segment());
            }
        }
    }

    /** Tells the peer that it is marked failed, by the last record of the lane. Frames that wait are thrown away. */
    void exclude() {
        waiting.clear();
        ring.exclude();
    }

    private static byte[] bytesOf(Frame frame) {
        ByteBuffer bytes = ByteBuffer.allocate(FrameLayout.totalBytes(frame)).order(ByteOrder.LITTLE_ENDIAN);
        FrameLayout.write(frame, bytes);
        return bytes.array();
    }
}
