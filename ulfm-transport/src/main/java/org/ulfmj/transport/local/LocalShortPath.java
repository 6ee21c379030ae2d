package org.ulfmj.transport.local;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.Payload;
import org.ulfmj.transport.ShortFrame;
import org.ulfmj.transport.ShortPath;

/** The short path between ranks that are threads: the data lane's own records, which hold frames. */
final class LocalShortPath implements ShortPath {
    private final LocalFabric fabric;
    private final ProcessId peer;
    private final Frame frame = new Frame();
    /** The lanes from the peer; null before they were found. */
    private LocalPair pair;
    /** All lanes that the peer's were last looked for in. */
    private LocalPair[] searched;

    private int receivedTag;

    LocalShortPath(LocalFabric fabric, ProcessId peer) {
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
        return hasPair();
    }

    @Override
    public void hold(boolean isHeld) {
        if (hasPair()) {
            pair.isHeld = isHeld;
        }
    }

    @Override
    public boolean hasArrived() {
        return hasPair() && pair.peek(LaneKind.DATA) != null;
    }

    /** Looks for the lanes only where others have been opened since the last look: there may be many. */
    private boolean hasPair() {
        if (pair == null && fabric.pairs() != searched) {
            searched = fabric.pairs();
            pair = fabric.pairFrom(peer);
        }
        return pair != null && fabric.reads(pair);
    }

    @Override
    public int receive(int stream, long communicator, int source, int tag, Payload into) {
        if (!hasPair()) {
            return DECLINED;
        }
        LocalRecord record = pair.peek(LaneKind.DATA);
        if (record == null) {
            return NOTHING;
        }
        if (record.exclusion) {
            return DECLINED;
        }
        int lengthBytes = ShortFrame.read(record.frame, stream, communicator, source, tag, into);
        if (lengthBytes >= 0) {
            receivedTag = record.frame.tag();
            pair.release(LaneKind.DATA, pair.next(LaneKind.DATA));
        }
        return lengthBytes;
    }

    @Override
    public int receivedTag() {
        return receivedTag;
    }
}
