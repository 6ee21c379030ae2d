package org.ulfmj.transport;

import java.nio.ByteBuffer;
import org.ulfmj.protocol.ProcessId;

/**
 * A fabric whose process ends by a {@link ByteTrap}, for media that do not write to a channel. The bytes of a frame are
 * counted when {@link #offer} takes it. If the header of a frame holds the last byte, the trap springs before the frame
 * is offered to the medium. A payload that holds the last byte is mostly copied only up to that byte, and its record
 * stays half-written. Where only the last byte of the frame is to be missing, the payload is copied whole, and the
 * commit of its record is what is missing. Threads: as {@link Fabric} says.
 */
public final class TrappedFabric implements Fabric {
    private final Fabric fabric;
    private final ByteTrap trap;

    public TrappedFabric(Fabric fabric, ByteTrap trap) {
        this.fabric = fabric;
        this.trap = trap;
    }

    @Override
    public boolean offer(ProcessId to, LaneKind lane, Frame frame) {
        int bytes = FrameLayout.totalBytes(frame);
        long payloadLeft = trap.leftBytes() - FrameLayout.HEADER_BYTES;
        if (payloadLeft < 0) {
            trap.sent(bytes);
        } else if (payloadLeft < frame.payloadBytes()) {
            Payload whole = frame.payload();
            long offset = frame.payloadOffset();
            long copiedBytes = copiedBytes(payloadLeft, frame.payloadBytes());
            frame.payload(new HalfCopied(whole, offset + copiedBytes), offset, frame.payloadBytes());
            try {
                return fabric.offer(to, lane, frame);
            } finally {
                frame.payload(whole, offset, frame.payloadBytes());
            }
        }
        boolean taken = fabric.offer(to, lane, frame);
        if (taken) {
            trap.sent(bytes);
        }
        return taken;
    }

    /**
     * How many bytes of the payload that holds the last byte are copied. Where only one byte of the payload is to be
     * missing, all are copied, and the missing commit stands for the last one.
     */
    private static long copiedBytes(long leftBytes, long payloadBytes) {
        return leftBytes + 1 == payloadBytes ? payloadBytes : leftBytes;
    }

    /** The payload that holds the last byte: it springs the trap while it is copied, before its record is committed. */
    private final class HalfCopied implements Payload {
        private final Payload whole;
        private final long endOffset;

        HalfCopied(Payload whole, long endOffset) {
            this.whole = whole;
            this.endOffset = endOffset;
        }

        @Override
        public long lengthBytes() {
            return whole.lengthBytes();
        }

        @Override
        public void copyOut(long offset, ByteBuffer target) {
            int limit = target.limit();
            int wanted = target.remaining();
            target.limit(target.position() + (int) Math.max(0, Math.min(wanted, endOffset - offset)));
            whole.copyOut(offset, target);
            target.limit(limit);
            if (offset + wanted >= endOffset) {
                trap.sent((int) Math.min(Integer.MAX_VALUE, trap.leftBytes()));
            }
        }

        @Override
        public void copyIn(long offset, ByteBuffer source) {
            throw new IllegalStateException("this is only sent");
        }
    }

    /** The short path, whose messages are counted with the length of the frames that they replace. */
    @Override
    public ShortPath shortPath(ProcessId peer) {
        ShortPath path = fabric.shortPath(peer);
        return path == null ? null : new TrappedShortPath(path);
    }

    private final class TrappedShortPath implements ShortPath {
        private final ShortPath path;

        TrappedShortPath(ShortPath path) {
            this.path = path;
        }

        @Override
        public boolean send(int stream, long communicator, int source, int tag, Payload message) {
            int bytes = FrameLayout.HEADER_BYTES + (int) message.lengthBytes();
            long payloadLeft = trap.leftBytes() - FrameLayout.HEADER_BYTES;
            if (payloadLeft < 0) {
                trap.sent(bytes);
            }
            boolean isLast = payloadLeft >= 0 && payloadLeft < message.lengthBytes();
            Payload part = isLast ? new HalfCopied(message, copiedBytes(payloadLeft, message.lengthBytes())) : message;
            boolean taken = path.send(stream, communicator, source, tag, part);
            if (taken && !isLast) {
                trap.sent(bytes);
            }
            return taken;
        }

        @Override
        public boolean isOpen() {
            return path.isOpen();
        }

        @Override
        public void hold(boolean isHeld) {
            path.hold(isHeld);
        }

        @Override
        public boolean hasArrived() {
            return path.hasArrived();
        }

        @Override
        public int receive(int stream, long communicator, int source, int tag, Payload into) {
            return path.receive(stream, communicator, source, tag, into);
        }

        @Override
        public int receivedTag() {
            return path.receivedTag();
        }
    }

    @Override
    public int pieceBytes(ProcessId to) {
        return fabric.pieceBytes(to);
    }

    @Override
    public boolean borrowsFor(ProcessId to) {
        return fabric.borrowsFor(to);
    }

    @Override
    public void giveBack(ProcessId to) {
        fabric.giveBack(to);
    }

    @Override
    public int poll(FrameSink sink) {
        return fabric.poll(sink);
    }

    @Override
    public int pollWithSeat(FrameSink sink) {
        return fabric.pollWithSeat(sink);
    }

    @Override
    public void sleep(long untilNs) {
        fabric.sleep(untilNs);
    }

    @Override
    public void wake() {
        fabric.wake();
    }

    @Override
    public long nextDeadlineNs() {
        return fabric.nextDeadlineNs();
    }

    @Override
    public void attend(ProcessId peer) {
        fabric.attend(peer);
    }

    @Override
    public void prepare(ProcessId peer) {
        fabric.prepare(peer);
    }

    @Override
    public void drain(ProcessId peer) {
        fabric.drain(peer);
    }

    @Override
    public void abandon(ProcessId peer) {
        fabric.abandon(peer);
    }

    @Override
    public void admit(MemberRecord member) {
        fabric.admit(member);
    }

    @Override
    public void depart(ProcessId peer) {
        fabric.depart(peer);
    }

    @Override
    public boolean isHandedOver(ProcessId peer) {
        return fabric.isHandedOver(peer);
    }

    @Override
    public Iterable<ProcessId> connected() {
        return fabric.connected();
    }

    @Override
    public HostMemory hostMemory() {
        return fabric.hostMemory();
    }

    @Override
    public void leave() {
        fabric.leave();
    }

    @Override
    public boolean hasLeft() {
        return fabric.hasLeft();
    }

    @Override
    public void close() {
        fabric.close();
    }
}
