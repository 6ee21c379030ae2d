package org.ulfmj.testkit.sim;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.Payload;
import org.ulfmj.transport.ShortFrame;
import org.ulfmj.transport.ShortPath;

/** The short path in simulated time: takes what has arrived on the data lane and was not polled yet. */
final class SimShortPath implements ShortPath {
    private final SimFabric fabric;
    private final ProcessId peer;
    private final Frame frame = new Frame();
    private int receivedTag;

    SimShortPath(SimFabric fabric, ProcessId peer) {
        this.fabric = fabric;
        this.peer = peer;
    }

    @Override
    public boolean send(int stream, long communicator, int source, int tag, Payload message) {
        frame.writeMessage(communicator, stream, source, tag, message, (int) message.lengthBytes());
        return fabric.offer(peer, LaneKind.DATA, frame);
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void hold(boolean isHeld) {
        fabric.hold(isHeld ? peer : null);
    }

    @Override
    public boolean hasArrived() {
        return fabric.firstArrived(peer, LaneKind.DATA) != null;
    }

    @Override
    public int receive(int stream, long communicator, int source, int tag, Payload into) {
        SimRecord record = fabric.firstArrived(peer, LaneKind.DATA);
        if (record == null) {
            return NOTHING;
        }
        int lengthBytes = ShortFrame.read(record.frame, stream, communicator, source, tag, into);
        if (lengthBytes >= 0) {
            receivedTag = record.frame.tag();
            fabric.take(record);
        }
        return lengthBytes;
    }

    @Override
    public int receivedTag() {
        return receivedTag;
    }
}
