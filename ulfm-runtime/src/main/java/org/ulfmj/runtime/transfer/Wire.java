package org.ulfmj.runtime.transfer;

import org.ulfmj.runtime.message.Loopback;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.LaneKind;

/**
 * Where frames leave the engine: to a peer, to this rank itself, or nowhere once the rank is over. Under the engine
 * lock.
 */
final class Wire {
    private final Fabric fabric;
    private final Loopback loopback;
    private boolean isClosed;

    Wire(Fabric fabric, Loopback loopback) {
        this.fabric = fabric;
        this.loopback = loopback;
    }

    /** Closes the wire: this rank is dead or fenced, and sends nothing any more. */
    void close() {
        isClosed = true;
    }

    boolean isClosed() {
        return isClosed;
    }

    /** Gives a frame to the lane, or drops it once the wire is closed. Returns false if there was no room. */
    boolean offer(Peer to, LaneKind lane, Frame frame) {
        if (isClosed) {
            return true;
        }
        return to.isSelf ? loopback.offer(lane, frame) : fabric.offer(to.id, lane, frame);
    }
}
