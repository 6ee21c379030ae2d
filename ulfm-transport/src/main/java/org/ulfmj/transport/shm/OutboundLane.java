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

/**
 * One lane to a peer of this host, from the sender's side. It starts small and grows by replacement: a larger file is
 * made, and announced in order in the old one, which is given up once the receiver has read it to its end.
 *
 * <p>A control lane takes everything: what finds no room waits here. A frame that is too large for the ring, where no
 * larger file can be had, is cut into parts. Under the engine lock.
 */
final class OutboundLane {
    /** Largest file; a ring of it holds the largest frame wherever it stands. */
    static final int MAX_FILE_BYTES = 1024 * 1024;
    /**
     * A data lane that is found full grows up to here; beyond it only for a frame that needs it. More would not fit the
     * caches of both sides, and hide from the sender how far behind the receiver is.
     */
    private static final int MAX_FILE_BYTES_WHEN_FULL = 512 * 1024;

    private static final int FIRST_CONTROL_FILE_BYTES = 16 * 1024;
    private static final int FIRST_DATA_FILE_BYTES = 32 * 1024;
    /** Smaller parts of a frame are not worth a record, unless they are its last. */
    private static final int MIN_PART_BYTES = 4 * 1024;

    /** How long a refusal of a larger file is taken for granted: asking reads a record of each rank. */
    private static final long REFUSAL_NS = 250_000_000;

    /** A ring that the receiver may still read, though nothing is written to it any more. */
    private record Retired(ShmSegment segment, RingWriter ring) {}

    private final ShmFiles files;
    private final ProcessId peer;
    private final boolean isUnbounded;
    private final List<Retired> retired = new ArrayList<>(2);
    private ShmSegment segment;
    private RingWriter ring;
    /** A larger file was refused, and is asked for again at this time. */
    private long growAgainNs;

    private boolean wasRefused;

    /** Frames that wait, whole, and how much of the first is in the lane already. */
    private final ArrayDeque<byte[]> waiting = new ArrayDeque<>();

    private int firstSentBytes;

    private OutboundLane(ShmFiles files, ProcessId peer, LaneKind kind, ShmSegment segment) {
        this.files = files;
        this.peer = peer;
        this.isUnbounded = kind == LaneKind.CONTROL;
        this.segment = segment;
        this.ring = new RingWriter(segment.memory());
    }

    /** A new lane, or null if there is no room for it. */
    static OutboundLane open(ShmFiles files, ProcessId peer, LaneKind kind) {
        int fileBytes = kind == LaneKind.CONTROL ? FIRST_CONTROL_FILE_BYTES : FIRST_DATA_FILE_BYTES;
        ShmSegment segment = files.create(peer, fileBytes - ShmSegment.HEADER_BYTES);
        return segment == null ? null : new OutboundLane(files, peer, kind, segment);
    }

    /** What the receiver must know to find its first file. */
    long fileId() {
        return segment.id();
    }

    /** Whether the frame was taken. */
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

    /** Behind a frame that is on its way: makes the next one faster. */
    void fetchAhead() {
        ring.fetchAhead();
    }

    /** Whether the receiver has read something since there was no room. Any thread; a guess. */
    boolean mayHaveRoom() {
        return ring.mayHaveRoom();
    }

    /** Writes what waits, as far as there is room; whether nothing is left. */
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
            // Half of it, and again, as long as it is worth it.
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

    /** Goes on in a larger file, if the frame needs one, or the lane is full and may still grow. */
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

    /** Last words: the peer is told that it is marked failed, behind all that was sent and before all that waits. */
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
