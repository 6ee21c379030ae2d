package org.ulfmj.transport.local;

import java.nio.ByteBuffer;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.MediumTest;
import org.ulfmj.transport.Payload;

/** Ranks that are threads of this process. */
final class LocalRanks implements MediumTest.World {
    private final LocalHub hub;

    LocalRanks(int ranks) {
        hub = new LocalHub(ranks);
    }

    @Override
    public Fabric fabric(int slot) {
        return hub.fabric(slot);
    }

    @Override
    public void kill(int slot) {
        hub.kill(slot);
    }

    @Override
    public void close() {
        for (int slot = 0; slot < hub.size(); slot++) {
            hub.fabric(slot).close();
        }
    }

    /** Lets rank 1 die in the middle of a frame for rank 0: after so many bytes of its payload, or before the frame. */
    void dieSending(Frame frame, int payloadBytes) {
        Payload whole = frame.payload;
        Payload dying = new Payload() {
            @Override
            public long lengthBytes() {
                return whole.lengthBytes();
            }

            @Override
            public void copyOut(long offset, ByteBuffer target) {
                target.limit(target.position() + payloadBytes);
                whole.copyOut(offset, target);
                hub.kill(1);
                throw new ThreadKilled();
            }

            @Override
            public void copyIn(long offset, ByteBuffer source) {
                throw new IllegalStateException("a frame to send");
            }
        };
        try {
            if (frame.payloadBytes > 0) {
                frame.payload(dying, frame.payloadOffset, frame.payloadBytes);
                hub.fabric(1).offer(ProcessId.of(0), LaneKind.DATA, frame);
            }
        } catch (ThreadKilled killed) {
            return;
        }
        hub.kill(1);
    }

    /** What a killed rank's thread gets. */
    private static final class ThreadKilled extends Error {
        private static final long serialVersionUID = 1;
    }
}
