package org.ulfmj.transport.local;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.DyingPayload;
import org.ulfmj.transport.Fabric;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.MediumTest;
import org.ulfmj.transport.MemberRecord;
import org.ulfmj.transport.host.HostProcess;

/** Ranks that are threads of this process. */
final class LocalRanks implements MediumTest.World {
    private final LocalHub hub;
    private final ProcessId[] processes;

    LocalRanks(int ranks) {
        hub = new LocalHub(ranks);
        processes = new ProcessId[ranks];
        for (int slot = 0; slot < ranks; slot++) {
            processes[slot] = ProcessId.of(slot);
        }
    }

    @Override
    public Fabric fabric(int slot) {
        return hub.fabric(processes[slot]);
    }

    @Override
    public void kill(int slot) {
        hub.kill(processes[slot]);
    }

    @Override
    public MemberRecord record(int slot) {
        return new MemberRecord(processes[slot], 0, 0, "", 0, "", HostProcess.UNKNOWN);
    }

    @Override
    public void succeed(int slot) {
        processes[slot] = new ProcessId(slot, processes[slot].incarnation() + 1);
        for (int other = 0; other < hub.size(); other++) {
            fabric(slot).admit(record(other));
        }
    }

    @Override
    public void close() {
        for (int slot = 0; slot < hub.size(); slot++) {
            fabric(slot).close();
        }
    }

    /**
     * Lets rank 1 die while it sends a frame to rank 0: after so many bytes of the payload, or before the frame if it
     * has no payload.
     */
    void dieSending(Frame frame, int payloadBytes) {
        if (frame.payloadBytes() > 0) {
            frame.payload(
                    new DyingPayload(frame.payload(), payloadBytes, () -> kill(1)),
                    frame.payloadOffset(),
                    frame.payloadBytes());
            try {
                hub.fabric(1).offer(ProcessId.of(0), LaneKind.DATA, frame);
            } catch (DyingPayload.SenderKilled killed) {
                return;
            }
        }
        kill(1);
    }
}
