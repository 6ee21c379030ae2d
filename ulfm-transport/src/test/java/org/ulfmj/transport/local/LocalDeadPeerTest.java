package org.ulfmj.transport.local;

import java.util.Optional;
import org.ulfmj.protocol.ProcessId;
import org.ulfmj.transport.DeadPeerContract;
import org.ulfmj.transport.Frame;
import org.ulfmj.transport.LaneKind;

class LocalDeadPeerTest extends DeadPeerContract {
    @Override
    protected World newWorld(int ranks) {
        return new LocalRanks(ranks);
    }

    /** One step for each byte of the payload, and one for the commit of the record. */
    @Override
    protected int stepsToSend(Frame frame) {
        return frame.payloadBytes() + 1;
    }

    @Override
    protected World worldWhoseOneDied(Frame whole, Frame torn, int steps) {
        LocalRanks ranks = new LocalRanks(2);
        ranks.fabric(1).offer(ProcessId.of(0), LaneKind.DATA, whole);
        if (steps < stepsToSend(torn)) {
            ranks.dieSending(torn, steps);
        } else {
            ranks.fabric(1).offer(ProcessId.of(0), LaneKind.DATA, torn);
            ranks.kill(1);
        }
        return ranks;
    }

    @Override
    protected Optional<World> worldWhoseOneSent(Frame whole, byte[] malformed) {
        return Optional.empty();
    }
}
