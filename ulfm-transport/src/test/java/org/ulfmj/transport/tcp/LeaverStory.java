package org.ulfmj.transport.tcp;

import org.ulfmj.protocol.ProcessId;
import org.ulfmj.protocol.Timing;
import org.ulfmj.transport.Frames;
import org.ulfmj.transport.LaneKind;
import org.ulfmj.transport.Polling;
import org.ulfmj.transport.Received;

/**
 * A rank leaves after its peer has died, while the peer's successor opens a connection to it. Public, because tests
 * call it in class loaders with mutants.
 */
public final class LeaverStory {
    private static final ProcessId ONE = ProcessId.of(1);
    private static final Timing TIMING = Timing.fromTimeout(60_000_000_000L);

    private LeaverStory() {}

    /** Returns what keeps the rank from leaving; empty if it leaves. */
    public static String run() {
        TcpWorld world = new TcpWorld(2, TIMING);
        Received[] received = {new Received(), new Received()};
        Runnable poll = () -> {
            for (int slot = 0; slot < 2; slot++) {
                world.fabric(slot).pollWithSeat(received[slot]);
            }
        };
        try {
            TcpFabric leaver = world.fabric(0);
            leaver.offer(ONE, LaneKind.DATA, Frames.numbered(0));
            Polling.until(() -> received[1].frames.size() == 1, poll);
            world.kill(1);
            leaver.abandon(ONE);
            leaver.leave();

            world.succeed(1);
            leaver.admit(world.record(1));
            TcpFabric newcomer = world.fabric(1);
            newcomer.offer(ProcessId.of(0), LaneKind.DATA, Frames.numbered(0));
            Polling.until(() -> leaver.hasLeft() || TcpWorld.isConnected(newcomer, ProcessId.of(0)), poll);
            return leaver.hasLeft() ? "" : "a leaver opens a link to a newcomer, and does not leave";
        } finally {
            world.close();
        }
    }
}
