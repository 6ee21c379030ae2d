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
     * How many bytes the data lane keeps at most, written and unwritten. A large message uses all of this memory in
     * turn: with more of it, the next piece would leave the cache between the time it is copied into the queue and the
     * time it is written.
     */
    static final int DATA_BYTES = 1024 * 1024;
    /**
     * From this many bytes of data on that are written and not acknowledged, no more data is written. More data would
     * lie in the kernel, where no control frame can overtake it.
     */
    private static final int WINDOW_BYTES = 512 * 1024;
    /**
     * From this length on, a run of frames, which is written to the channel at once, takes in no further frame. So a
     * control frame does not wait long for a run of data.
     */
    private static final int RUN_BYTES = 64 * 1024;
    /** From this many bytes of waiting data on, frames that may wait for more are written at once. */
    private static final int GATHERED_BYTES = 16 * 1024;
    /** Payloads that are shorter than this are covered by the checksum of their envelope also within a host. */
    private static final int SMALLEST_UNCHECKED_BYTES = 16 * 1024;

    private final FrameRing control = new FrameRing();
    private final FrameRing data;
    private final LinkMemory memory;
    private long acknowledged;
    /** The position in the control ring behind the last heartbeat that was appended. */
    private long heartbeatEnd;
    /**
     * The sequence number of the first frame of the run that is being written; {@link Long#MAX_VALUE} for none. The
     * memory of the run is kept even if its frames are acknowledged meanwhile.
     */
    private long runStart = Long.MAX_VALUE;

    /**
     * The borrowed payload at the end of the run that is being written; null if there is none. {@link #runBodyFrame} is
     * the position of its frame in the ring.
     */
    private ByteBuffer runBody;

    private long runBodyFrame;

    private boolean isWithinHost;
    private boolean isDiscarded;

    /** @param memory the memory that all links of the process share for data frames; control frames do not use it */
    SendQueue(LinkMemory memory) {
        this.memory = memory;
        data = new FrameRing(DATA_BYTES, memory);
    }

    /**
     * Notes that the peer is a process of this host: the payloads of frames that are offered from now on may be
     * borrowed, and long ones need no checksum.
     */
    void onWithinHost() {
        isWithinHost = true;
    }

    boolean isWithinHost() {
        return isWithinHost;
    }

    /** Sets whether the frames that are written from now on have a checksum. */
    void check(boolean areChecked) {
        control.check(areChecked);
        data.check(areChecked);
    }

    /** Appends a frame to a lane. Returns whether there was room; a control lane always has room. */
    boolean append(LaneKind lane, Frame frame) {
        int flags = frame.asksForAcknowledgement() ? LinkEnvelope.FLAG_ACKNOWLEDGE_NOW : 0;
        if (lane == LaneKind.CONTROL) {
            control.append(frame, flags | LinkEnvelope.FLAG_CONTROL_LANE, false);
            heartbeatEnd = frame.isHeartbeat() ? control.end() : heartbeatEnd;
            return true;
        }
        if (memory.isScarce()) {
            // Memory is scarce: the ring may not be allowed to grow, and the next frame would wait for a late
            // acknowledgement of this one.
            flags |= LinkEnvelope.FLAG_ACKNOWLEDGE_NOW;
        }
        if (isWithinHost && frame.payloadBytes() >= SMALLEST_UNCHECKED_BYTES) {
            flags |= LinkEnvelope.FLAG_HEADERS_CHECKED;
        }
        // Payloads to other hosts are not borrowed: the checksum would cover memory that a faulty program may change
        // before it is sent.
        return data.append(frame, flags, isWithinHost);
    }

    /**
     * Whether a heartbeat waits to be written. Another one would say nothing more: while a link has no connection, it
     * would only take memory.
     */
    boolean hasHeartbeatToWrite() {
        return control.isUnwritten(heartbeatEnd);
    }

    /**
     * Whether the waiting frames are too few to be worth a write now: only data waits, and less than
     * {@link #GATHERED_BYTES}.
     */
    boolean isGathering() {
        return !control.hasUnwritten() && data.unwrittenBytes() < GATHERED_BYTES;
    }

    /** Whether there is a frame to write now. Data must wait while too much data is written and not acknowledged. */
    boolean canWrite(LinkSession<?> session) {
        return session.canWrite() && (data.writtenBytes() < WINDOW_BYTES || control.hasUnwritten());
    }

    /**
     * The next run of frames to be written, in one piece of memory. The {@link #runBody}, if there is one, follows it.
     * To be called only if {@link #canWrite}.
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

    /**
     * The borrowed payload at the end of the run; null if there is none. After {@link #giveBack} it is a view of the
     * copy.
     */
    ByteBuffer runBody() {
        return runBody;
    }

    /** Whether the peer has acknowledged all frames of a lane, and none was thrown away. */
    boolean hasDelivered(LaneKind lane) {
        return !isDiscarded && (lane == LaneKind.CONTROL ? control : data).isEmpty();
    }

    boolean borrows() {
        return !data.hasAllPayloads();
    }

    /** Copies all borrowed payloads into the ring. The program's memory is not read any more. */
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

    /** Ends the present run, which was written completely or is given up with its connection. */
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
     * Throws away all frames: no new run is written any more. The memory is released as soon as the present run is
     * written. Borrowed memory of the program is given back at once, because nothing else would give it back later.
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

    /** Lets all frames that are not acknowledged be written again, on a new connection. */
    void rewind() {
        endRun();
        control.rewind();
        data.rewind();
    }
}
