package org.ulfmj.transport.tcp;

import java.nio.ByteBuffer;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.session.LinkSession;

/**
 * All frames for one peer that it has not acknowledged. Control frames overtake data as long as neither is written;
 * once written, a frame keeps its number and its place for ever.
 */
final class SendQueue {
    /**
     * What the data lane keeps at most, written and not. A large message goes round in all of it: more than this would
     * push the next piece out of the cache between its being copied here and its being written.
     */
    static final int DATA_BYTES = 1024 * 1024;
    /**
     * Data that is written and not acknowledged. It is enough for two acknowledgements in flight; more would only lie
     * in the kernel, where no control frame can overtake it, and cool down there.
     */
    private static final int WINDOW_BYTES = 512 * 1024;
    /** Frames are written to the channel in runs of about this length, so that control need not wait long. */
    private static final int RUN_BYTES = 64 * 1024;
    /** This much is worth its own write even if the receiver is far behind. */
    private static final int GATHERED_BYTES = 16 * 1024;
    /** Shorter payloads are checked wherever they go: it takes less than a microsecond. */
    private static final int SMALLEST_UNCHECKED_BYTES = 16 * 1024;

    private final FrameRing control = new FrameRing(Integer.MAX_VALUE);
    private final FrameRing data = new FrameRing(DATA_BYTES);
    private long acknowledged;
    /** First frame of a run that is being written; its memory is not given up even if it is acknowledged meanwhile. */
    private long runStart = Long.MAX_VALUE;

    /** The borrowed payload at the end of that run, or null; and the place of its frame in the ring. */
    private ByteBuffer runBody;

    private long runBodyFrame;

    private boolean isWithinHost;
    private boolean isDiscarded;

    /** The peer is a process of our host: what is offered from now on leaves no memory on its way. */
    void onWithinHost() {
        isWithinHost = true;
    }

    /** Whether there was room; for control there always is. */
    boolean append(LaneKind lane, Frame frame) {
        int flags = frame.asksForAcknowledgement() ? LinkEnvelope.FLAG_ACKNOWLEDGE_NOW : 0;
        if (lane == LaneKind.CONTROL) {
            return control.append(frame, flags | LinkEnvelope.FLAG_CONTROL_LANE, false);
        }
        if (isWithinHost && frame.payloadBytes() >= SMALLEST_UNCHECKED_BYTES) {
            flags |= LinkEnvelope.FLAG_HEADERS_CHECKED;
        }
        // Elsewhere the checksum would have to hold over memory that a faulty program may change meanwhile.
        return data.append(frame, flags, isWithinHost);
    }

    /** Whether what waits here is too little for a write, unless it is wanted soon. */
    boolean isGathering() {
        return !control.hasUnwritten() && data.unwrittenBytes() < GATHERED_BYTES;
    }

    /** Whether {@link #nextRun} has something: data waits while too much of it is on its way. */
    boolean canWrite(LinkSession<?> session) {
        return session.canWrite() && (data.writtenBytes() < WINDOW_BYTES || control.hasUnwritten());
    }

    /**
     * The next frames to be written, in one piece of memory; what follows it is the {@link #runBody}. Only while
     * {@link #canWrite}.
     */
    ByteBuffer nextRun(LinkSession<?> session) {
        long first = session.nextToWrite();
        FrameRing ring = ringOf(first, session);
        int from = ring.nextOffset();
        int to = from;
        runStart = first;
        do {
            long sequence = session.nextToWrite();
            if (ring.borrowsNext()) {
                runBody = ring.nextBorrowed();
                runBodyFrame = ring.nextPosition();
                ring.stamp(sequence, session.onWrite());
                return ring.bytes(from, to + FrameRing.PAYLOAD_AT);
            }
            to += ring.stamp(sequence, session.onWrite());
        } while (to - from < RUN_BYTES && continues(ring, to, session));
        return ring.bytes(from, to);
    }

    /** The payload that ends the run and lies elsewhere, or null; another view of it after {@link #giveBack}. */
    ByteBuffer runBody() {
        return runBody;
    }

    /** Whether the peer has acknowledged all frames of a lane: it delivered them before it did. */
    boolean hasDelivered(LaneKind lane) {
        return !isDiscarded && (lane == LaneKind.CONTROL ? control : data).isEmpty();
    }

    boolean borrows() {
        return !data.hasAllPayloads();
    }

    /** Copies all borrowed payloads: their memory is not read any more. */
    void giveBack() {
        if (borrows()) {
            int left = runBody == null ? 0 : runBody.remaining();
            data.takeInBorrowed();
            if (runBody != null) {
                runBody = data.lastOfPayload(runBodyFrame, left);
            }
        }
    }

    private FrameRing ringOf(long sequence, LinkSession<?> session) {
        long nextControl = control.nextSequence();
        long nextData = data.nextSequence();
        boolean isControl;
        if (sequence <= session.lastWritten()) {
            isControl = nextControl == sequence;
            if (!isControl && nextData != sequence) {
                throw new IllegalStateException("frame " + sequence + " is to be written again but was not kept: "
                        + nextControl + " and " + nextData + " come next, " + session);
            }
        } else {
            isControl = nextControl >= 0;
            if (!isControl && nextData < 0) {
                throw new IllegalStateException("no frame is left of those offered, " + session);
            }
        }
        return isControl ? control : data;
    }

    private boolean continues(FrameRing ring, int to, LinkSession<?> session) {
        return canWrite(session) && ringHolds(ring, to) && ringOf(session.nextToWrite(), session) == ring;
    }

    private static boolean ringHolds(FrameRing ring, int to) {
        return ring.nextSequence() >= 0 && ring.nextOffset() == to;
    }

    /** The run that was begun last is written, or will never be. */
    void endRun() {
        if (runStart != Long.MAX_VALUE) {
            runStart = Long.MAX_VALUE;
            runBody = null;
            if (isDiscarded) {
                discard();
            } else {
                release();
            }
        }
    }

    /**
     * Nothing is to be written any more; the memory goes as soon as the run that was begun is written, and that of the
     * program, which no process can give back any more, at once.
     */
    void discard() {
        isDiscarded = true;
        if (runStart == Long.MAX_VALUE) {
            control.clear();
            data.clear();
        } else {
            giveBack();
        }
    }

    void onAcknowledged(long upTo) {
        acknowledged = upTo;
        release();
    }

    private void release() {
        long upTo = Math.min(acknowledged, runStart - 1);
        control.release(upTo);
        data.release(upTo);
    }

    /** A new connection: everything not acknowledged is to be written again. */
    void rewind() {
        endRun();
        control.rewind();
        data.rewind();
    }
}
