package org.ulfmj.transport.shm;

import java.lang.invoke.VarHandle;
import org.ulfmj.transport.FrameLayout;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.Payload;
import org.ulfmj.transport.ShortPath;

/** The {@link ShortPath} that sends and receives short messages directly in the data lanes of one peer. */
final class ShmShortPath implements ShortPath {
    private final ShmPeer peer;
    private final Bell bell;
    private int receivedTag;

    ShmShortPath(ShmPeer peer, Bell bell) {
        this.peer = peer;
        this.bell = bell;
    }

    @Override
    public boolean send(int stream, long communicator, int source, int tag, Payload message) {
        OutboundLane lane = peer.outbound(LaneKind.DATA);
        if (lane == null || peer.isCutOff || !FrameLayout.isBriefSource(source)) {
            return false;
        }
        long header = FrameLayout.briefHeader(stream, source, tag);
        if (!lane.offerShort(header, communicator, message, (int) message.lengthBytes())) {
            return false;
        }
        VarHandle.fullFence();
        peer.ringIfAsleep(bell);
        lane.fetchAhead();
        return true;
    }

    @Override
    public boolean isOpen() {
        InboundLane lane = peer.inbound(LaneKind.DATA);
        return lane != null && !lane.lacksNextFile();
    }

    @Override
    public void hold(boolean isHeld) {
        InboundLane lane = peer.inbound(LaneKind.DATA);
        if (lane != null) {
            lane.hold(isHeld);
        }
    }

    @Override
    public boolean hasArrived() {
        InboundLane lane = peer.inbound(LaneKind.DATA);
        return lane != null && !lane.isEmpty();
    }

    @Override
    public int receive(int stream, long communicator, int source, int tag, Payload into) {
        InboundLane lane = peer.inbound(LaneKind.DATA);
        if (lane == null) {
            return DECLINED;
        }
        int lengthBytes =
                lane.takeShort(FrameLayout.briefHeader(stream, source, tag), tag == ANY_TAG, communicator, into);
        if (lengthBytes >= 0) {
            receivedTag = lane.takenTag();
            VarHandle.fullFence();
            if (lane.isRoomWished() && peer.hasMailbox()) {
                peer.ringIfAsleep(bell);
            }
        }
        return lengthBytes;
    }

    @Override
    public int receivedTag() {
        return receivedTag;
    }
}
