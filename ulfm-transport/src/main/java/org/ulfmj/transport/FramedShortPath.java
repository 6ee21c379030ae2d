package org.ulfmj.transport;

import java.nio.ByteBuffer;
import org.ulfmj.protocol.ProcessId;

/** The short path of a medium whose data lanes hold whole frames. Subclasses say where the next frame lies. */
public abstract class FramedShortPath implements ShortPath {
    private final Fabric fabric;
    private final ProcessId peer;
    private final Frame outgoing = new Frame();
    private int receivedTag;

    protected FramedShortPath(Fabric fabric, ProcessId peer) {
        this.fabric = fabric;
        this.peer = peer;
    }

    /**
     * Returns the next frame of the data lane, and leaves it there; null if none has arrived. Called only while the
     * path is open.
     */
    protected abstract Frame nextFrame();

    /** Takes the frame that {@link #nextFrame} has returned last out of the lane. */
    protected abstract void takeNext();

    /** Whether no frames go to the peer any more, so that {@link Fabric#offer} drops them. */
    protected abstract boolean isCutOff();

    @Override
    public final boolean send(int stream, long communicator, int source, int tag, Payload message) {
        if (isCutOff()) {
            return false;
        }
        outgoing.writeMessage(communicator, stream, source, tag, message, (int) message.lengthBytes());
        return fabric.offer(peer, LaneKind.DATA, outgoing);
    }

    @Override
    public final boolean hasArrived() {
        return isOpen() && nextFrame() != null;
    }

    @Override
    public final int receive(int stream, long communicator, int source, int tag, Payload into) {
        if (!isOpen()) {
            return DECLINED;
        }
        Frame frame = nextFrame();
        if (frame == null) {
            return NOTHING;
        }
        boolean isAsked = FrameLayout.isBrief(frame)
                && frame.stream() == stream
                && frame.communicator() == communicator
                && frame.source() == source
                && (tag == ANY_TAG || frame.tag() == tag);
        if (!isAsked || frame.payloadBytes() > into.lengthBytes()) {
            return DECLINED;
        }
        int lengthBytes = frame.payloadBytes();
        if (lengthBytes > 0) {
            copy(frame.received(), into);
        }
        receivedTag = frame.tag();
        takeNext();
        return lengthBytes;
    }

    /** Copies all bytes and restores the position of their buffer, so that the frame can be read again. */
    private static void copy(ByteBuffer bytes, Payload into) {
        int position = bytes.position();
        try {
            into.copyIn(0, bytes);
        } finally {
            bytes.position(position);
        }
    }

    @Override
    public final int receivedTag() {
        return receivedTag;
    }
}
