package org.ulfmj.runtime.transfer;

import org.ulfmj.runtime.message.Loopback;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.LaneKind;

/**
 * The way by which frames leave the engine: to a peer, to this rank itself, or nowhere once the rank has ended. Under
 * the engine lock.
 */
final class Wire {
    private final Fabric fabric;
    private final Loopback loopback;
    private boolean isClosed;

    Wire(Fabric fabric, Loopback loopback) {
        this.fabric = fabric;
        this.loopback = loopback;
    }

    /** Closes the wire, because this rank has ended, for instance by Finalize, and must send nothing any more. */
    void close() {
        isClosed = true;
    }

    boolean isClosed() {
        return isClosed;
    }

    /**
     * Gives a frame to the lane to the peer, or drops it if the wire is closed. Returns false if there was no room in
     * the lane.
     */
    boolean offer(Peer to, LaneKind lane, Frame frame) {
        if (isClosed) {
            return true;
        }
        return to.isSelf ? loopback.offer(lane, frame) : fabric.offer(to.id, lane, frame);
    }
}
